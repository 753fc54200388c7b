package suppress

import (
	"context"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Whole households: what is suppressed in some key variables is suppressed for all
// members. These cells can leave violators where there were none: the file is
// solved again as it is then, until nothing more is lost; then what need not be
// lost any more is given back.

// settle returns the suppression that those of the strata come to, whose account
// is given. With whole households the bound stays that of the records by
// themselves: who must blank whole households cannot do with less. With the
// algorithm Minimal two ways are tried then, side by side, one of which prices the
// cells of shared variables by the mean size of the households that records are
// in; the cheaper counts.
func (s *solving) settle(ctx context.Context, all []solved, account *method.Suppression) (*suppressed, error) {
	if s.households == nil {
		in, cells := s.lose(s.in, all)
		return &suppressed{in: in, cells: cells, account: account}, nil
	}
	own := s.way()
	_, others := s.households.lose(own.cells, s.file, all)
	if s.households.shared() != 0 {
		var err error
		if own, account, err = s.settleTogether(ctx, own, others, account); err != nil {
			return nil, err
		}
	}
	if s.m.Algorithm != SDCMicro {
		s.households.mostFirst(own.cells, s.table.RowKeys())
	}
	return s.withBegun(&suppressed{in: s.in, cells: own.cells, account: account, households: s.households}), nil
}

// settleTogether settles what a way has lost already, of others with somebody if any, and returns the way that counts
// with its account.
func (s *solving) settleTogether(ctx context.Context, own *way, others bool, account *method.Suppression) (*way,
	*method.Suppression, error) {
	ways := []*way{own}
	if s.m.Algorithm == Minimal && others {
		ways = append(ways, s.dearer().way())
	}
	err := parallel.Each(ctx, len(ways), func(i int) error { s.settleBy(ctx, ways[i]); return nil })
	if err != nil {
		return nil, nil, err
	}
	if s.m.Algorithm == Minimal && own.err == nil && own.cost.Total != account.Total {
		if len(ways) == 1 {
			ways = append(ways, s.dearer().way())
			s.settleBy(ctx, ways[1])
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

// way is a way to settle: by the prices of a solving, from what is lost already.
type way struct {
	by    *solving
	cells lost
	all   []solved            // the same by strata; once settled
	cost  *method.Suppression // of these, without violators left; once settled
	err   error
}

// way returns a way by the prices of s on which nothing is lost yet.
func (s *solving) way() *way { return &way{by: s, cells: make(lost, s.in.Data.Len())} }

// dearer returns the same with cells of shared variables at the price of all
// those of the household that a record is in, in the mean.
func (s *solving) dearer() *solving {
	return s.repriced(func(v, price int) int { return price * s.households.cellsOf(s.in.Scenario.Keys[v]) })
}

// settleBy solves again what is left of a way and adds the cells of the other
// members, until no cell is added.
func (s *solving) settleBy(ctx context.Context, w *way) {
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

// solveLeft solves what a way leaves, and reports whether more is lost.
func (s *solving) solveLeft(ctx context.Context, w *way) (more bool, err error) {
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

// accounted returns an account with bound and iterations of that of the records by
// themselves.
func (s *solving) accounted(account method.Suppression, first *method.Suppression) *method.Suppression {
	account.Bound, account.Iterations = first.Bound, first.Iterations
	account.Proven = first.Bound != nil && *first.Bound == account.Price
	return &account
}
