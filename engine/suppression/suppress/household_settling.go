package suppress

import (
	"context"
	"fmt"
	"slices"

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
	in, cells := s.lose(s.in, all)
	if s.households == nil {
		return &suppressed{in: in, cells: cells, account: account}, nil
	}
	spread := s.households.spread(cells)
	own, other := &way{by: s, splitting: s.split(spread)}, &way{by: s.dearer(), splitting: s.split(nil)}
	ways := []*way{own, other}
	if s.m.Algorithm != Minimal || slices.Equal(spread, cells) {
		ways = ways[:1]
	}
	err := parallel.Each(ctx, len(ways), func(i int) error { s.settleBy(ctx, ways[i]); return nil })
	if err != nil {
		return nil, err
	}
	if s.m.Algorithm == Minimal && own.err == nil && own.cost.Total != account.Total {
		if len(ways) == 1 {
			s.settleBy(ctx, other)
		}
		if other.err != nil || other.cost.Price < own.cost.Price {
			own = other
		}
	}
	if own.err != nil {
		return nil, own.err
	}
	settled, err := s.finish(ctx, own.all)
	if err != nil {
		return nil, err
	}
	return &suppressed{in: s.in, cells: own.lost(), account: s.accounted(*settled, account), households: s.households}, nil
}

// way is a way to settle: by the prices of a solving, from what is lost already.
type way struct {
	by *solving
	*splitting
	all  []solved            // the same by strata; once settled
	cost *method.Suppression // of these, without violators left; once settled
	err  error
}

// dearer returns the same with cells of shared variables at the price of all
// those of the household that a record is in, in the mean.
func (s *solving) dearer() *solving {
	return s.repriced(func(v, price int) int { return price * s.households.cellsOf(s.in.Scenario.Keys[v]) })
}

// settleBy adds the cells of the other members to those of a way, and solves again
// what is left, until no cell is added.
func (s *solving) settleBy(ctx context.Context, w *way) {
	for more := true; more && w.err == nil; {
		more, w.err = s.solveLeft(ctx, w)
	}
	if w.err == nil && s.restorable(w.splitting) {
		w.err = s.restore(ctx, w.splitting)
	}
	if w.err != nil {
		return
	}
	w.all, w.cost = w.solved(), emptyAccount(s.in.Scenario.Keys)
	for _, it := range w.all {
		it.parts.count(w.cost, s.ranks.price)
	}
}

// solveLeft solves what a way leaves, and reports whether more is lost.
func (s *solving) solveLeft(ctx context.Context, w *way) (more bool, err error) {
	again := *w.by
	if s.m.Algorithm == SDCMicro { // the order of records counts
		again.file, err = fileOf(ctx, w.lost().without(s.in), s.strataNames())
	} else {
		again.file, err = w.left(ctx, len(s.in.Scenario.Keys))
	}
	if err != nil {
		return false, err
	}
	all, err := again.solveAll(ctx, nil)
	if err != nil {
		return false, fmt.Errorf("after the suppression of whole households: %w", err)
	}
	var rows []int
	var sets []uint64
	again.eachLost(all, func(row int, set uint64) { rows, sets = append(rows, row), append(sets, set) })
	add := func(row int, set uint64) { w.change(row, w.set(row)|set) }
	for i, row := range rows {
		add(row, sets[i])
		s.households.others(row, sets[i], add)
	}
	return len(rows) > 0, nil
}

// accounted returns an account with bound and iterations of that of the records by
// themselves.
func (s *solving) accounted(account method.Suppression, first *method.Suppression) *method.Suppression {
	account.Bound, account.Iterations = first.Bound, first.Iterations
	account.Proven = first.Bound != nil && *first.Bound == account.Price
	return &account
}
