package fileio

import (
	"context"
	"errors"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// pipeline hands the blocks of a file from the goroutine that cuts them to the
// workers that parse them.
type pipeline struct {
	*reading
	cutter *cutter
	first  *block
	start  int         // where the records start in the first block
	blocks chan *block // cut and not yet parsed
	free   chan []byte // memory of blocks that are parsed
}

// parse reads the blocks, of which the first is cut already. The error is that
// of the first block that has one, whichever was parsed first.
func (r *reading) parse(ctx context.Context, c *cutter, first *block, start int) error {
	p := &pipeline{reading: r, cutter: c, first: first, start: start,
		blocks: make(chan *block, r.workers), free: make(chan []byte, 2*r.workers+2)}
	workers := parallel.Go(func() {
		// Each of them ends by itself, and without a context that ends there is no error.
		_ = parallel.Tasks(context.Background(), r.workers, r.workers, func(_, _ int) { p.work(ctx) })
	})
	p.feed(ctx)
	workers.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if r.failed != nil {
		return r.failed.err
	}
	return nil
}

// feed cuts blocks until the file ends or an error makes more of them useless.
func (p *pipeline) feed(ctx context.Context) {
	defer close(p.blocks)
	for b := p.first; b != nil && !p.stopped(b.index) && ctx.Err() == nil; {
		p.blocks <- b
		var memory []byte
		select {
		case memory = <-p.free:
		default:
		}
		next, err := p.cutter.next(memory)
		if err != nil {
			p.fail(b.index+1, err)
			return
		}
		b = next
	}
}

// errPanic stops the cutting of blocks that nobody would parse.
var errPanic = errors.New("the reader has ended early")

// work parses blocks until there are no more.
func (p *pipeline) work(ctx context.Context) {
	ended := false
	defer func() {
		if !ended { // a panic is on its way: what is cut must not wait for somebody to take it
			p.fail(-1, errPanic)
			for range p.blocks {
				continue
			}
		}
	}()
	parser := newParser(p.reading)
	for b := range p.blocks {
		if p.stopped(b.index) {
			continue
		}
		at := 0
		if b == p.first {
			at = p.start
		}
		if err := parser.block(ctx, b, at); err != nil {
			p.fail(b.index, err)
		}
		select {
		case p.free <- b.data:
		default:
		}
	}
	ended = true
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
