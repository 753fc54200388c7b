package keys

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// DistinctKeys is the pane of the distinct keys: what each has on the key
// variables, its records, frequencies and risks. Its cursor is one of cells, so
// that the table can be sorted by any column.
type DistinctKeys struct {
	views.TablePane
	by     draw.Sorting
	filter string
	err    error
	found  views.Cache[*risk.Assessment, foundKeys]
	widths views.ColumnWidths
}

var _ views.Seeker = (*DistinctKeys)(nil)

// NewDistinctKeys returns the pane of the distinct keys, the riskiest first.
func NewDistinctKeys() *DistinctKeys {
	p := &DistinctKeys{TablePane: views.TablePane{PaneID: "distinct-keys", Heading: "Distinct keys", Enter: "records",
		Risk: true, Keyless: "Distinct keys are listed as soon as key variables are chosen."},
		by: draw.Sorting{{Id: draw.FigureMark + "risk", Down: true}}}
	p.Content, p.Actions, p.OnTyped, p.Move = p.table, p.keys, p.taken, views.KeyCells()
	return p
}

// The columns of figures; those of the key variables follow.
const (
	keyRecords = iota
	keySample
	keyPopulation
	keyRisk
	keyHouseholds // only with households
)

// keyFigures are what the columns of figures are called.
var keyFigures = [...]string{keyRecords: "records", keySample: "fk", keyPopulation: "Fk", keyRisk: "risk",
	keyHouseholds: "household"}

// columnID names a column for sorting: a figure, or a key variable; "" where there is
// none.
func (p *DistinctKeys) columnID(s views.State, column int) string {
	switch place := column - p.figureColumns(s); {
	case place < 0:
		return draw.FigureMark + keyFigures[column]
	case place < len(s.Keys()):
		return s.Keys()[place]
	}
	return ""
}

// TitleFor counts the distinct keys and says how many records each has on average.
func (p *DistinctKeys) TitleFor(s views.State) string {
	a := s.Current.Assessment
	if a == nil {
		return p.Title()
	}
	of, count := a.Table().Keys(), draw.Count(a.Table().Keys())
	if p.filter != "" {
		count = draw.Count(p.rows(s)) + " of " + count
	}
	return fmt.Sprintf("%s · %s · %.2f records each on average", p.Title(), count,
		float64(a.Records)/float64(max(1, of)))
}

func (p *DistinctKeys) keys() []views.KeyAction {
	keys := []views.KeyAction{
		views.EmitsFrom("s", "sort", func(s views.State) draw.Action { return p.resort(s, false) }),
		views.EmitsFrom("a", "then by", func(s views.State) draw.Action { return p.resort(s, true) }),
		views.Handles("/", "filter",
			func() { p.err = nil; p.Typed.Begin(p.filter, draw.KeyEnter("take it"), draw.KeyEscape()) }),
	}
	if p.filter != "" {
		keys = append(keys, views.Handles("", "", func() { p.filter, p.err = "", nil }, "esc"))
	}
	return keys
}

// resort sorts by the column under the cursor, alone or where the others are alike;
// the other way round where that is so already. Of frequencies the rare come first, of
// risks the high.
func (p *DistinctKeys) resort(s views.State, also bool) draw.Action {
	if s.Current.Assessment == nil {
		return draw.Handled{}
	}
	column := draw.SortedColumn{Id: p.columnID(s, p.Cursor.Column)}
	column.Down = column.Id == draw.FigureMark+keyFigures[keyRisk] ||
		column.Id == draw.FigureMark+keyFigures[keyHouseholds]
	switch at := p.by.At(column.Id); {
	case at >= 0 && (also || len(p.by) == 1):
		p.by = slices.Clone(p.by)
		p.by[at].Down = !p.by[at].Down
	case also:
		p.by = append(slices.Clip(p.by), column)
	default:
		p.by = draw.Sorting{column}
	}
	p.Cursor.At = 0
	return draw.Handled{}
}

// taken takes a filter that was typed. What makes no sense stays open, with the
// reason beside it.
func (p *DistinctKeys) taken(s views.State, end draw.TypedEnd) draw.Action {
	p.err = nil
	if end != draw.TypedTaken {
		return draw.Handled{}
	}
	text := strings.TrimSpace(p.Typed.Text())
	if text != "" {
		filter, err := notation.ParseCondition(text)
		if err == nil {
			_, err = filter.Bind(keyScope(s))
		}
		if p.err = err; err != nil {
			p.Typed.Active = true
			return draw.Handled{}
		}
	}
	p.filter, p.Cursor.At = text, 0
	return draw.Handled{}
}

// HandleKey also makes the key variable under the cursor the selected one.
func (p *DistinctKeys) HandleKey(msg tea.KeyPressMsg, s views.State) draw.Action {
	action := p.TablePane.HandleKey(msg, s)
	if _, moved := action.(draw.Handled); moved && !p.Typed.Active && s.Current.Assessment != nil {
		if p.Cursor.Column >= p.figureColumns(s) {
			if name := p.columnID(s, p.Cursor.Column); name != "" && name != s.Selected.Variable {
				return views.SelectVariable{Name: name}
			}
		}
	}
	return action
}

// figureColumns returns the number of columns of figures.
func (p *DistinctKeys) figureColumns(s views.State) int {
	if s.Current.Assessment.HouseholdIndex() != nil {
		return keyHouseholds + 1
	}
	return keyHouseholds
}

