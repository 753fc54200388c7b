// Package adjust changes the cells of a small table a little, so that it still adds up: controlled rounding to multiples
// of a base, and controlled tabular adjustment, which moves each sensitive cell out of its protection interval.
//
// Source: J. Castro, Recent advances in optimization techniques for statistical tabular data protection, European Journal
// of Operational Research 216 (2012).
//
//	rounded, err := adjust.Round(ctx, table, 5)
//	adjusted, err := adjust.Adjust(ctx, table, adjust.Cells{Level: level, Weight: weight})
package adjust

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// The largest numbers of cells of a table whose search can take many steps, and of one in which the first step must leave
// few cells to decide, as in the rounding of most tables of two variables.
const (
	mostCells       = 300
	mostCellsAtOnce = 3000
	few             = 20
)

// ErrAdjust is wrapped by errors about a table that cannot be adjusted.
var ErrAdjust = errors.New("the table cannot be adjusted")

// Table is an adjusted table.
type Table struct {
	Values []float64 // by cell
	Cost   float64   // weighted sum of the changes
	Bound  float64   // no table of its kind costs less
}

// search finds the cheapest table for which nothing is left to decide: it decides one cell after the other, and gives up
// ways that already cost more than the best table.
type search struct {
	ctx    context.Context
	cost   func(value func(cell int) float64) float64
	decide func(*audit.Space) (ways []*audit.Space, done bool)
	nodes  int
	best   *audit.Space
	least  float64 // what the best costs
	open   float64 // the cheapest of the ways that were not looked at
}

// nodes is how many tables a search looks at after the first.
const nodes = 200

func newSearch(ctx context.Context, cost func(value func(cell int) float64) float64,
	decide func(*audit.Space) ([]*audit.Space, bool)) *search {
	return &search{ctx: ctx, cost: cost, decide: decide, least: math.Inf(1), open: math.Inf(1)}
}

// run looks at the tables of a space: first at the one that takes the cheaper way each time, then at those that once take
// the other one, then twice, and so on. undecided reports which cells are left to decide in the cheapest table.
func (s *search) run(space *audit.Space, cells int, undecided func(cell int) bool) {
	const ways = 2
	space.Minimise()
	left := 0
	for cell := range cells {
		if cells > mostCells && undecided(cell) {
			left++
		}
	}
	if left > few {
		return
	}
	s.nodes = ways * cells // enough to decide each cell once
	s.visit(space, 0)
	s.nodes = nodes
	for others := 1; s.open < s.least && s.nodes > 0; others++ {
		s.open = math.Inf(1)
		s.visit(space, others)
	}
}

// visit looks at the tables of a space, the cheapest of which is its present one.
func (s *search) visit(space *audit.Space, others int) {
	const gain = 1e-6
	cost := s.cost(space.Value)
	if cost >= s.least-gain {
		return
	}
	if s.nodes--; others < 0 || s.nodes < 0 || s.ctx.Err() != nil {
		s.open = min(s.open, cost)
		return
	}
	ways, done := s.decide(space)
	if done {
		s.best, s.least = space, cost
		return
	}
	for _, way := range ways {
		way.Minimise()
	}
	slices.SortStableFunc(ways, func(a, b *audit.Space) int { return cmp.Compare(s.cost(a.Value), s.cost(b.Value)) })
	for i, way := range ways {
		s.visit(way, others-i)
	}
}

// integral is by how much a computed integer may be off.
const integral = 1e-3

// Unit returns the unit of the last decimal that the values of a table have: 1 for integers, a millionth at least.
func Unit(t *tabular.Table) float64 {
	const ten, smallest, close = 10, 1e6, 1e-3
	parts := 1.0
	for parts < smallest && slices.ContainsFunc(t.Cells, func(c tabular.Cell) bool {
		return math.Abs(c.Value*parts-math.Round(c.Value*parts)) > close
	}) {
		parts *= ten
	}
	return 1 / parts
}

// split returns the tables of a space whose cell is at most the integer below its value, and at least that above.
func split(s *audit.Space, cell int) (ways []*audit.Space) {
	for _, up := range []bool{false, true} {
		to := math.Floor(s.Value(cell))
		if up {
			to++
		}
		if way := s.Clone(); way.Push(cell, up, to, true) {
			ways = append(ways, way)
		}
	}
	return ways
}

// table returns the best table: its inner cells, and what they add up to. The values of the space are above those of
// origin, in multiples of a unit.
func (s *search) table(t *tabular.Table, origin func(cell int) float64, unit float64) (*Table, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	if s.best == nil {
		if err := fits(t, mostCells); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%w: none was found that adds up; choose a larger base, coarser variables, or fewer cells "+
			"published by hand", ErrAdjust)
	}
	adjusted := &Table{Values: make([]float64, len(t.Cells))}
	var inner []float64
	for cell := range t.Cells {
		if t.Inner(cell) {
			inner = append(inner, origin(cell)+unit*math.Round(s.best.Value(cell)/unit))
		}
	}
	for cell, of := range t.Groups(func(int) bool { return true }) {
		for _, i := range of {
			adjusted.Values[cell] += inner[i]
		}
	}
	adjusted.Cost = s.cost(func(cell int) float64 { return adjusted.Values[cell] - origin(cell) })
	adjusted.Bound = min(adjusted.Cost, s.least, s.open)
	return adjusted, nil
}

// fits returns an error for a table that is too large.
func fits(t *tabular.Table, most int) error {
	if n := len(t.Cells); n > most {
		search := ""
		if most == mostCells {
			search = " for a search"
		}
		return fmt.Errorf("%w: it has %s cells, and the limit is %s%s; choose fewer or coarser variables, or another protection",
			ErrAdjust, wording.Number(n), wording.Number(most), search)
	}
	return nil
}
