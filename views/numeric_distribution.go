package views

import (
	"context"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
)

// NumericDistribution is the pane of the distribution of the selected variable of
// numbers: a bar for each part of its range, that of the original behind it.
type NumericDistribution struct {
	tablePane
	whole    bool // the whole range, else what lies between the outermost half percents
	height   int  // drawn last
	versions versionNames
	found    sought[distributionOf, []overlaid]
}

// distributionOf is what a distribution is of.
type distributionOf struct {
	columnPair
	whole bool
}

// overlaid is the distribution now and in the original, by the same bins.
type overlaid struct{ now, before *profile.Histogram }

var _ Seeker = (*NumericDistribution)(nil)

// NewNumericDistribution returns the pane of the distribution of a variable of numbers.
func NewNumericDistribution() *NumericDistribution {
	p := &NumericDistribution{tablePane: tablePane{id: "numeric-distribution", title: "Distribution"}}
	p.content, p.titled, p.figures = p.table, p.named, p.explain
	p.acts = func() []act { return []act{tails(&p.whole)} }
	return p
}

func (p *NumericDistribution) named(s State) string {
	name := numericVariable(s)
	if name == "" {
		return p.title
	}
	title := ranged(p.title+" · "+s.marked(name), p.whole)
	if label := s.VariableLabel(name); label != "" {
		title += " · " + label
	}
	return title
}

func (p *NumericDistribution) of(s State) distributionOf {
	return distributionOf{pairOf(s, numericVariable(s)), p.whole}
}

// Seek counts the values by bins.
func (p *NumericDistribution) Seek(s State) func(ctx context.Context, budget time.Duration) (take func()) {
	of := p.of(s)
	if !of.ok() {
		return nil
	}
	return p.found.seek(of, func(ctx context.Context) ([]overlaid, error) { return overlay(ctx, of) })
}

// overlaidSizes are the bins that distributions have at most.
var overlaidSizes = [...]int{5, 8, 14, 22, 45, 90}

// overlay counts the values by few bins, then by more and more.
func overlay(ctx context.Context, of distributionOf) ([]overlaid, error) {
	_, _, low, high, err := spreads(ctx, of.columnPair, of.whole)
	if err != nil || !(low <= high) {
		return []overlaid{}, err
	}
	var all []overlaid
	for _, most := range overlaidSizes {
		bins := profile.RoundBins(low, high, most, of.now.Kind() == microdata.Whole && of.before.Kind() == microdata.Whole)
		now, err := profile.NewHistogram(ctx, of.now, bins)
		if err != nil {
			return nil, err
		}
		o := overlaid{now, now}
		if of.now != of.before {
			if o.before, err = profile.NewHistogram(ctx, of.before, bins); err != nil {
				return nil, err
			}
		}
		all = append(all, o)
	}
	return all, nil
}

// spreads returns where the values lie, now and in the original, and a range of both:
// the whole one, or that without the outermost half percent on each side.
func spreads(ctx context.Context, of columnPair, whole bool) (now, before *profile.Spread, low, high float64, err error) {
	if before, err = profile.NewSpread(ctx, of.before); err != nil {
		return nil, nil, 0, 0, err
	}
	if now = before; of.now != of.before {
		if now, err = profile.NewSpread(ctx, of.now); err != nil {
			return nil, nil, 0, 0, err
		}
	}
	least := func(a, b float64) float64 { // NaN: no number there
		if a != a || b < a {
			return b
		}
		return a
	}
	if whole {
		return now, before, least(now.Least, before.Least), -least(-now.Most, -before.Most), nil
	}
	return now, before, least(now.LowTail, before.LowTail), -least(-now.HighTail, -before.HighTail), nil
}

// View remembers how many bins there is room for.
func (p *NumericDistribution) View(s State, width, height int, focused bool) string {
	p.height = height
	return p.tablePane.View(s, width, height, focused)
}

// bin is a row: a bin, or what lies below or above all.
type bin struct {
	label       string
	now, before int
}

// bins returns the rows of the finest distribution that there is room for.
func (p *NumericDistribution) bins(s State, all []overlaid) []bin {
	chosen := all[0]
	for _, o := range all {
		if rows := o.now.Count + 2; rows <= p.height-3 { // under headings, over what the signs mean
			chosen = o
		}
	}
	var rows []bin
	if chosen.now.Below+chosen.before.Below > 0 {
		rows = append(rows, bin{"below " + figure(chosen.now.Start), chosen.now.Below, chosen.before.Below})
	}
	single := chosen.now.Step == 1 && pairOf(s, numericVariable(s)).now.Kind() == microdata.Whole
	for i := range chosen.now.Count {
		label := chosen.now.Label(i)
		if single {
			label = s.withCode(numericVariable(s), chosen.now.Single(i))
		}
		rows = append(rows, bin{label, chosen.now.Records[i], chosen.before.Records[i]})
	}
	now, before := chosen.now.Outside-chosen.now.Below, chosen.before.Outside-chosen.before.Below
	if now+before > 0 {
		rows = append(rows, bin{"from " + figure(chosen.now.Lower(chosen.now.Count)) + " on", now, before})
	}
	return rows
}

func (p *NumericDistribution) table(s State, _ int) Table {
	of := p.of(s)
	all := p.found.look(of)
	switch {
	case !of.ok():
		return Table{Instead: noNumbers}
	case all == nil:
		return Table{Instead: "counting …"}
	case len(*all) == 0:
		return Table{Instead: "No record has a number."}
	}
	rows := p.bins(s, *all)
	largest, records := 1, 0
	for _, row := range rows {
		largest = max(largest, row.now, row.before)
		records += row.now
	}
	share := func(n int) float64 { return float64(n) / float64(largest) }
	return Table{
		Columns: []Column{{Head: numericVariable(s), Least: 8, Most: 26}, {Kind: Bars}, {Head: "records", Short: "n", Kind: Pairs, Yields: true}, {Head: "%", Kind: Counts, Size: 5, Rank: 3}},
		Rows:    len(rows),
		Row: func(row int) []Cell {
			r := rows[row]
			style := &s.Theme.Bar
			return []Cell{{Text: r.label}, {Share: share(r.now), Had: share(r.before), Style: style},
				{Text: Count(r.now), Was: Count(r.before)}, {Text: percent(r.now, records)}}
		},
		Foot: func(width, height int) []string {
			if height < 2 {
				return nil
			}
			names := p.versions.names()
			return []string{"", s.Theme.Faint.Render(Fit(" █ "+names.now+"  ░ more in "+names.inBefore, width))}
		},
	}
}

// explain explains the bin under the cursor.
func (p *NumericDistribution) explain(s State) []Figure {
	all := p.found.look(p.of(s))
	if all == nil || len(*all) == 0 {
		return nil
	}
	rows := p.bins(s, *all)
	at := rows[max(0, min(p.cursor.At, len(rows)-1))]
	return []Figure{{Name: "Records with " + Safe(shortened(numericVariable(s))) + " " + Safe(shortened(at.label)), Value: Count(at.now) + " (" + Count(at.before) + ")",
		Definition: "How many records have a number there, the original in brackets. What lies beyond the outermost half percent on either side stands in a row of its own, " +
			"unless the whole range is shown.",
		Formula: "count of lower end ≤ x < upper end", Source: measure.SourceGuide}}
}
