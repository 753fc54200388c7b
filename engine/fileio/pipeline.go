package fileio

import (
	"context"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// parse reads the blocks, of which the first is cut already: one after the other
// they are cut by those who parse them. The error is that of the first block that
// has one, whichever was parsed first.
func (r *reading) parse(ctx context.Context, c *cutter, first *block, start int) error {
	var cutting sync.Mutex
	next := func(memory []byte) (b *block, at int) {
		cutting.Lock()
		defer cutting.Unlock()
		if b, at = first, start; b != nil {
			first = nil
			return b, at
		}
		if ctx.Err() != nil || r.stopped(c.index) {
			return nil, 0
		}
		b, err := c.next(memory)
		if err != nil {
			r.fail(c.index, err)
		}
		return b, 0
	}
	// Each of them ends by itself, and without a context that ends there is no error.
	_ = parallel.Tasks(context.Background(), r.workers, r.workers, func(_, _ int) {
		parser := &parser{reading: r, columns: make([]cells, len(r.variables))}
		for b, at := next(nil); b != nil; b, at = next(b.data) {
			if err := parser.block(ctx, b, at); err != nil {
				r.fail(b.index, err)
			}
		}
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if r.failed != nil {
		return r.failed.err
	}
	return nil
}

func (r *reading) fail(index int, err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.failed == nil || index < r.failed.index {
		r.failed = &failedBlock{index, err}
	}
}

// stopped reports whether an error before the block makes it useless.
func (r *reading) stopped(index int) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.failed != nil && r.failed.index < index
}

// done notes the records and the tally of a block.
func (r *reading) done(index, rows int, t tally) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for len(r.rows) <= index {
		r.rows = append(r.rows, 0)
	}
	r.rows[index] = rows
	r.tally.add(t)
}
