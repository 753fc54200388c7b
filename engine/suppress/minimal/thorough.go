package minimal

import (
	"context"
	"fmt"
	"slices"
)

// iterationWork is the work of one iteration of a thorough search: members of groups looked at.
const iterationWork = 1 << 17

// Thorough is a search that begins where [Solve] ends and lowers the price further. Its work is counted in iterations,
// each the same small amount, so that it can be stopped after any of them and repeated exactly: equal problems and
// equal numbers of iterations give equal solutions, whether the iterations are made at once or in pieces and on any
// number of processors. It belongs to one goroutine at a time.
type Thorough struct {
	p       *Problem
	missing []uint64
	minimal *Solution // what Solve returns

	e          *enumeration // nil where there is nothing to choose
	shaking    *shaking
	raising    *raising // nil where the bound is of no use
	iterations int
	scheduled  int // the iteration at the end of the block for which raising has a batch
	bound      int64
	home       int64 // price of what is missing from the start in the records that must choose

	best     *Solution // of the best groups so far
	restored int       // which best groups that is; see shaking.bests
}

// NewThorough solves p as [Solve] does, with its errors, and prepares the search.
func NewThorough(ctx context.Context, p *Problem, onProgress func(done, total int64)) (*Thorough, error) {
	if err := p.validate(); err != nil {
		return nil, err
	}
	t := &Thorough{p: p, missing: p.missing()}
	n := p.records()
	if p.K <= 1 || n == 0 {
		t.minimal = solutionOf(p, t.missing, nil)
		t.best = t.minimal
		return t, nil
	}
	if n < int64(p.K) {
		return nil, fmt.Errorf("%w: %d records in all, but k is %d", ErrUnreachable, n, p.K)
	}
	report := newProgress(onProgress)
	e := newEnumeration(p)
	improve, err := e.search(ctx, t.missing, report)
	if err != nil {
		return nil, err
	}
	t.e, t.bound = e, e.total()
	if t.minimal, err = t.finish(ctx, e.in, improve.group, report.stage(progressTotal)); err != nil {
		return nil, err
	}
	t.best, t.home = t.minimal, t.homePrice()
	t.shaking = newShaking(p, improve)
	if !p.Rule.countsWildcards() {
		t.raising = newRaising(e, t.missing)
	}
	report.finish()
	return t, nil
}

// finish gives back what a solution blanks without need and counts the rest.
func (t *Thorough) finish(ctx context.Context, in *instance, group []uint32, report *progress) (*Solution, error) {
	choices, err := t.e.restored(ctx, t.missing, in, group)
	if err == nil && t.p.Rule.countsWildcards() {
		choices, err = t.e.restoreWildcards(ctx, withUntouched(t.p, t.missing, choices), t.missing, report)
	}
	if err != nil {
		return nil, err
	}
	return solutionOf(t.p, t.missing, choices), nil
}

// Continue makes so many iterations more, fewer where it is done before. It looks at ctx between iterations; those that
// were made before its error count, and the search can be continued.
func (t *Thorough) Continue(ctx context.Context, iterations int) error {
	defer t.rest()
	for range iterations {
		if err := ctx.Err(); err != nil {
			return err
		}
		if t.Done() {
			return nil
		}
		if err := t.iterate(ctx); err != nil {
			return err
		}
	}
	return nil
}

// rest waits for the work that goes on beside the search. What is left of it is done when the search goes on.
func (t *Thorough) rest() {
	if t.raising != nil {
		_ = t.raising.wait()
	}
}

// iterate makes one iteration. The last of a block takes over the bound that was found meanwhile.
func (t *Thorough) iterate(ctx context.Context) error {
	if t.raising != nil {
		if t.iterations%blockIterations == 0 && t.scheduled <= t.iterations {
			t.raising.schedule(t.least())
			t.scheduled = t.iterations + blockIterations
		}
		t.raising.start(ctx)
		if (t.iterations+1)%blockIterations == 0 {
			if err := t.raising.wait(); err != nil {
				return err
			}
			t.bound = max(t.bound, t.raising.dual.bound())
		}
	}
	t.iterations++
	t.shaking.run(int64(t.iterations) * iterationWork)
	return nil
}

// least returns the lowest price found under the conservative or the own-category rule.
func (t *Thorough) least() int64 {
	if t.p.Rule.countsWildcards() {
		return t.shaking.best - t.home
	}
	return min(t.minimal.Price, t.shaking.best-t.home)
}

// Iterations returns the number of iterations made.
func (t *Thorough) Iterations() int { return t.iterations }

// Bound returns a lower bound on the price of any solution, as [Solution.Bound] is; it may rise with the iterations.
func (t *Thorough) Bound() int64 { return t.bound }

// Done reports whether nothing more can be gained: the price has met the bound, or there is nothing to choose.
func (t *Thorough) Done() bool { return t.e == nil || t.least() <= t.bound }

// homePrice returns the price of what is missing from the start in the records that must choose.
func (t *Thorough) homePrice() int64 {
	var sum int64
	for b, it := range t.e.in.bundles {
		sum += t.p.price(t.e.in.home[b]) * int64(it.weight)
	}
	return sum
}

// Solution returns the best solution so far; it is never dearer than that of [Solve].
func (t *Thorough) Solution(ctx context.Context) (*Solution, error) {
	if t.e == nil {
		return t.best, nil
	}
	if t.restored == t.shaking.bests {
		return t.best.bounded(t.bound), nil
	}
	s, err := t.finish(ctx, t.shaking.search.in, slices.Clone(t.shaking.bestGroup), newProgress(nil))
	if err != nil {
		return nil, err
	}
	t.restored = t.shaking.bests
	if t.best = t.minimal; s.Price < t.best.Price {
		t.best = s
	}
	return t.best.bounded(t.bound), nil
}
