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

// Intervals returns the interval of each suppressed cell. values are the true ones, by cell. With enough, an end may be
// nearer to the value than the true end is. The result does not depend on the number of threads. Errors are those of the
// context.
func (k *Known) Intervals(ctx context.Context, values func(cell int) float64, b Bounds, enough Enough) (map[int]Interval, error) {
	parts := k.system.components()
	found := make([][]Interval, len(parts))
	err := parallel.Each(ctx, len(parts), func(i int) error {
		s := k.system.dictionary(&parts[i], values, b)
		var err error
		found[i], err = s.sweep(ctx, parts[i].cells, enough)
		return err
	})
	if err != nil {
		return nil, err
	}
	intervals := make(map[int]Interval, len(k.system.cells))
	for i, part := range parts {
		for u, cell := range part.cells {
			one := found[i][u]
			if b.Integer {
				one = Interval{math.Ceil(one.Low-integral) + 0, math.Floor(one.High + integral)} // + 0: no -0
			}
			intervals[int(cell)] = one
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

// dictionary returns the linear program of a component at the true table.
func (e *system) dictionary(part *component, values func(cell int) float64, b Bounds) *simplex {
	n := len(part.cells)
	s := &simplex{value: make([]float64, n), lower: make([]float64, n), upper: make([]float64, n)}
	own := make(map[int32]int32, n) // unknown of the system: of the component
	for u, number := range part.number {
		own[number] = int32(u)
		cell := int(part.cells[u])
		s.value[u] = values(cell)
		s.lower[u], s.upper[u] = min(b.Low(cell), s.value[u]), max(b.High(cell), s.value[u])
	}
	basic := make([]bool, n)
	for _, one := range part.solved {
		basic[own[one.unknown]] = true
	}
	column := make([]int32, n)
	for u := range n {
		if !basic[u] {
			column[u], s.other = int32(len(s.other)), append(s.other, int32(u))
		}
	}
	rows := make([][]uint64, n)
	for i := len(part.solved) - 1; i >= 0; i-- {
		one := part.solved[i]
		row := make([]uint64, len(s.other))
		for _, t := range e.rows[one.row] {
			u := own[t.unknown]
			switch {
			case t.unknown == one.unknown:
			case !basic[u]:
				row[column[u]] = modular.Sum(row[column[u]], t.factor)
			default:
				for j, factor := range rows[u] {
					if factor != 0 {
						row[j] = modular.Sum(row[j], modular.Product(t.factor, factor))
					}
				}
			}
		}
		rows[own[one.unknown]] = row
	}
	for u, row := range rows {
		if row == nil {
			continue
		}
		factors := make([]float64, len(row))
		for j, factor := range row {
			factors[j] = modular.Fraction(factor)
		}
		s.rows, s.basic = append(s.rows, factors), append(s.basic, int32(u))
	}
	return s
}

// sweep finds the interval of every unknown, and widens those of all at each table that it comes by.
func (s *simplex) sweep(ctx context.Context, cells []int32, enough Enough) ([]Interval, error) {
	seen := make([]Interval, len(s.value))
	for u, value := range s.value {
		seen[u] = Interval{value, value}
	}
	visit := func() {
		for u, value := range s.value {
			seen[u] = Interval{min(seen[u].Low, value), max(seen[u].High, value)}
		}
	}
	exact := slices.Clone(seen)
	for u := range s.value {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		low, high := seen[u].Low <= s.lower[u]+tiny, seen[u].High >= s.upper[u]-tiny
		if enough != nil {
			far, up := enough(int(cells[u]), seen[u])
			low, high = low || far, high || up
		}
		exact[u] = seen[u]
		if !high {
			exact[u].High = s.push(int32(u), true, visit)
		}
		if !low {
			exact[u].Low = s.push(int32(u), false, visit)
		}
	}
	return exact, nil
}
