package minimal

import (
	"context"
	"fmt"
)

// Solve computes suppressions of the lowest price it can find after which no record of p violates k-anonymity
// under the rule of p. Equal problems have equal solutions. onProgress, unless nil, is called with the progress
// from the goroutine that called Solve.
//
// It returns [ErrUnreachable] if there are fewer than k records, or the error of ctx soon after it is done.
func Solve(ctx context.Context, p *Problem, onProgress func(done, total int64)) (*Solution, error) {
	report := newProgress(onProgress)
	_, _, s, err := minimalOf(ctx, p, report)
	if err == nil {
		report.finish()
	}
	return s, err
}

// minimalOf is Solve. It also returns the enumeration, or nil if there is nothing to choose, and the group of each
// bundle before cells were restored.
func minimalOf(ctx context.Context, p *Problem, report *progress) (e *enumeration, group []uint32, s *Solution, err error) {
	n := p.records()
	if p.K <= 1 || n == 0 {
		return nil, nil, solutionOf(p, p.missing(), nil), nil
	}
	if n < int64(p.K) {
		return nil, nil, nil, fmt.Errorf("%w: %d records in all, but k is %d", ErrUnreachable, n, p.K)
	}
	if e = newEnumeration(p); e.nothingToDo() {
		return nil, nil, solutionOf(p, e.missing, nil), nil
	}
	improve, err := e.search(ctx, report)
	if err != nil {
		return nil, nil, nil, err
	}
	if s, err = e.finish(ctx, choicesOf(e.in, improve.group), report.stage(progressTotal)); err != nil {
		return nil, nil, nil, err
	}
	s, err = e.exact(ctx, s)
	return e, improve.group, s, err
}

// exact returns the optimum of a small file, or else the known solution, with the bound.
func (e *enumeration) exact(ctx context.Context, known *Solution) (*Solution, error) {
	s := *known
	switch {
	case e.p.Quick:
		return &s, nil
	case e.p.Rule.countsWildcards():
		choices, bound := e.wildcardOptimum(e.wildcardBound(), s.Price)
		if choices != nil && e.p.Rule == Default && e.p.Alpha == 1 {
			s = *solutionOf(e.p, e.missing, choices)
		}
		s.Bound = bound
		return &s, nil
	}
	if s.Bound = e.total(); e.records() > exactRecords {
		return &s, nil
	}
	d, err := newDual(ctx, e)
	if err != nil {
		return nil, err
	}
	choices, proven := d.optimum(s.Price)
	if len(choices) > 0 {
		if known, err = e.finish(ctx, choices, newProgress(nil)); err != nil {
			return nil, err
		}
		s.Parts, s.Price = known.Parts, known.Price
	}
	if proven {
		s.Bound = s.Price
	}
	return &s, nil
}

// finish restores cells that were suppressed unnecessarily and counts the rest. The choices are those of the
// records that must choose.
func (e *enumeration) finish(ctx context.Context, choices []choice, report *progress) (*Solution, error) {
	choices, err := newRestorer(e).run(ctx, choices)
	if err == nil && e.p.Rule.countsWildcards() {
		r := &Restoring{p: e.p, missing: e.missing, choices: withUntouched(e.p, e.missing, choices)}
		if err = r.begin(ctx, e.keys, []Combination{{e.p.full(), e.p.K}}); err == nil {
			err = r.run(ctx, report)
		}
		choices = r.choices
	}
	if err != nil {
		return nil, err
	}
	return solutionOf(e.p, e.missing, choices), nil
}

// countsWildcards reports whether a missing value is compatible with any category, also for other records.
func (r Rule) countsWildcards() bool { return r == Default || r == CategorySize }

// search enumerates groups and improves the greedy solution.
func (e *enumeration) search(ctx context.Context, report *progress) (*search, error) {
	stages := [...]int64{400, 600, 900, 950}
	if e.p.Rule.countsWildcards() {
		stages = [...]int64{150, 200, 250, 300} // restoring takes longest
	}
	if err := e.run(ctx, report.stage(stages[0])); err != nil {
		return nil, err
	}
	clusters := newClustering(e)
	if err := clusters.run(ctx, report.stage(stages[1])); err != nil {
		return nil, err
	}
	e.in.invert()
	improve := newSearch(e.p, e.in, e.greedy.group, e.bound)
	if err := improve.run(ctx, report.stage(stages[2])); err != nil {
		return nil, err
	}
	report.stage(stages[3])
	return improve, nil
}

// records returns the number of records that must choose.
func (e *enumeration) records() (sum int64) {
	for _, own := range e.in.bundles {
		sum += int64(own.weight)
	}
	return sum
}

// total returns the lower bound on the price of any solution under a rule that counts no wildcards.
func (e *enumeration) total() int64 {
	var sum int64
	for b, own := range e.in.bundles {
		sum += (e.bound[b] - e.p.price(e.in.missing[b])) * int64(own.weight)
	}
	return sum
}
