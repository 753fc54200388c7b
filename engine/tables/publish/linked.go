package publish

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/secondary"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// linked are tables that an intruder has together: a cell that several of them share is suppressed in all of them, or in
// none. A table that shares no cell is linked with itself.
type linked struct {
	*tabular.Union
	tables       []*Table
	equations    *tabular.Equations
	ends         []int // per table: the number of equations up to it
	contributors func() []int32
	suppressed   *microdata.Bits // cells of the union
	known        func() *audit.Known
	bounds       func() audit.Bounds // see whatIsKnown

	hidden    *microdata.Bits // cells whose true value no table publishes
	low, high []float64       // the possible true values of each cell as far as changed values limit them; nil: none does
}

// Protect returns tables of the same data with further cells suppressed, or with other values and no cell suppressed, as
// their definitions say. Tables of the same response are protected together, apart from those with other values. The result
// does not depend on the order of the tables. An error wraps secondary.ErrForced if a cell that must be published reveals a
// sensitive one, is one of a perturbation, or is that of the context.
func Protect(ctx context.Context, tables []*Table) ([]*Table, error) {
	out := make([]*Table, len(tables))
	for i := range tables {
		if out[i] != nil {
			continue
		}
		set := Linked(definitionsOf(tables), i)
		var of []*Table
		for _, at := range set {
			of = append(of, tables[at])
		}
		l, err := protectSet(ctx, of)
		if err != nil {
			return nil, err
		}
		for k, at := range set {
			out[at] = l.tables[k]
		}
	}
	return out, nil
}

// protectSet protects tables of the same response.
func protectSet(ctx context.Context, tables []*Table) (*linked, error) {
	if !slices.ContainsFunc(tables, (*Table).Perturbs) {
		return link(tables...).protected(ctx)
	}
	all := slices.Clone(tables)
	var suppressing []*Table
	for i, t := range tables {
		if !t.Perturbs() {
			suppressing = append(suppressing, t)
			continue
		}
		var err error
		if all[i], err = t.perturbed(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", wording.Excerpt(t.Definition.Title()), err)
		}
	}
	if len(suppressing) > 0 {
		l, err := link(suppressing...).protected(ctx)
		if err != nil {
			return nil, err
		}
		for i, t := range tables {
			if at := slices.Index(suppressing, t); at >= 0 {
				all[i] = l.tables[at]
			}
		}
	}
	l := link(all...)
	suppressed := microdata.NewBits(l.Len())
	for number, t := range all {
		for cell, at := range l.Places[number] {
			if t.Suppressed(cell) {
				suppressed.Set(int(at))
			}
		}
	}
	return l.with(suppressed), nil
}

// Linked returns the places of the tables that are protected together with one of them, itself included: those of the same
// response, in an order that depends on their definitions only.
func Linked(definitions []*microdata.TableDefinition, at int) (places []int) {
	texts := make([]string, len(definitions))
	for i, d := range definitions {
		if a, b := definitions[at], d; a.Response != b.Response || a.Weight != b.Weight || a.Count != b.Count || a.OfCells != b.OfCells {
			continue
		}
		unnamed := *d
		unnamed.Name = ""
		text, _ := json.Marshal(unnamed) // a definition always can be
		texts[i], places = string(text), append(places, i)
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(texts[a], texts[b]) })
	return places
}

func definitionsOf(tables []*Table) (all []*microdata.TableDefinition) {
	for _, t := range tables {
		all = append(all, t.Definition)
	}
	return all
}

// LinkedWith returns the titles of the other tables that share more than the grand total with this one.
func (t *Table) LinkedWith() (titles []string) {
	own := t.own()
	for _, other := range t.all.tables {
		if other.number != t.number && slices.ContainsFunc(t.all.Places[other.number][1:], func(at int32) bool { return own(int(at)) > 0 }) {
			titles = append(titles, other.Definition.Title())
		}
	}
	return titles
}

// link returns tables with the sensitive cells suppressed, and no others.
func link(tables ...*Table) *linked {
	var cells []*tabular.Table
	for _, t := range tables {
		cells = append(cells, t.Table)
	}
	l := &linked{Union: tabular.Unite(cells...), tables: tables}
	l.equations, l.ends = l.Equations()
	l.contributors = sync.OnceValue(func() []int32 {
		return l.Contributors(func(inner int) bool { return l.At(inner).N > 0 })
	})
	sensitive, published := l.cells((*Table).Sensitive), l.cells((*Table).mustPublish)
	suppressed := microdata.NewBits(l.Len())
	for cell := range l.Len() {
		if sensitive.Has(cell) && !published.Has(cell) {
			suppressed.Set(cell)
		}
	}
	return l.with(suppressed)
}

