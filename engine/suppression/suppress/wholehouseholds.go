package suppress

import (
	"context"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// For key variables that are the same for all members of a household, suppression applies to all members. This can
// create new violators, so the file is solved again until nothing more is suppressed. Then cells that need not be
// suppressed are restored.

// finishHouseholds returns the final suppression, given those of the strata and their account. With whole households, the
// bound remains that of single records, because suppressing whole households cannot need fewer cells. The
// algorithm Minimal then tries two alternatives in parallel, one of which multiplies the price of shared variables
// by the mean household size, and keeps the cheaper one.
func (s *strataSolver) finishHouseholds(ctx context.Context, all []stratumResult, account *method.Suppression) (*solution, error) {
	if s.households == nil {
		in, cells := s.lose(s.in, all)
		return &solution{in: in, cells: cells, account: account}, nil
	}
	own := s.way()
	_, others := s.households.lose(own.cells, s.file, all)
	if s.households.shared() != 0 {
		var err error
		if own, account, err = s.solveHouseholdsTogether(ctx, own, others, account); err != nil {
			return nil, err
		}
	}
	if s.m.Algorithm != SDCMicro {
		s.households.mostFirst(own.cells, s.table.RowKeys())
	}
	return s.withBegun(&solution{in: s.in, cells: own.cells, account: account, households: s.households}), nil
}

// solveHouseholdsTogether completes own and, if useful, an alternative, and returns the better one with its account.
// others reports whether own includes cells of other members.
func (s *strataSolver) solveHouseholdsTogether(ctx context.Context, own *householdSearch, others bool, account *method.Suppression) (*householdSearch,
	*method.Suppression, error) {
	ways := []*householdSearch{own}
	if s.m.Algorithm == Minimal && others {
		ways = append(ways, s.dearer().way())
	}
	err := parallel.Each(ctx, len(ways), func(i int) error { s.solveHouseholdsFrom(ctx, ways[i]); return nil })
	if err != nil {
		return nil, nil, err
	}
	if s.m.Algorithm == Minimal && own.err == nil && own.cost.Total != account.Total {
		if len(ways) == 1 {
			ways = append(ways, s.dearer().way())
			s.solveHouseholdsFrom(ctx, ways[1])
		}
		if other := ways[1]; other.err != nil || other.cost.Price < own.cost.Price {
			own = other
		}
	}
	if own.err != nil {
		return nil, nil, own.err
	}
	settled, err := s.finish(ctx, own.all)
	if err != nil {
		return nil, nil, err
	}
	return own, s.accounted(*settled, account), nil
}

// householdSearch is a search: the solver with its prices, and the cells lost so far.
type householdSearch struct {
	by    *strataSolver
	cells lost
	all   []stratumResult     // cells by stratum; once completed
	cost  *method.Suppression // their account without violators left; once completed
	err   error
}

// way returns a way with the prices of s and no lost cells.
func (s *strataSolver) way() *householdSearch {
	return &householdSearch{by: s, cells: make(lost, s.in.Data.Len())}
}

// dearer returns a copy of s in which a cell of a shared variable has the price of all cells of a mean household.
func (s *strataSolver) dearer() *strataSolver {
	return s.repriced(func(v, price int) int { return price * s.households.cellsOf(s.in.Scenario.Keys[v]) })
}

// solveHouseholdsFrom alternates between solving the remaining file and adding the cells of the other members, until no cell
// is added.
func (s *strataSolver) solveHouseholdsFrom(ctx context.Context, w *householdSearch) {
	for more := true; more && w.err == nil; {
		more, w.err = s.solveLeft(ctx, w)
	}
	if w.err == nil {
		w.err = s.restore(ctx, w.cells)
	}
	if w.err != nil {
		return
	}
	w.all, w.cost = s.parts(w.cells), s.begin()
	for _, it := range w.all {
		it.parts.count(w.cost, s.ranks.price)
	}
}

// solveLeft solves the file without the cells of w and reports whether more cells are lost.
func (s *strataSolver) solveLeft(ctx context.Context, w *householdSearch) (more bool, err error) {
	again := *w.by
	if again.file, err = fileOf(ctx, w.cells.without(s.in), s.strataNames()); err != nil {
		return false, err
	}
	all, err := again.solveAll(ctx, nil)
	if err != nil {
		return false, fmt.Errorf("after the suppression of whole households: %w", err)
	}
	more, _ = s.households.lose(w.cells, again.file, all)
	return more, nil
}

// accounted returns account with the bound and the iterations of first, the account for single records.
func (s *strataSolver) accounted(account method.Suppression, first *method.Suppression) *method.Suppression {
	account.Bound, account.Iterations = first.Bound, first.Iterations
	account.Proven = first.Bound != nil && *first.Bound == account.Price
	return &account
}
