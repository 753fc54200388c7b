package data

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// DistinctKeys is the pane of the key patterns: their categories, numbers of records, frequencies and risks. It is
// the grid of records for a dataset that has a record for each key pattern.
type DistinctKeys struct {
	*Records
	found views.Cache[*risk.Assessment, keyRecords]
}

// keyRecords are the key patterns as a dataset, with the first record of each.
type keyRecords struct {
	data    *microdata.Dataset
	first   []uint32
	figures map[*microdata.Column]string // of the columns that are not key variables
	tenths  bool                         // population frequencies have decimals
}

var _ views.Seeker = (*DistinctKeys)(nil)

// The columns of figures, which precede those of the key variables.
const (
	keyCount      = "records"
	keyFrequency  = "f"
	keyPopulation = "F"
	keyRisk       = "risk"
	keyHousehold  = "hh. risk" // only with households
)

// NewDistinctKeys returns the pane of the key patterns, the riskiest first.
func NewDistinctKeys() *DistinctKeys {
	p := &DistinctKeys{Records: NewRecords("", 0)}
	p.PaneID, p.Heading, p.Enter, p.Risk, p.ofKeys = "distinct-keys", "Key patterns", "list records", true, true
	p.Move.SetKeys(append(p.Move.Keys(), "g")...)
	p.Keyless = "Choose key variables to list their key patterns."
	p.Of, p.OfRow, p.Explained = p.of, p.explain, sizes
	p.By = draw.Sorting{{Id: keyRisk, Down: true}}
	return p
}

// keysOf returns the key patterns of an assessment: their figures and their categories of the key variables.
func keysOf(ctx context.Context, s views.State) (found keyRecords, err error) {
	a := s.Current.Assessment
	if found.first, err = a.Table().FirstRows(ctx); err != nil {
		return found, err
	}
	households, err := a.HouseholdRiskOfKeys(ctx)
	if err != nil {
		return found, err
	}
	frequencies := a.KeyFrequencies()
	counts := make([]float64, len(found.first))
	for key, count := range a.Table().Counts() {
		counts[key] = float64(count)
	}
	found.tenths = slices.ContainsFunc(frequencies.Population, func(F float64) bool { return F != math.Trunc(F) })
	found.figures = map[*microdata.Column]string{}
	var columns []*microdata.Column
	for _, figure := range []struct {
		name   string
		values []float64
	}{{keyCount, counts}, {keyFrequency, frequencies.Sample}, {keyPopulation, frequencies.Population},
		{keyRisk, a.KeyRisks()}, {keyHousehold, households}} {
		if figure.values == nil {
			continue
		}
		column := microdata.NewNumeric(figureName(s, figure.name), microdata.Number,
			&microdata.Numbers{Values: figure.values, Decimals: microdata.Shortest})
		columns, found.figures[column] = append(columns, column), figure.name
	}
	of, err := microdata.NewDataset(keyColumns(s))
	if err != nil {
		return found, err
	}
	found.data, err = microdata.NewDataset(append(columns, of.Select(found.first).Columns()...))
	return found, err
}

// figureName returns the column name of a figure, which differs from the names of the key variables.
func figureName(s views.State, figure string) string {
	for slices.Contains(s.Keys(), figure) {
		figure = "key " + figure
	}
	return figure
}

// keyColumns returns the current key variables, or nil if one is not in the file.
func keyColumns(s views.State) []*microdata.Column {
	columns := make([]*microdata.Column, len(s.Keys()))
	for i, name := range s.Keys() {
		columns[i] = s.Current.Column(name)
	}
	if slices.Contains(columns, nil) {
		return nil
	}
	return columns
}

// of returns a state whose records are the key patterns; ok is false while they are not known.
func (p *DistinctKeys) of(s views.State) (keys views.State, ok bool) {
	a, columns := s.Current.Assessment, keyColumns(s)
	if a == nil || columns == nil {
		return s, false
	}
	found := p.found.Found(a)
	if found == nil {
		return s, false
	}
	p.opens = func(key int) draw.Action {
		return views.ShowMatching{Condition: views.KeyCondition(a.Table().Codes, columns, uint32(key))}
	}
	p.spelled = func(column *microdata.Column, key int) (string, *draw.Style) { return found.cell(s, column, key) }
	keys = s
	keys.Selected.Record, keys.Current = -1, views.Version{Data: found.data}
	keys.Original = keys.Current
	return keys, true
}

// cell returns the text of a key pattern in a column.
func (found *keyRecords) cell(s views.State, column *microdata.Column, key int) (string, *draw.Style) {
	figure, ok := found.figures[column]
	if !ok {
		if column.Missing(key) {
			return views.MissingSign, &s.Faint
		}
		return s.WithCodeLabel(column, column.Text(key)), s.Fresh(&s.Plain)
	}
	x, style := column.StoredAsNumbers().Values[key], &s.Plain
	text := wording.Frequency(x)
	switch figure {
	case keyRisk, keyHousehold:
		return wording.Probability(x), s.Fresh(views.DangerStyle(s.Theme, x))
	case keyFrequency:
		if s.Current.Assessment.KeyFrequencies().Violates(key, s.K) {
			style = &s.High
		}
	case keyPopulation:
		if found.tenths && x < 1000 && !strings.Contains(text, ".") {
			text += ".0" // to align the decimal points
		}
	}
	return text, s.Fresh(style)
}

// Seek finds the key patterns, then sorts and filters them.
func (p *DistinctKeys) Seek(s views.State) views.Piece {
	if s.Current.Assessment == nil || len(s.Keys()) == 0 || keyColumns(s) == nil {
		return nil
	}
	if keys, ok := p.of(s); ok {
		return p.Records.Seek(keys)
	}
	return p.found.Seek(s.Current.Assessment, func(ctx context.Context) (keyRecords, error) { return keysOf(ctx, s) })
}

// TitleFor shows the number of key patterns and their mean number of records.
func (p *DistinctKeys) TitleFor(s views.State) string {
	a := s.Current.Assessment
	if a == nil {
		return p.Heading
	}
	count := draw.Count(a.Table().Keys())
	if keys, ok := p.of(s); ok && p.Filter != "" {
		p.refind(keys)
		count = p.matches().count() + " of " + count + " · " + p.Filter
	}
	title := fmt.Sprintf("%s · %s · %.2f records each on average", p.Heading, count,
		float64(a.Records)/float64(max(1, a.Table().Keys())))
	if keys, ok := p.of(s); ok {
		title += p.hiddenColumns(keys)
	}
	return title
}

// Variable returns the key variable under the cursor.
func (p *DistinctKeys) Variable(s views.State) string {
	if keys, ok := p.of(s); ok {
		return p.Records.Variable(keys)
	}
	return ""
}

// explain explains the risk of the key pattern under the cursor.
func (p *DistinctKeys) explain(s views.State) []views.Figure {
	return views.RecordFigures(s, int(p.found.Found(s.Current.Assessment).first[p.record(p.Cursor.At)]))
}

// sizes explains the sizes of the key patterns.
func sizes(s views.State) []views.Figure {
	if e := s.Current.Figures.Find("keysizes"); e != nil {
		return views.ExplainedAll(s.Original.Figures, e)
	}
	return nil
}
