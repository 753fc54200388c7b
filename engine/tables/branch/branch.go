// Package branch searches the tables of an audit.Space for the cheapest one that meets conditions which equations and
// bounds cannot express, such as integers: branch and bound with limited discrepancies.
//
//	s := branch.Search{Cost: cost, Decide: decide, Nodes: 200}
//	s.Run(ctx, space, 2*cells)
//	use(s.Best, s.Bound())
package branch

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
)

// Search finds the cheapest table for which nothing is left to decide: it decides one cell after the other, and gives up
// ways that already cost more than the best table.
type Search struct {
	Cost   func(value func(cell int) float64) float64
	Decide func(*audit.Space) (ways []*audit.Space, done bool) // the tables with either decision on a cell
	Nodes  int                                                 // tables to visit after the first one for which nothing is left

	Best  *audit.Space // nil: none was found
	Least float64      // what the best costs; infinite: none was found

	nodes int
	open  float64 // the cheapest of the ways that were not visited
}

// Run searches a space whose present table is its cheapest one. It first takes the cheaper way each time, in at most first
// steps, then once the other one, then twice, and so on. A context that ends leaves what was found.
func (s *Search) Run(ctx context.Context, space *audit.Space, first int) {
	s.Least, s.open, s.nodes = math.Inf(1), math.Inf(1), first
	s.visit(ctx, space, 0)
	s.nodes = s.Nodes
	for others := 1; s.open < s.Least && s.nodes > 0 && ctx.Err() == nil; others++ {
		s.open = math.Inf(1)
		s.visit(ctx, space, others)
	}
}

// Bound returns a cost below which no table is.
func (s *Search) Bound() float64 { return min(s.Least, s.open) }

// visit looks at the tables of a space, the cheapest of which is its present one.
func (s *Search) visit(ctx context.Context, space *audit.Space, others int) {
	const gain = 1e-6
	cost := s.Cost(space.Value)
	if cost >= s.Least-gain {
		return
	}
	if s.nodes--; others < 0 || s.nodes < 0 || ctx.Err() != nil {
		s.open = min(s.open, cost)
		return
	}
	ways, done := s.Decide(space)
	if done {
		s.Best, s.Least = space, cost
		return
	}
	for _, way := range ways {
		way.Minimise()
	}
	slices.SortStableFunc(ways, func(a, b *audit.Space) int { return cmp.Compare(s.Cost(a.Value), s.Cost(b.Value)) })
	for i, way := range ways {
		s.visit(ctx, way, others-i)
	}
}
