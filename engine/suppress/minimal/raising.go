package minimal

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// raising raises the lower bound beside a thorough search, by a batch of work in every block of iterations: steps of a
// dual and, in blocks that get rarer, branch and bound, which can find the optimum and prove it. What is found in a block
// does not depend on how fast it goes: the search waits for it at the end of the block.
type raising struct {
	dual  *dual // whose groups are gathered
	lower int64 // no solution is cheaper

	found []choice // a solution that branch and bound has found, or nil
	price int64    // of found

	batch
	underway *parallel.Pending // nil: none is
	err      error             // what ended it
}

// batch is the work of one block that is still to be done.
type batch struct {
	best  int64 // a price that is known to be possible
	steps int   // of the dual
	nodes int64 // of branch and bound
}

const (
	blockIterations = 32      // iterations in a block
	batchVisits     = 1 << 23 // members of groups that the dual's steps in a block may look at,
	batchSteps      = 64      // but no more steps than that
	blockNodes      = 16      // nodes of branch and bound, times the number of the block where that is a power of 2,
	mostNodes       = 1 << 14 // but no more than that
)

// schedule gives out the work of a block, numbered from 1. best is a price that is known to be possible.
func (r *raising) schedule(block int, best int64) {
	r.dual.aimAt(best)
	r.batch = batch{best: best, steps: max(1, min(batchSteps, batchVisits/(1+r.dual.size())))}
	if block&(block-1) == 0 {
		r.nodes = min(mostNodes, int64(block)*blockNodes)
	}
}

// start goes on with the batch, if any of it is left, while the caller does something else.
func (r *raising) start(ctx context.Context) {
	if r.underway != nil || r.steps == 0 && r.nodes == 0 {
		return
	}
	r.underway = parallel.Go(func() { r.err = r.work(ctx) })
}

// wait waits until the work under way ends and returns the error that ended it, that of its context.
func (r *raising) wait() error {
	underway := r.underway
	if underway == nil {
		return nil
	}
	r.underway = nil
	underway.Wait()
	return r.err
}

// work does the batch. What is left after an error can be done later, with the same result.
func (r *raising) work(ctx context.Context) error {
	for ; r.steps > 0; r.steps-- {
		if err := r.dual.run(ctx, 1); err != nil {
			return err
		}
	}
	r.lower = max(r.lower, r.dual.bound())
	if r.nodes == 0 || r.lower >= r.best {
		r.nodes = 0
		return nil
	}
	return r.branch(ctx)
}

// branch looks for a solution that is no dearer than the bound: there is one, which is the cheapest, or the bound can be
// raised by a step, or it takes too long. That is less work than to look for any solution that is cheaper than the best
// known.
func (r *raising) branch(ctx context.Context) error {
	step := r.dual.e.p.priceStep()
	for r.lower < r.best {
		upper := r.lower + step
		choices, lower, err := r.dual.solve(ctx, upper, r.nodes)
		if err != nil {
			return err
		}
		if choices != nil {
			r.found, r.price = choices, r.dual.priceOf(choices)
			break
		}
		if lower < upper {
			break
		}
		r.lower = upper
	}
	r.nodes = 0
	return nil
}
