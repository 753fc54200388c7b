package suppress

import (
	"context"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// settling makes k hold while what is suppressed in some key variables is
// suppressed for all members of a household. These cells can leave violators
// where there were none: the file is solved again as it is then, until nothing
// more is lost; then what need not be lost any more is given back.
type settling struct {
	*solving
	in         method.Input
	households *households
	plain      *solving   // with the prices that count
	strata     []*stratum // of the file as it is before the step
	defining   []string   // variables that define strata
}

// settle returns the cells to blank and their account, given those of the
// records by themselves. The bound stays that of the records by themselves: who
// must blank whole households cannot do with less. With the algorithm Minimal
// two ways are tried, one of which prices the cells of shared variables by the
// mean size of the households that records are in; the cheaper counts.
func (m *KAnonymity) settle(ctx context.Context, in method.Input, s *solving, strata []*stratum,
	first blanks, account *method.Suppression) (blanks, *method.Suppression, error) {
	if !WholeHouseholds(in.Scenario) {
		return first, account, nil
	}
	h, err := householdsOf(in)
	if err != nil {
		return nil, nil, err
	}
	it := &settling{s, in, h, s, strata, m.strata(in.Scenario)}
	cells, settled, err := it.settle(ctx, first, account)
	if err != nil || m.Algorithm != Minimal || settled.Total == account.Total {
		return cells, settled, err
	}
	dearer := *it
	dearer.solving = s.dearer(h)
	other, otherSettled, err := dearer.settle(ctx, make(blanks, len(first)), account)
	if err == nil && otherSettled.Price < settled.Price {
		return other, otherSettled, nil
	}
	return cells, settled, err
}

// dearer returns the same with cells of shared variables at the price of all
// those of the household that a record is in, in the mean.
func (s *solving) dearer(h *households) *solving {
	return s.repriced(func(v, price int) int { return price * h.cellsOf(s.names[v]) })
}

// settle adds the cells of the other members to those given, and solves again
// what is left, until no cell is added.
func (s *settling) settle(ctx context.Context, cells blanks, account *method.Suppression) (blanks, *method.Suppression, error) {
	cells = s.households.spread(cells)
	for {
		more, err := s.again(ctx, cells)
		if err != nil {
			return nil, nil, err
		}
		if !slices.ContainsFunc(more, func(b *microdata.Bits) bool { return b != nil }) {
			break
		}
		more = s.households.spread(more)
		for v := range cells {
			cells[v] = cells[v].Union(more[v])
		}
	}
	if s.restorable(cells) {
		restored, err := s.restore(ctx, cells)
		if err != nil {
			return nil, nil, err
		}
		cells = restored
	}
	settled, err := s.accountOf(ctx, cells, account)
	return cells, settled, err
}

// again solves the file without the cells.
func (s *settling) again(ctx context.Context, cells blanks) (blanks, error) {
	columns, err := keyColumns(s.in)
	if err != nil {
		return nil, err
	}
	columns = cells.without(columns)
	t, err := keys.New(ctx, columns, nil)
	if err != nil {
		return nil, err
	}
	strata, err := stratify(ctx, s.in, t, columns, s.defining)
	if err != nil {
		return nil, err
	}
	all, err := s.solveAll(ctx, strata, nil)
	if err != nil {
		return nil, fmt.Errorf("after the suppression of whole households: %w", err)
	}
	return s.blanks(strata, all, t.Records()), nil
}

// accountOf counts what the cells take and leave. Bound and iterations are
// those of the account of the records by themselves.
func (s *settling) accountOf(ctx context.Context, cells blanks, first *method.Suppression) (*method.Suppression, error) {
	all := make([]solved, len(s.strata))
	for i, it := range s.strata {
		all[i].parts = cells.parts(it)
	}
	account, err := s.plain.finish(ctx, s.strata, all)
	if err != nil {
		return nil, err
	}
	account.Bound, account.Iterations = first.Bound, first.Iterations
	account.Proven = first.Bound != nil && *first.Bound == account.Price
	return account, nil
}