// table has one row per distinct key.
func (p *DistinctKeys) table(s views.State, _ int) draw.Table {
	a := s.Current.Assessment
	columns := keyColumns(s)
	if columns == nil {
		return draw.Table{Instead: "counting …"}
	}
	figures, rows := p.figureColumns(s), p.rows(s)
	number := max(3, draw.Width(draw.Count(rows)))
	key := func(row int) uint32 { return p.key(s, row) }
	return draw.Table{
		Columns: []draw.Column{{Head: "", Kind: draw.Values, Size: number, Most: number}},
		Sideways: &draw.Sideways{Columns: figures + len(columns),
			Column: func(i int) draw.Column { return p.column(s, i, figures, columns) },
			Cell:   func(row, i int) draw.Cell { return p.cell(s, key(row), i, figures, columns) }},
		Rows:   rows,
		Row:    func(row int) []draw.Cell { return []draw.Cell{{Text: draw.Count(row + 1), Style: &s.Faint}} },
		None:   "no key meets " + p.filter,
		Status: func(width int) []string { return p.status(s, width) },
		Open: func(row int) draw.Action {
			return views.ShowMatching{Condition: views.KeyCondition(a.Table().Codes, columns, key(row))}
		},
	}
}

// column is a figure or a key variable; that by which the table is sorted has an
// arrow.
func (p *DistinctKeys) column(s views.State, i, figures int, columns []*microdata.Column) draw.Column {
	var c draw.Column
	if i < figures {
		c = draw.Column{Head: keyFigures[i], Kind: draw.Counts, Size: [...]int{7, 6, 8, 6, 9}[i]}
	} else {
		column := columns[i-figures]
		head := s.Marked(column.Name())
		c = draw.Column{Head: head, Size: max(p.widths.Labelled(s, column), min(draw.Widest, draw.Width(draw.Safe(head)))),
			Least: 3}
		if column.Numeric() && s.LabelsOf(column) == nil {
			c.Kind = draw.Values
		}
	}
	if mark := p.by.Mark(p.columnID(s, i)); mark != "" {
		c.Head += mark
		c.Size = max(c.Size, draw.Width(draw.Label(c.Head)))
	}
	c.Size++
	return c
}

// cell is what a key has in a column.
func (p *DistinctKeys) cell(s views.State, key uint32, i, figures int, columns []*microdata.Column) draw.Cell {
	theme, a := s.Theme, s.Current.Assessment
	if i >= figures {
		place := i - figures
		code := a.Table().Codes(place)[key]
		if levels := columns[place].Categories().Levels; code > 0 && int(code) <= len(levels) {
			return draw.Cell{Text: s.WithCodeLabel(columns[place], levels[code-1].Label), Style: s.Fresh(&theme.Plain)}
		}
		return draw.Cell{Text: views.MissingSign, Style: &theme.Faint}
	}
	frequencies, style := a.KeyFrequencies(), &theme.Plain
	switch i {
	case keyRecords:
		return draw.Cell{Text: draw.Count(int(a.Table().Counts()[key]))}
	case keySample:
		if frequencies.Violates(int(key), s.K) {
			style = &theme.High
		}
		return draw.Cell{Text: wording.Frequency(frequencies.Sample[key]), Style: style}
	case keyPopulation:
		text := wording.Frequency(frequencies.Population[key])
		if p.listed(s).tenths && frequencies.Population[key] < 1000 && !strings.Contains(text, ".") {
			text += ".0" // the points stand below each other
		}
		return draw.Cell{Text: text}
	case keyRisk:
		return draw.Cell{Text: wording.Probability(a.KeyRisks()[key]), Style: views.DangerStyle(theme, a.KeyRisks()[key])}
	}
	f := p.listed(s)
	if !f.ready {
		return draw.Cell{Text: "…", Style: &theme.Faint}
	}
	r := f.households[key]
	return draw.Cell{Text: wording.Probability(r), Style: views.DangerStyle(theme, r)}
}

// status shows the filter while it is typed, with what is wrong with it.
func (p *DistinctKeys) status(s views.State, width int) []string {
	theme := s.Theme
	switch {
	case p.err != nil:
		return []string{p.Typed.Draw(theme, "filter: ", width), theme.Error.Fit(" "+p.err.Error(), width)}
	case p.Typed.Active && p.Typed.Text() == "":
		text := p.Typed.Draw(theme, "filter: ", min(width, 11))
		return []string{text + theme.Faint.Fit("  "+draw.Label(s.Keys()[0])+" missing · fk = 1 and risk > .05",
			width-draw.Width(text))}
	case p.Typed.Active || p.filter != "":
		return []string{p.FilterBanner(s, "filter: ", p.filter, width)}
	}
	return nil
}

// Figures explains the risk of the key under the cursor and the sizes of the keys.
func (p *DistinctKeys) Figures(s views.State) []views.Figure {
	a := s.Current.Assessment
	if a == nil || s.NotApplicable != "" {
		return views.InapplicableFigures(s)
	}
	var sizes []views.Figure
	if e := s.Current.Figures.Find("keysizes"); e != nil {
		sizes = views.ExplainedAll(s.Original.Figures, e)
	}
	f := p.listed(s)
	if !f.ready || len(f.keys) == 0 {
		return sizes
	}
	p.Cursor.Clamp(len(f.keys))
	return append(views.RecordFigures(s, int(f.first[f.keys[p.Cursor.At]])), sizes...)
}

// keyColumns returns the key variables as they are; nil where one is not in the
// file.
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
