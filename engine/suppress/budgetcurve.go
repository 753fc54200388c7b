package suppress

import (
	"context"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/progress"
)

// BudgetPoint says how many violators are left under the conservative rule
// where at most so many cells may be suppressed.
type BudgetPoint struct {
	Cells int
	Left  int
}

// BudgetCurve tells what a budget of any number of cells does: which part of a
// suppression it makes. It belongs to one goroutine at a time.
//
//	curve, err := m.Curve(ctx, in, meter)
//	for _, p := range curve.Points() { ... } // a line from (0, all violators) to (all cells, 0)
//	account, err := curve.At(ctx, 4000)      // cells per variable, violators left under three rules
//	budget := 4000.0
//	m.Budget = &budget // to make a step that does the same
type BudgetCurve struct {
	solving    *solving
	strata     []*stratum
	all        []solved // the whole suppression
	whole      *method.Suppression
	units      []unit
	iterations int
	points     []BudgetPoint
}

// maxPoints is the number of points of a curve that are counted on the file
// where missing values keep the curve from being known without.
const maxPoints = 65

// Curve returns what budgets do to the suppression that m finds; the budget of
// m itself plays no part. It takes as long as Apply does. Errors are those of
// Apply with a budget.
func (m *KAnonymity) Curve(ctx context.Context, in method.Input, meter *progress.Meter) (*BudgetCurve, error) {
	copied := *m
	copied.Budget = new(float64)
	err := copied.check()
	if err == nil {
		err = copied.checkShared(in.Scenario)
	}
	if err != nil {
		return nil, err
	}
	copied.Budget = nil
	t, err := keyTable(ctx, in)
	if err != nil {
		return nil, err
	}
	c, err := copied.curve(ctx, t, in, meter)
	if err != nil {
		return nil, fmt.Errorf("k-anonymity: %w", err)
	}
	return c, nil
}

// curve solves a key table and makes the curve.
func (m *KAnonymity) curve(ctx context.Context, t *keys.Table, in method.Input, meter *progress.Meter) (*BudgetCurve, error) {
	if m.Algorithm == Thorough {
		search, err := m.thorough(ctx, t, in, meter)
		if err != nil {
			return nil, err
		}
		return search.Curve(ctx)
	}
	s, strata, err := m.prepare(ctx, t, in)
	if err != nil {
		return nil, err
	}
	meter.Start(int64(t.Records()))
	all, err := s.solveAll(ctx, strata, meter)
	if err != nil {
		return nil, err
	}
	return newBudgetCurve(ctx, s, strata, all, 0)
}

// Curve returns what budgets do to the suppression found so far. The curve stays
// as it is when the search goes on.
func (s *Search) Curve(ctx context.Context) (*BudgetCurve, error) {
	whole := s.method
	whole.Budget = new(float64)
	err := whole.check()
	if err == nil {
		err = whole.checkShared(s.in.Scenario)
	}
	if err == nil {
		err = s.finishRound(ctx)
	}
	if err != nil {
		return nil, err
	}
	all, err := s.solutions(ctx)
	if err != nil {
		return nil, err
	}
	solving := *s.solving
	solving.budget = nil
	return newBudgetCurve(ctx, &solving, s.strata, all, s.iterations)
}

// newBudgetCurve makes the curve of a suppression.
func newBudgetCurve(ctx context.Context, s *solving, strata []*stratum, all []solved, iterations int) (*BudgetCurve, error) {
	c := &BudgetCurve{solving: s, strata: strata, all: all, iterations: iterations}
	var err error
	if c.whole, err = s.finish(ctx, strata, all); err != nil {
		return nil, err
	}
	c.whole.Iterations = iterations
	c.units = s.units(strata, all)
	return c, c.trace(ctx)
}

// trace finds the points. Where no record that is suppressed had missing values
// from the start, every record that a budget takes is a violator less;
// otherwise violators are counted at some points.
func (c *BudgetCurve) trace(ctx context.Context) error {
	known := true
	for _, it := range c.strata {
		for key := range it.counts {
			known = known && !it.incomplete(uint32(key))
		}
	}
	if !known {
		return c.count(ctx)
	}
	left, cells := c.whole.Left.Conservative, c.whole.Total
	for _, it := range slices.Backward(c.units) {
		c.points = append(c.points, BudgetPoint{cells, left})
		left, cells = left+it.records, cells-it.cells
	}
	c.points = append(c.points, BudgetPoint{cells, left})
	slices.Reverse(c.points)
	return nil
}

// count counts the violators left at even distances.
func (c *BudgetCurve) count(ctx context.Context) error {
	for i := range maxPoints {
		cells := c.whole.Total * i / (maxPoints - 1)
		if len(c.points) > 0 && c.points[len(c.points)-1].Cells == cells {
			continue
		}
		account, err := c.At(ctx, cells)
		if err != nil {
			return err
		}
		c.points = append(c.points, BudgetPoint{cells, account.Left.Conservative})
	}
	return nil
}

// Points returns the curve, cells ascending, from none to all. Between two
// points it is straight but for the last cells that are not enough for a record,
// or nearly so where they are counted. There is one point at least.
func (c *BudgetCurve) Points() []BudgetPoint { return c.points }

// Whole returns the account of the suppression without a budget.
func (c *BudgetCurve) Whole() *method.Suppression { return c.whole }

// At returns the account of the part that at most so many cells make. It counts
// the violators left on the key table, without touching a record.
func (c *BudgetCurve) At(ctx context.Context, cells int) (*method.Suppression, error) {
	if cells >= c.whole.Total {
		return c.whole, ctx.Err()
	}
	account, err := c.solving.finish(ctx, c.strata, cut(c.units, c.all, max(0, cells)))
	if err != nil {
		return nil, err
	}
	account.Bound, account.Proven, account.Iterations = nil, false, c.iterations
	return account, nil
}

// within returns the part of a suppression that is within the budget, and its
// account; without a budget all of it.
func (s *solving) within(ctx context.Context, strata []*stratum, all []solved) ([]solved, *method.Suppression, error) {
	cells := 0
	for i := range all {
		own := emptyAccount(s.names)
		all[i].parts.count(own, s.ranks.price)
		cells += own.Total
	}
	if s.budget == nil || cells <= *s.budget {
		account, err := s.finish(ctx, strata, all)
		return all, account, err
	}
	part := cut(s.units(strata, all), all, *s.budget)
	account, err := s.finish(ctx, strata, part)
	if err != nil {
		return nil, nil, err
	}
	// The bound is that of a suppression that protects all.
	account.Bound, account.Proven = nil, false
	return part, account, nil
}
