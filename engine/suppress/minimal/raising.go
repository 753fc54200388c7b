package minimal

import "context"

// raising raises the lower bound beside a thorough search, a batch of a dual's steps in every block of iterations. How
// far it is after a block does not depend on how fast it went: the search waits for the batch at the end of the block.
type raising struct {
	dual    *dual
	sized   bool          // the batch has a size
	pending int           // steps of the batch that are still to be made
	done    chan struct{} // closed when the work under way ends; nil: none is
	err     error         // what ended it
}

const (
	blockIterations = 32      // iterations in a block
	batchVisits     = 1 << 22 // members of groups that a batch may look at,
	batchSteps      = 64      // but no more steps than that
)

// newRaising prepares raising the bound of e's problem.
func newRaising(e *enumeration, missing []uint64) *raising {
	return &raising{dual: newDual(e, missing)}
}

// schedule begins a batch; best is a price that is known to be possible.
func (r *raising) schedule(best int64) {
	r.dual.aimAt(best)
	r.sized = false
}

// start goes on with the batch, if any of it is left, while the caller does something else.
func (r *raising) start(ctx context.Context) {
	if r.done != nil || r.sized && r.pending == 0 {
		return
	}
	done := make(chan struct{})
	r.done = done
	go func() {
		defer close(done)
		r.err = r.work(ctx)
	}()
}

// wait waits until the work under way ends and returns the error that ended it, that of its context.
func (r *raising) wait() error {
	if r.done == nil {
		return nil
	}
	<-r.done
	r.done = nil
	return r.err
}

// work makes the steps of the batch.
func (r *raising) work(ctx context.Context) error {
	if !r.sized {
		if err := r.dual.run(ctx, 0); err != nil { // gathers the groups the first time
			return err
		}
		r.pending = max(1, min(batchSteps, batchVisits/(1+r.dual.size())))
		r.sized = true
	}
	for ; r.pending > 0; r.pending-- {
		if err := r.dual.run(ctx, 1); err != nil {
			return err
		}
	}
	return nil
}