// cells returns the cells for which a table that has them meets a condition.
func (l *linked) cells(meet func(t *Table, cell int) bool) *microdata.Bits {
	found := microdata.NewBits(l.Len())
	for number, t := range l.tables {
		for cell, at := range l.Places[number] {
			if meet(t, cell) {
				found.Set(int(at))
			}
		}
	}
	return found
}

// with returns the tables with other suppressed cells.
func (l *linked) with(suppressed *microdata.Bits) *linked {
	out := *l
	out.suppressed, out.tables = suppressed, make([]*Table, len(l.tables))
	out.known = sync.OnceValue(func() *audit.Known {
		return audit.Solve(out.equations, out.hides, out.least())
	})
	out.bounds = sync.OnceValue(out.whatIsKnown)
	for number, t := range l.tables {
		own := *t
		own.all, own.number = &out, number
		out.tables[number] = &own
	}
	out.limit()
	return &out
}

// limit finds what changed values reveal of the true ones.
func (l *linked) limit() {
	l.hidden, l.low, l.high = l.suppressed, nil, nil
	if !slices.ContainsFunc(l.tables, func(t *Table) bool { return t.published != nil }) {
		return
	}
	l.low, l.high = slices.Repeat([]float64{math.Inf(-1)}, l.Len()), slices.Repeat([]float64{math.Inf(1)}, l.Len())
	for number, t := range l.tables {
		for cell, at := range l.Places[number] {
			if t.published != nil {
				low, high := t.perturbation.possible(t, cell, t.published[cell])
				l.low[at], l.high[at] = max(l.low[at], low), min(l.high[at], high)
			}
		}
	}
	shown := l.cells(func(t *Table, cell int) bool {
		return t.published == nil && !l.suppressed.Has(int(l.Places[t.number][cell]))
	})
	l.hidden = microdata.NewBits(l.Len())
	for cell := range l.Len() {
		if l.low[cell] < l.high[cell] && !shown.Has(cell) {
			l.hidden.Set(cell)
		}
	}
}

// protected returns the tables with further cells suppressed.
func (l *linked) protected(ctx context.Context) (*linked, error) {
	// A sensitive cell that must be published cannot be kept secret: only suppressed ones are protected.
	secret := l.cells(func(t *Table, cell int) bool {
		return t.Sensitive(cell) && t.Definition.Protect != microdata.ProtectPrimary && t.Suppressed(cell)
	})
	if secret.Count() == 0 {
		return l, nil
	}
	if l.Len() > mostOptimal && slices.ContainsFunc(l.tables, (*Table).wantsOptimum) {
		return nil, fmt.Errorf("%w: optimal suppression handles up to %d cells, and the table has %s with those linked to it; choose intervals",
			tabular.ErrTable, mostOptimal, wording.Number(l.Len()))
	}
	cells := secondary.Cells(l.Union, secret.Has, l.cells((*Table).mustPublish).Has, l.costs())
	for cell := range cells {
		cells[cell].Absent = l.suppressed.Has(cell) && !secret.Has(cell)
	}
	single := l.cells((*Table).single).Has
	hidden, err := secondary.Protect(ctx, l.equations, cells, single, l.least())
	if forced := new(secondary.ForcedError); errors.As(err, &forced) {
		return nil, fmt.Errorf("%w: cell %s", secondary.ErrForced, l.named(forced.Cell))
	}
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(l.tables, (*Table).wantsIntervals) {
		return l.with(hidden.Union(l.suppressed)), nil
	}
	intervals := &secondary.Intervals{Values: l.value, Bounds: l.bounds(), Wanted: l.wanted(), Single: single}
	wide, narrow, err := secondary.Widen(ctx, l.equations, cells, hidden, intervals)
	if err != nil {
		return nil, err
	}
	bound := 0.0
	if len(narrow) == 0 && slices.ContainsFunc(l.tables, (*Table).wantsOptimum) {
		if wide, bound, err = secondary.Optimal(ctx, l.equations, cells, wide, intervals); err != nil {
			return nil, err
		}
	}
	out := l.with(wide.Union(l.suppressed))
	if len(out.tables) == 1 {
		out.tables[0].bound = bound // of linked tables, it is that of all
	}
	return out, nil
}

