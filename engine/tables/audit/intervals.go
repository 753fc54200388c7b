package audit

import (
	"context"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/modular"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Interval is what an intruder knows of a cell: its smallest and largest possible value.
type Interval struct{ Low, High float64 }

// Bounds are what an intruder knows of every cell beforehand.
type Bounds struct {
	Low, High func(cell int) float64
	Integer   bool // the values are integers
}

// Positive are the bounds of a table without negative values.
func Positive(integer bool) Bounds {
	return Bounds{func(int) float64 { return 0 }, func(int) float64 { return math.Inf(1) }, integer}
}

// Enough says for which half of an interval the exact end is not needed: from there on it is wide enough. Nil: all are
// needed.
type Enough func(cell int, i Interval) (low, high bool)

// of reports which ends need not be exact.
func (e Enough) of(cell int, i Interval) (low, high bool) {
	if e == nil {
		return false, false
	}
	return e(cell, i)
}

// Intervals returns the interval of each suppressed cell. values are the true ones, by cell. With enough, an end may be
// nearer to the value than the true end is. The result does not depend on the number of threads. Errors are those of the
// context.
func (k *Known) Intervals(ctx context.Context, values func(cell int) float64, b Bounds, enough Enough) (map[int]Interval, error) {
	all, intervals := k.system, map[int]Interval{}
	value, seen, fixed, err := all.inside(ctx, values, b, enough)
	if err != nil {
		return nil, err
	}
	if len(fixed) > 0 {
		all = newSystem(k.equations, func(cell int32) bool { return k.suppressed(cell) && !fixed[cell] })
		all.eliminate()
	}
	for cell := range fixed {
		intervals[int(cell)] = Interval{values(int(cell)), values(int(cell))}
	}
	var sweeps []*sweep
	for _, part := range all.components() {
		s := all.program(&part, values, b)
		ends := make([]Interval, len(part.cells))
		for u, cell := range part.cells {
			s.value[u], ends[u] = value[cell], seen[cell]
		}
		const large = 200 // unknowns, which two threads share
		middle := len(part.cells) / 2
		if len(part.cells) < large {
			middle = 0
		} else {
			sweeps = append(sweeps, newSweep(s, part.cells, 0, middle, ends, enough))
		}
		sweeps = append(sweeps, newSweep(s, part.cells, middle, len(part.cells), ends, enough))
	}
	err = parallel.Each(ctx, len(sweeps), func(i int) error { return sweeps[i].run(ctx) })
	if err != nil {
		return nil, err
	}
	for _, w := range sweeps {
		for i, one := range w.found {
			if b.Integer {
				one = Interval{math.Ceil(one.Low-integral) + 0, math.Floor(one.High + integral)} // + 0: no -0
			}
			intervals[int(w.cells[w.from+i])] = one
		}
	}
	return intervals, nil
}

// integral is by how much a computed integer may be off.
const integral = 1e-6

// component are unknowns that share equations with no others.
type component struct {
	cells  []int32 // of its unknowns
	number []int32 // of its unknowns in the system
	solved []solvedEquation
}

// components splits the system.
func (s *system) components() []component {
	parent := make([]int32, len(s.cells))
	for i := range parent {
		parent[i] = int32(i)
	}
	find := func(u int32) int32 {
		for parent[u] != u {
			parent[u] = parent[parent[u]]
			u = parent[u]
		}
		return u
	}
	for _, one := range s.solved {
		for _, t := range s.rows[one.row] {
			a, b := find(one.unknown), find(t.unknown)
			parent[max(a, b)] = min(a, b)
		}
	}
	var parts []component
	place := map[int32]int{}
	for u := range int32(len(s.cells)) {
		root := find(u)
		at, known := place[root]
		if !known {
			at = len(parts)
			place[root], parts = at, append(parts, component{})
		}
		parts[at].cells, parts[at].number = append(parts[at].cells, s.cells[u]), append(parts[at].number, u)
	}
	for _, one := range s.solved {
		at := place[find(one.unknown)]
		parts[at].solved = append(parts[at].solved, one)
	}
	return parts
}

// program returns the linear program of a component at the true table.
func (e *system) program(part *component, values func(cell int) float64, b Bounds) *simplex {
	s, own := &simplex{}, make(map[int32]int32, len(part.cells)) // unknown of the system: of the component
	for u, number := range part.number {
		cell := int(part.cells[u])
		value := values(cell)
		own[number] = s.unknown(value, min(b.Low(cell), value), max(b.High(cell), value))
	}
	for _, one := range slices.Backward(part.solved) {
		var terms []coefficient
		for _, t := range e.rows[one.row] {
			if t.unknown != one.unknown {
				terms = append(terms, coefficient{own[t.unknown], modular.Fraction(t.factor)})
			}
		}
		s.follow(own[one.unknown], terms...)
	}
	for u := range s.value {
		if !s.follows[u] {
			s.place(int32(u))
		}
	}
	return s
}
