package suppress

import (
	"context"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Whole households: what is suppressed in some key variables is suppressed for all
// members. These cells can leave violators where there were none: the file is
// solved again as it is then, until nothing more is lost; then what need not be
// lost any more is given back.

// settle returns the suppression that those of the strata come to, whose account
// is given. With whole households the bound stays that of the records by
// themselves: who must blank whole households cannot do with less. With the
// algorithm Minimal two ways are tried then, one of which prices the cells of
// shared variables by the mean size of the households that records are in; the
// cheaper counts.
func (s *solving) settle(ctx context.Context, all []solved, account *method.Suppression) (*suppressed, error) {
	in, cells := s.lose(s.in, all)
	if s.households == nil {
		return &suppressed{in: in, cells: cells, account: account}, nil
	}
	settled, err := s.settleBy(ctx, s, cells, account)
	if err != nil || s.m.Algorithm != Minimal || settled.account.Total == account.Total {
		return settled, err
	}
	other, err := s.settleBy(ctx, s.dearer(), make(lost, len(cells)), account)
	if err == nil && other.account.Price < settled.account.Price {
		return other, nil
	}
	return settled, err
}

// dearer returns the same with cells of shared variables at the price of all
// those of the household that a record is in, in the mean.
func (s *solving) dearer() *solving {
	return s.repriced(func(v, price int) int { return price * s.households.cellsOf(s.in.Scenario.Keys[v]) })
}

// settleBy adds the cells of the other members to those given, and solves again
// what is left, by the prices of another, until no cell is added.
func (s *solving) settleBy(ctx context.Context, by *solving, cells lost,
	account *method.Suppression) (*suppressed, error) {
	cells = s.households.spread(cells)
	for {
		f, err := fileOf(ctx, cells.without(s.in), s.defining)
		if err != nil {
			return nil, err
		}
		again := *by
		again.file = f
		all, err := again.solveAll(ctx, nil)
		if err != nil {
			return nil, fmt.Errorf("after the suppression of whole households: %w", err)
		}
		_, more := f.lose(s.in, all)
		if !slices.ContainsFunc(more, func(set uint64) bool { return set != 0 }) {
			break
		}
		cells.add(s.households.spread(more))
	}
	if s.restorable(cells) {
		if err := s.restore(ctx, cells); err != nil {
			return nil, err
		}
	}
	settled, err := s.finish(ctx, s.parts(cells))
	if err != nil {
		return nil, err
	}
	return &suppressed{in: s.in, cells: cells, account: s.accounted(*settled, account)}, nil
}

// accounted returns an account with bound and iterations of that of the records by
// themselves.
func (s *solving) accounted(account method.Suppression, first *method.Suppression) *method.Suppression {
	account.Bound, account.Iterations = first.Bound, first.Iterations
	account.Proven = first.Bound != nil && *first.Bound == account.Price
	return &account
}