// wantsIntervals reports whether the intervals of sensitive cells must be wide.
func (t *Table) wantsIntervals() bool {
	return t.Definition.Protect == microdata.ProtectIntervals || t.wantsOptimum()
}

// wantsOptimum reports whether the cheapest suppression is searched for.
func (t *Table) wantsOptimum() bool { return t.Definition.Protect == microdata.ProtectOptimal }

// mostOptimal is the number of cells of linked tables up to which the cheapest suppression is searched for.
const mostOptimal = 500

// named returns the codes of a cell, and the table if there are several.
func (l *linked) named(cell int) string {
	home := l.Homes[cell]
	t := l.tables[home.Table]
	text := fmt.Sprint(t.Codes(home.Cell))
	if len(l.tables) > 1 {
		text += " of table " + wording.Excerpt(t.Definition.Title())
	}
	return text
}

// value returns that of a cell.
func (l *linked) value(cell int) float64 { return l.At(cell).Value }

// cost returns the cost of suppressing a cell.
func (l *linked) cost(cell int) float64 {
	home := l.Homes[cell]
	return l.tables[home.Table].cost(home.Cell)
}

// costs returns the cost of each cell: small of one that a table prefers to suppress.
func (l *linked) costs() func(cell int) float64 {
	const small = 1e-6
	preferred := l.cells(func(t *Table, cell int) bool { return t.byHand[cell] == microdata.StatePreferred })
	return func(cell int) float64 {
		if preferred.Has(cell) {
			return small * l.cost(cell)
		}
		return l.cost(cell)
	}
}

// anyTable are the bounds of the values of every table of the kind.
func (l *linked) anyTable() audit.Bounds {
	bounds := audit.Positive(l.tables[0].counts()) // all have the same response
	if slices.ContainsFunc(l.tables, func(t *Table) bool { return t.negatives() }) {
		bounds.Low = func(int) float64 { return math.Inf(-1) }
	}
	return bounds
}

// whatIsKnown are the bounds that everybody knows: if no empty cell is suppressed, a count is not less than the
// number of inner cells that it is the sum of and that are not empty; changed values limit the true ones.
func (l *linked) whatIsKnown() audit.Bounds {
	bounds := l.anyTable()
	if bounds.Integer && bounds.Low(0) == 0 && l.showsEmpty() {
		nonempty := l.Nonempty(func(table int) bool { return l.tables[table].published == nil })
		bounds.Low = func(cell int) float64 { return nonempty[cell] }
	}
	if l.low != nil {
		lowest := bounds.Low
		bounds.Low = func(cell int) float64 { return max(lowest(cell), l.low[cell]) }
		bounds.High = func(cell int) float64 { return l.high[cell] }
	}
	return bounds
}

// showsEmpty reports whether no empty cell is suppressed.
func (l *linked) showsEmpty() bool {
	hidden := false
	l.suppressed.Each(func(cell int) { hidden = hidden || l.At(cell).N == 0 })
	return !hidden
}

// least returns a function that reports whether a cell has the smallest value that everybody considers possible.
func (l *linked) least() func(cell int) bool {
	bounds := l.bounds()
	return func(cell int) bool { return l.value(cell) <= bounds.Low(cell) }
}

// wanted returns the interval of a cell that must be possible: the widest that a table asks for whose intervals are protected.
func (l *linked) wanted() func(cell int) audit.Interval {
	wide := map[int]audit.Interval{}
	for number, t := range l.tables {
		if !t.wantsIntervals() {
			continue
		}
		for cell, at := range l.Places[number] {
			if !t.Sensitive(cell) {
				continue
			}
			i := t.wanted(cell)
			if before, is := wide[int(at)]; is {
				i = audit.Interval{Low: min(i.Low, before.Low), High: max(i.High, before.High)}
			}
			wide[int(at)] = i
		}
	}
	return func(cell int) audit.Interval {
		if i, is := wide[cell]; is {
			return i
		}
		value := l.value(cell)
		return audit.Interval{Low: value, High: value}
	}
}
