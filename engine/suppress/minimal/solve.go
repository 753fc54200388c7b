package minimal

import (
	"context"
	"fmt"
)

// Solve finds suppressions after which no record of p violates k-anonymity under p's rule, at a price as low as it
// can. Equal problems have equal solutions. onProgress, unless nil, is told how much of the work is done; it is called
// from the goroutine that called Solve.
//
// Errors: [ErrProblem] where the parts of p do not fit together, [ErrUnreachable] where there are fewer than k records,
// or the error of ctx soon after it is done.
func Solve(ctx context.Context, p *Problem, onProgress func(done, total int64)) (*Solution, error) {
	if err := p.validate(); err != nil {
		return nil, err
	}
	missing := p.missing()
	n := p.records()
	if p.K <= 1 || n == 0 {
		return solutionOf(p, missing, nil), nil
	}
	if n < int64(p.K) {
		return nil, fmt.Errorf("%w: %d records in all, but k is %d", ErrUnreachable, n, p.K)
	}
	report := newProgress(onProgress)
	e := newEnumeration(p)
	choices, err := e.solve(ctx, missing, report)
	if err != nil {
		return nil, err
	}
	if p.Rule == Default || p.Rule == CategorySize {
		all := withUntouched(p, missing, choices)
		if choices, err = newWildcard(p, e.keys, all).run(ctx, all, missing, report); err != nil {
			return nil, err
		}
	}
	s := solutionOf(p, missing, choices)
	s.Bound = e.total()
	report.finish()
	return s, nil
}

// solve finds a solution under the conservative or the own-category rule. The choices are those of the records that
// must choose.
func (e *enumeration) solve(ctx context.Context, missing []uint64, report *progress) ([]choice, error) {
	if err := e.run(ctx, report.stage(400)); err != nil {
		return nil, err
	}
	clusters := newClustering(e)
	if err := clusters.run(ctx, report.stage(600)); err != nil {
		return nil, err
	}
	e.in.invert()
	improve := newSearch(e.in, clusters.group, e.bound, e.p.priceStep())
	if err := improve.run(ctx, report.stage(900)); err != nil {
		return nil, err
	}
	bound := make([]int64, e.p.keys())
	for b, it := range e.in.bundles {
		bound[it.key] = e.bound[b]
	}
	report.stage(progressTotal)
	back := newRestorer(e.p, e.keys, e.staying, missing, bound)
	return back.run(ctx, choicesOf(e.in, improve.group))
}

// total returns the lower bound on the price of any solution.
func (e *enumeration) total() int64 {
	var sum int64
	for b, it := range e.in.bundles {
		sum += (e.bound[b] - e.p.price(e.in.home[b])) * int64(it.weight)
	}
	return sum
}
