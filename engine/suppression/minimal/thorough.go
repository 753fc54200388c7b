package minimal

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Thorough is a search that continues where [Solve] ends and lowers the price further. Its work is counted in
// iterations, each the same small amount of about 2 ms or less, so that it can be stopped after any iteration and
// repeated exactly. Equal problems and equal numbers of iterations give equal solutions, whether the iterations
// are made at once or in pieces and on any number of processors. A Thorough must be used by one goroutine at a
// time.
type Thorough struct {
	p       *Problem
	minimal *Solution // result of Solve

	e          *enumeration // nil if there is nothing to choose
	shaking    *annealing
	dual       *dual             // nil if the bound cannot be raised
	raising    *parallel.Pending // raises the bound in the background; nil before the first block
	iterations int
	bound      int64
	before     int64 // price of the cells missing from the start in the records that must choose

	best    *Solution // best solution when Solution was last called
	counted int64     // lowest price of the search at that time
}

// NewThorough solves p as [Solve] does, with the same errors, and prepares the search.
func NewThorough(ctx context.Context, p *Problem, onProgress func(done, total int64)) (*Thorough, error) {
	report := newProgress(onProgress)
	e, group, minimal, err := minimalOf(ctx, p, report)
	if err != nil {
		return nil, err
	}
	t := &Thorough{p: p, e: e, minimal: minimal, bound: minimal.Bound, best: minimal, counted: minimal.Price}
	if minimal.Price <= minimal.Bound {
		t.e = nil
	} else if err := t.prepare(ctx, group); err != nil {
		return nil, err
	}
	report.finish()
	return t, nil
}

// prepare sets up the search from the groups of a solution.
func (t *Thorough) prepare(ctx context.Context, group []uint32) error {
	d, err := newDual(ctx, t.e)
	if err != nil {
		return err
	}
	if !t.p.Rule.countsWildcards() {
		t.dual = d
		t.bound = d.bound()
	}
	t.before = d.missing
	t.shaking = newShaking(d, group)
	return nil
}

// Continue makes the given number of further iterations, or fewer if the search is done before. It checks ctx
// between iterations; iterations made before its error count, and the search can be continued.
func (t *Thorough) Continue(ctx context.Context, iterations int) error {
	for range iterations {
		if err := ctx.Err(); err != nil {
			return err
		}
		if t.Done() {
			return nil
		}
		t.iterate()
	}
	return nil
}

// blockIterations is the number of iterations in a block.
const blockIterations = 32

// iterate makes one iteration. At the end of a block it collects the bound computed in the background, which does
// not depend on the speed of that computation.
func (t *Thorough) iterate() {
	if t.dual != nil && t.iterations%blockIterations == 0 {
		d, least := t.dual, t.least()
		t.raising = parallel.Go(func() { d.raise(least) })
	}
	t.iterations++
	t.shaking.run(t.iterations)
	if t.dual != nil && t.iterations%blockIterations == 0 {
		t.raising.Wait()
		t.bound = t.dual.bound()
	}
}

// least returns the lowest price found under the conservative or the own-category rule.
func (t *Thorough) least() int64 {
	least := t.shaking.best - t.before
	if !t.p.Rule.countsWildcards() {
		least = min(least, t.minimal.Price)
	}
	return least
}

// Iterations returns the number of iterations made.
func (t *Thorough) Iterations() int { return t.iterations }

// Bound returns a lower bound on the price of any solution, as [Solution.Bound] does; it may rise with the
// iterations.
func (t *Thorough) Bound() int64 { return t.bound }

// Done reports whether no improvement is possible: the price has reached the bound, or there is nothing to choose.
func (t *Thorough) Done() bool { return t.e == nil || t.least() <= t.bound }

// Solution returns the best solution so far. It is never more expensive than that of [Solve].
func (t *Thorough) Solution(ctx context.Context) (*Solution, error) {
	if t.e != nil && t.counted != t.least() {
		s, err := t.e.finish(ctx, choicesOf(t.shaking.search.in, t.shaking.bestGroup), newProgress(nil))
		if err != nil {
			return nil, err
		}
		t.counted = t.least()
		if t.best = t.minimal; s.Price < t.best.Price {
			t.best = s
		}
	}
	best := *t.best
	best.Bound = t.bound
	return &best, nil
}

// Minimal returns the solution of [Solve], from which the search began.
func (t *Thorough) Minimal() *Solution { return t.minimal }
