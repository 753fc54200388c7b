package publish

import (
	"context"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// Safety says what an intruder learns of sensitive cells without estimating any. A table with changed values is attacked
// in the same way: the intruder knows the method and its parameters, so which true values each published one can have.
type Safety struct {
	Sensitive int
	// Open are the sensitive cells that are published, or can be recalculated from what is published in all tables. In a table with
	// changed values, they are those with one possible true value, and by controlled adjustment those that did not move by their level.
	Open []int
	// Insiders are the sensitive cells that the only contributor of another cell can recalculate.
	Insiders []int
}

// Recalculable returns the number of sensitive cells that somebody can compute exactly.
func (s *Safety) Recalculable() int { return len(s.Open) + len(s.Insiders) }

// Safety attacks the table by the equations of all tables that share cells with it. It takes milliseconds.
func (t *Table) Safety() Safety {
	var s Safety
	known, own := t.all.known(), t.own()
	for cell := range t.Cells {
		if !t.Sensitive(cell) {
			continue
		}
		if s.Sensitive++; known.Exact(t.place(cell)) {
			s.Open = append(s.Open, cell)
		}
	}
	sensitive := func(at int) bool { return own(at) >= 0 && t.Sensitive(own(at)) }
	single := t.all.cells((*Table).single)
	for _, i := range known.Insiders(t.all.Len(), sensitive, single.Has, t.all.same) {
		s.Insiders = append(s.Insiders, own(i.Cell))
	}
	slices.Sort(s.Insiders)
	return s
}

// own returns which cell of the table a cell of all tables is; -1: the table does not have it.
func (t *Table) own() func(at int) int {
	cells := make([]int32, t.all.Len())
	for cell, at := range t.all.Places[t.number] {
		cells[at] = int32(cell) + 1
	}
	return func(at int) int { return int(cells[at]) - 1 }
}

// same reports whether two cells are the sum of the same inner cells with contributors.
func (l *linked) same(a, b int) bool {
	contributors := l.contributors()
	return contributors[a] == contributors[b]
}

// Intervals says in which intervals an intruder can place the suppressed cells.
type Intervals struct {
	Of         map[int]audit.Interval
	OneInteger []int // sensitive cells of a table of counts that are not open, but have one possible integer
	TooNarrow  []int // others whose interval does not contain the protection interval
}

// Intervals finds the interval of each hidden cell by linear programming, for an intruder who has all tables. With
// judged, it stops at each sensitive cell as soon as the interval is wide enough, and leaves out the others: OneInteger and
// TooNarrow are the same, in a fraction of the time. The error is that of the context.
func (t *Table) Intervals(ctx context.Context, judged bool) (*Intervals, error) {
	own, bounds, known := t.own(), t.all.bounds(), t.all.known()
	enough := func(at int, i audit.Interval) (low, high bool) {
		switch cell := own(at); {
		case cell < 0, judged && !t.Sensitive(cell):
			return true, true
		case judged:
			return t.wide(cell, i)
		}
		return false, false
	}
	of, err := known.Intervals(ctx, t.all.value, bounds, enough)
	if err != nil {
		return &Intervals{}, err
	}
	found := &Intervals{Of: map[int]audit.Interval{}}
	for cell := range t.Cells {
		i, ok := of[t.place(cell)]
		if ok {
			found.Of[cell] = i
		}
		switch {
		case !ok || !t.Sensitive(cell) || known.Exact(t.place(cell)):
		case bounds.Integer && i.Low == i.High:
			found.OneInteger = append(found.OneInteger, cell)
		default:
			if low, high := t.wide(cell, i); !low || !high {
				found.TooNarrow = append(found.TooNarrow, cell)
			}
		}
	}
	return found, nil
}

// FewIntervals is Intervals with judged, for a table of at most 20,000 cells, or 500 if it or one that is linked with it has changed
// values; for a larger one, in which that can take minutes, Of is nil.
func (t *Table) FewIntervals(ctx context.Context) (*Intervals, error) {
	const few, fewChanged = 20_000, 500
	if len(t.Cells) > few || t.all.low != nil && t.all.Len() > fewChanged {
		return &Intervals{}, nil
	}
	return t.Intervals(ctx, true)
}

// wanted returns the interval of a sensitive cell that must be possible: as far from the value as the protection level
// asks, of counts at least 1, but not below what everybody knows.
func (t *Table) wanted(cell int) audit.Interval {
	value, level, bounds := t.Cells[cell].Value, t.Level(cell), t.all.bounds()
	if t.published != nil {
		bounds = t.all.anyTable()
	}
	if t.counts() {
		level = max(1, level)
	}
	return audit.Interval{Low: max(bounds.Low(t.place(cell)), value-level), High: value + level}
}

// wide reports which ends of an interval are as far from the value as wanted. For a changed value the interval must be as
// long as wanted: its place depends on the published value.
func (t *Table) wide(cell int, i audit.Interval) (low, high bool) {
	wanted := t.wanted(cell)
	tolerance := 1e-9 * max(1, math.Abs(t.Cells[cell].Value))
	if t.published != nil {
		long := i.High-i.Low >= wanted.High-wanted.Low-tolerance
		return long, long
	}
	return i.Low <= wanted.Low+tolerance, i.High >= wanted.High-tolerance
}

// Loss is what protection costs.
type Loss struct {
	Cells                        int     // with a value or contributors
	Primary, Secondary           int     // suppressed cells
	PrimaryValue, SecondaryValue float64 // their absolute values
	Value                        float64 // of all cells

	Changed         int     // cells with another value
	Change, Largest float64 // absolute: the sum of their changes, and the largest one
	Cost            float64 // the sum of changes, or the cost of secondary cells in the unit of the definition
	Bound           float64 // no table that is protected in the same way costs less; 0: none is known
}

// Mean returns the mean absolute change of the cells with a value.
func (l *Loss) Mean() float64 { return l.Change / float64(max(1, l.Cells)) }

// Affected returns the number of cells that are suppressed or changed.
func (l *Loss) Affected() int { return l.Primary + l.Secondary + l.Changed }

// Lost returns the absolute value that is suppressed or changed.
func (l *Loss) Lost() float64 { return l.PrimaryValue + l.SecondaryValue + l.Change }

// Loss counts the suppressed and the changed cells and their values.
func (t *Table) Loss() Loss {
	l := Loss{Bound: t.bound}
	for cell := range t.Cells {
		value := math.Abs(t.Cells[cell].Value)
		if l.Value += value; !t.Empty(cell) || value > 0 {
			l.Cells++
		}
		if t.Changed(cell) {
			change := math.Abs(t.published[cell] - t.Cells[cell].Value)
			l.Changed, l.Change, l.Largest = l.Changed+1, l.Change+change, max(l.Largest, change)
		}
		switch {
		case t.Secondary(cell):
			l.Secondary++
			l.Cost += t.cost(cell)
			l.SecondaryValue += value
		case t.Suppressed(cell):
			l.Primary++
			l.PrimaryValue += value
		}
	}
	l.Cost += l.Change
	l.Change, l.Largest, l.Bound, l.Cost = tabular.Rounded(l.Change), tabular.Rounded(l.Largest), tabular.Rounded(l.Bound), tabular.Rounded(l.Cost)
	return l
}

// Bounded says how far the cost is from the lowest possible one; "": that is not known.
func (l *Loss) Bounded() string {
	switch {
	case l.Bound == 0:
		return ""
	case l.Bound >= l.Cost:
		return "optimal (proven)"
	}
	return "lower bound " + wording.Value(l.Bound)
}
