package minimal

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// raising raises the lower bound beside a thorough search, by steps of a dual in every block of iterations. What is
// reached in a block does not depend on how fast it goes: the search waits for it at the end of the block.
type raising struct {
	dual     *dual             // whose groups are gathered
	steps    int               // of the block that are still to be made
	underway *parallel.Pending // nil: none are
	err      error             // what ended them
}

const (
	blockIterations = 32      // iterations in a block
	raisingVisits   = 1 << 23 // members of groups that the dual's steps in a block may look at,
	raisingSteps    = 64      // but no more steps than that
)

// schedule gives out the steps of a block. best is a price that is known to be possible.
func (r *raising) schedule(best int64) {
	r.dual.aimAt(best)
	r.steps = max(1, min(raisingSteps, raisingVisits/(1+r.dual.size())))
}

// start goes on with the steps, if any are left, while the caller does something else.
func (r *raising) start(ctx context.Context) {
	if r.underway != nil || r.steps == 0 {
		return
	}
	r.underway = parallel.Go(func() {
		for r.err = nil; r.steps > 0; r.steps-- {
			if r.err = r.dual.run(ctx, 1); r.err != nil {
				return
			}
		}
	})
}

// wait waits until the steps under way end and returns the error that ended them, that of their context. What is left
// after an error can be done later, with the same result.
func (r *raising) wait() error {
	underway := r.underway
	if underway == nil {
		return nil
	}
	r.underway = nil
	underway.Wait()
	return r.err
}
