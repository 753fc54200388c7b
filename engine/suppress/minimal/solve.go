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
	if err == nil && p.Rule.countsWildcards() {
		choices, err = e.restoreWildcards(ctx, withUntouched(p, missing, choices), missing, report.stage(progressTotal))
	}
	if err != nil {
		return nil, err
	}
	s := solutionOf(p, missing, choices)
	s.Bound = e.total()
	report.finish()
	return s, nil
}

// countsWildcards reports whether a missing value counts as any category for everybody.
func (r Rule) countsWildcards() bool { return r == Default || r == CategorySize }

// solve finds a solution under the conservative or the own-category rule. The choices are those of the records that
// must choose.
func (e *enumeration) solve(ctx context.Context, missing []uint64, report *progress) ([]choice, error) {
	improve, err := e.search(ctx, missing, report)
	if err != nil {
		return nil, err
	}
	return e.restored(ctx, missing, choicesOf(e.in, improve.group))
}

// search enumerates and improves the greedy solution.
func (e *enumeration) search(ctx context.Context, missing []uint64, report *progress) (*search, error) {
	stages := [...]int64{400, 600, 650, 900, 950}
	if e.p.Rule.countsWildcards() {
		stages = [...]int64{150, 200, 220, 250, 300} // giving back takes longest
	}
	if err := e.run(ctx, report.stage(stages[0])); err != nil {
		return nil, err
	}
	clusters := newClustering(e)
	if err := clusters.run(ctx, report.stage(stages[1])); err != nil {
		return nil, err
	}
	if err := e.sharpen(ctx, missing, report.stage(stages[2])); err != nil {
		return nil, err
	}
	e.in.invert()
	improve := newSearch(e.p, e.in, e.greedy.group, e.bound)
	if err := improve.run(ctx, report.stage(stages[3])); err != nil {
		return nil, err
	}
	report.stage(stages[4])
	return improve, nil
}

// restored returns the choices of a solution, with the cells given back that are blanked without need.
func (e *enumeration) restored(ctx context.Context, missing []uint64, choices []choice) ([]choice, error) {
	bound := make([]int64, e.p.keys())
	for b, it := range e.in.bundles {
		bound[it.key] = e.bound[b]
	}
	return newRestorer(e.p, e.keys, e.staying, missing, bound).run(ctx, choices)
}

// restoreWildcards gives back what need not be blank under the rules Default and CategorySize.
func (e *enumeration) restoreWildcards(ctx context.Context, choices []choice, missing []uint64, report *progress) ([]choice, error) {
	w, err := newWildcard(ctx, e.p, e.keys, choices)
	if err != nil {
		return nil, err
	}
	return w.run(ctx, choices, missing, report)
}

// total returns the lower bound on the price of any solution.
func (e *enumeration) total() int64 {
	var sum int64
	for b, it := range e.in.bundles {
		sum += (e.bound[b] - e.p.price(e.in.missing[b])) * int64(it.weight)
	}
	return sum
}
