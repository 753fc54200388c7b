package audit

import (
	"context"
	"slices"
)

// sweep finds the intervals of some unknowns of a component, one after the other. It sees tables on the way, which widen
// the intervals of all.
type sweep struct {
	first   *simplex // at a table inside
	cells   []int32
	from    int // the first of its unknowns
	enough  Enough
	seen    []Interval // by unknown
	implied []Interval // bounds of each unknown that follow from single equations
	found   []Interval // of its unknowns
}

func newSweep(s *simplex, cells []int32, from, to int, seen []Interval, enough Enough) *sweep {
	return &sweep{first: s, cells: cells, from: from, enough: enough, seen: slices.Clone(seen), found: make([]Interval, to-from)}
}

// run sweeps. Each search starts at the same table, where steps are cheap, and no rounding errors have added up.
func (w *sweep) run(ctx context.Context) error {
	w.implied = w.first.implied()
	for i := range w.found {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		u := w.from + i
		ends := w.seen[u]
		for _, up := range []bool{true, false} {
			if w.done(u, up) {
				continue
			}
			s := w.first.clone()
			end := s.push(int32(u), up, func() bool {
				s.see(w.seen)
				return ctx.Err() != nil || w.done(u, up)
			})
			ends = Interval{min(ends.Low, end), max(ends.High, end)}
		}
		w.found[i] = Interval{min(ends.Low, w.seen[u].Low), max(ends.High, w.seen[u].High)}
	}
	return ctx.Err()
}

// see widens intervals, by unknown, to the present point.
func (s *simplex) see(seen []Interval) {
	for u := range seen {
		seen[u] = Interval{min(seen[u].Low, s.value[u]), max(seen[u].High, s.value[u])}
	}
}

// done reports whether the upper end of an interval, or the lower one, is as far as it can be or enough.
func (w *sweep) done(unknown int, up bool) bool {
	seen, implied := w.seen[unknown], w.implied[unknown]
	farLow, farHigh := w.enough.of(int(w.cells[unknown]), seen)
	low, high := farLow || seen.Low <= implied.Low+least, farHigh || seen.High >= implied.High-least
	return up && high || !up && low
}

// implied returns bounds of each unknown that follow from those of the others in an equation.
func (s *simplex) implied() []Interval {
	bounds := make([]Interval, len(s.value))
	for u := range bounds {
		bounds[u] = Interval{s.lower[u], s.upper[u]}
	}
	const rounds = 10
	var terms []coefficient // work
	var changes []Interval
	for range rounds {
		for _, e := range s.equations {
			terms = append(append(terms[:0], coefficient{e.unknown, -1}), e.terms...)
			changes = slices.Grow(changes[:0], len(terms))[:len(terms)]
			s.imply(terms, changes, bounds)
		}
	}
	return bounds
}

// imply narrows bounds by an equation: the terms of changes from the present point add up to 0. changes is for its work.
func (s *simplex) imply(terms []coefficient, changes, bounds []Interval) {
	for i, t := range terms {
		b, value := bounds[t.unknown], s.value[t.unknown]
		changes[i] = Interval{b.Low - value, b.High - value}.times(t.factor)
	}
	for i, t := range terms {
		var others Interval
		for j, c := range changes {
			if j != i {
				others = Interval{others.Low + c.Low, others.High + c.High}
			}
		}
		own, b, value := others.times(-1/t.factor), &bounds[t.unknown], s.value[t.unknown]
		b.Low, b.High = max(b.Low, value+own.Low), min(b.High, value+own.High)
	}
}

// times returns the multiples of the numbers of an interval.
func (i Interval) times(factor float64) Interval {
	low, high := factor*i.Low, factor*i.High
	return Interval{min(low, high), max(low, high)}
}
