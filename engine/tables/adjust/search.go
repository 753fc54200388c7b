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

// MaxCells is the largest number of cells of a table to adjust.
const MaxCells = 3000

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

// nodes is how many tables a search looks at.
const nodes = 200

func newSearch(ctx context.Context, cost func(value func(cell int) float64) float64,
	decide func(*audit.Space) ([]*audit.Space, bool)) *search {
	return &search{ctx: ctx, cost: cost, decide: decide, nodes: nodes, least: math.Inf(1), open: math.Inf(1)}
}

// run looks at the tables of a space: first at the one that takes the cheaper way each time, then at those that once take
// the other one, then twice, and so on.
func (s *search) run(space *audit.Space) {
	space.Minimise()
	for others := 0; others == 0 || s.open < s.least && s.nodes > 0; others++ {
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
	if s.nodes--; others < 0 || s.best != nil && (s.nodes < 0 || s.ctx.Err() != nil) {
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

// near returns an integer if a value is nearly one and should be.
func near(value float64, whole bool) float64 {
	const close = 1e-3
	if r := math.Round(value); whole && math.Abs(value-r) < close {
		return r
	}
	return value
}

// table returns the best table: its inner cells, and what they add up to.
func (s *search) table(t *tabular.Table) (*Table, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	if s.best == nil {
		return nil, fmt.Errorf("%w: no table of that kind was found; choose other bounds or a larger base", ErrAdjust)
	}
	adjusted := &Table{Values: make([]float64, len(t.Cells))}
	var inner []float64
	whole := !slices.ContainsFunc(t.Cells, func(c tabular.Cell) bool { return c.Value != math.Round(c.Value) })
	for cell := range t.Cells {
		if t.Inner(cell) {
			inner = append(inner, near(s.best.Value(cell), whole))
		}
	}
	for cell, of := range t.Groups(func(int) bool { return true }) {
		for _, i := range of {
			adjusted.Values[cell] += inner[i]
		}
	}
	adjusted.Cost = s.cost(func(cell int) float64 { return adjusted.Values[cell] })
	adjusted.Bound = min(adjusted.Cost, s.least, s.open)
	return adjusted, nil
}

// fits returns an error for a table that is too large.
func fits(t *tabular.Table) error {
	if n := len(t.Cells); n > MaxCells {
		return fmt.Errorf("%w: it has %s cells; the limit is %s", ErrAdjust, wording.Number(n), wording.Number(MaxCells))
	}
	return nil
}
