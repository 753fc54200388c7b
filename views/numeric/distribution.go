package numeric

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// NumericDistribution is the pane of the distribution of the selected numeric variable: a bar for each bin, the
// original behind.
type NumericDistribution struct {
	views.TablePane
	whole    bool // the whole range, else trimmed by 0.5 % at each end
	height   int  // height of the last frame
	versions versionNames
	found    views.Cache[distributionOf, []profile.Overlay]
}

// distributionOf identifies a distribution.
type distributionOf struct {
	profile.Versions
	whole bool
}

var _ views.Seeker = (*NumericDistribution)(nil)

// NewNumericDistribution returns the pane of the distribution of a numeric variable.
func NewNumericDistribution() *NumericDistribution {
	p := &NumericDistribution{TablePane: views.TablePane{PaneID: "numeric-distribution", Heading: "Distribution"}}
	p.Content, p.Titled, p.OfRow = p.table, p.named, p.explain
	p.Actions = func() []views.KeyAction { return []views.KeyAction{tails(&p.whole)} }
	return p
}

func (p *NumericDistribution) named(s views.State) string {
	name := numericVariable(s)
	if name == "" {
		return p.Heading
	}
	title := ranged(p.Heading+" · "+s.Marked(name), p.whole)
	if label := s.VariableLabel(name); label != "" {
		title += " · " + label
	}
	return title
}

func (p *NumericDistribution) of(s views.State) distributionOf {
	return distributionOf{versionsOf(s, numericVariable(s)), p.whole}
}

// Seek counts the values by bin.
func (p *NumericDistribution) Seek(s views.State) views.Piece {
	of := p.of(s)
	if !of.Known() {
		return nil
	}
	return p.found.Seek(of, func(ctx context.Context) ([]profile.Overlay, error) { return overlay(ctx, of) })
}

// overlaidSizes are the numbers of bins that are computed.
var overlaidSizes = [...]int{5, 8, 14, 22, 45, 90}

// overlay counts the values by few bins, then by more and more.
func overlay(ctx context.Context, of distributionOf) ([]profile.Overlay, error) {
	low, high, err := spreads(ctx, of.Versions, of.whole)
	if err != nil || !(low <= high) {
		return []profile.Overlay{}, err
	}
	return of.Overlays(ctx, nil, low, high, overlaidSizes[:]...)
}

// spreads returns the range of the values, now and in the original together: the whole one, or trimmed by 0.5 % at
// each end.
func spreads(ctx context.Context, of profile.Versions, whole bool) (low, high float64, err error) {
	now, before, err := of.Spreads(ctx)
	if err != nil {
		return 0, 0, err
	}
	least := func(a, b float64) float64 { // NaN: the version has no number
		if a != a || b < a {
			return b
		}
		return a
	}
	if whole {
		return least(now.Least, before.Least), -least(-now.Most, -before.Most), nil
	}
	return least(now.LowTail, before.LowTail), -least(-now.HighTail, -before.HighTail), nil
}

// View remembers the height, which limits the number of bins.
func (p *NumericDistribution) View(s views.State, width, height int, focused bool) string {
	p.height = height
	return p.TablePane.View(s, width, height, focused)
}

// bin is a row: a bin, or the values below or above all bins.
type bin struct {
	label       string
	now, before int
}

// bins returns the rows of the finest distribution that fits.
func (p *NumericDistribution) bins(s views.State, all []profile.Overlay) []bin {
	o := profile.Finest(all, p.height-5) // besides headings, legend, and two rows for the values outside
	now, before := o.Now, o.Before
	var rows []bin
	if now.Below+before.Below > 0 {
		rows = append(rows, bin{"below " + draw.FigureText(now.Start), now.Below, before.Below})
	}
	for i := range now.Count {
		rows = append(rows, bin{s.WithCode(numericVariable(s), now.Name(i)), now.Records[i], before.Records[i]})
	}
	if beyond, was := now.Outside-now.Below, before.Outside-before.Below; beyond+was > 0 {
		rows = append(rows, bin{draw.FigureText(now.Lower(now.Count)) + " or more", beyond, was})
	}
	return rows
}

func (p *NumericDistribution) table(s views.State, _ int) draw.Table {
	of := p.of(s)
	all := p.found.Found(of)
	switch {
	case !of.Known():
		return draw.Table{Instead: noNumbers}
	case all == nil:
		return draw.Table{Instead: "counting …"}
	case len(*all) == 0:
		return draw.Table{Instead: "No record has a value."}
	}
	rows, names := p.bins(s, *all), p.versions.names()
	largest, records := 1, 0
	for _, row := range rows {
		largest = max(largest, row.now, row.before)
		records += row.now
	}
	share := func(n int) float64 { return float64(n) / float64(largest) }
	return draw.Table{
		Columns: []draw.Column{{Head: numericVariable(s), Least: 8, Most: 26}, {Kind: draw.Bars},
			{Head: "records", Kind: draw.Pairs, Yields: true}, {Head: "%", Kind: draw.Percents, Size: 5, Rank: 3}},
		Rows: len(rows),
		Row: func(row int) []draw.Cell {
			r := rows[row]
			style := &s.Bar
			return []draw.Cell{{Text: r.label}, {Share: share(r.now), Had: share(r.before), Style: style},
				{Text: draw.Count(r.now), Was: draw.Count(r.before)}, {Share: float64(r.now) / float64(records)}}
		},
		Foot: s.Footnote("█ " + names.now + "  ░ more in " + names.inBefore),
	}
}

// explain explains the bin under the cursor.
func (p *NumericDistribution) explain(s views.State) []views.Figure {
	at := p.bins(s, *p.found.Found(p.of(s)))[p.Cursor.At]
	return []views.Figure{{Name: "Records with " + numericVariable(s) + " " + at.label,
		Value: draw.Count(at.now) + " (" + draw.Count(at.before) + ")",
		Definition: "Number of records with a value in the interval; the original in brackets. The lowest and highest 0.5 % have " +
			"separate rows, unless the whole range is shown.",
		Formula: "number of records with lower bound ≤ x < upper bound", Source: measure.SourceGuide}}
}
