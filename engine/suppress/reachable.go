package suppress

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Reach is the largest k that is reached with few cells of one variable.
type Reach struct {
	// Step is the method that reaches it.
	Step *KAnonymity
	// Cells is the number of cells that the variable loses.
	Cells int
	// Suppression is what the step takes and leaves, linked variables left out.
	Suppression *method.Suppression
}

// Reachable returns the largest k that the algorithm Minimal reaches while a key
// variable loses so many cells at most. The variable is given the importance 1
// and all others the least, so that a cell of it costs as many of the others as
// there are key variables: the importance, k, algorithm and budget of m play no
// part. k is looked for upward in growing steps and then between the last two,
// which supposes that a larger k takes no fewer cells; that the k returned keeps
// to the number is certain. A nil meter is allowed.
//
// An error that wraps method.ErrUnreachable says how many cells k = 2 takes;
// one that wraps method.ErrParam what does not fit.
func (m *KAnonymity) Reachable(ctx context.Context, in method.Input, variable string, cells int, meter *progress.Meter) (*Reach, error) {
	step, err := m.sparing(in, variable)
	if err != nil {
		return nil, err
	}
	columns, err := keyColumns(in)
	if err != nil {
		return nil, err
	}
	t, err := keys.New(ctx, columns, nil)
	if err != nil {
		return nil, err
	}
	s, strata, err := step.prepare(ctx, t, in)
	if err != nil {
		return nil, fmt.Errorf("k-anonymity: %w", err)
	}
	r := &reaching{solving: s, strata: strata, variable: slices.Index(in.Scenario.Keys, variable), most: cells, meter: meter}
	if err := r.run(ctx); err != nil {
		return nil, fmt.Errorf("k-anonymity: %w", err)
	}
	step.K, s.o.K = r.k, r.k
	account, err := s.finish(ctx, strata, r.best)
	if err != nil {
		return nil, err
	}
	return &Reach{Step: step, Cells: account.Cells[r.variable].Count, Suppression: account}, nil
}

// sparing returns the method for k = 2 that spares a variable.
func (m *KAnonymity) sparing(in method.Input, variable string) (*KAnonymity, error) {
	names := in.Scenario.Keys
	switch {
	case !slices.Contains(names, variable):
		return nil, fmt.Errorf("%w \"variable\": %q is no key variable; key variables are %s", method.ErrParam, variable, strings.Join(names, ", "))
	case len(m.Subsets) > 0:
		return nil, fmt.Errorf("%w \"subsets\": the k that a number of cells reaches is that of all key variables together", method.ErrParam)
	case WholeHouseholds(in.Scenario):
		return nil, fmt.Errorf("%w \"variable\": cells cannot be bounded while key variables are the same for all members of a household", method.ErrParam)
	}
	step := &KAnonymity{K: 2, Algorithm: Minimal, Rule: m.Rule, Strata: m.Strata, Importance: make(map[string]int)}
	for _, name := range names {
		step.Importance[name] = len(names)
	}
	step.Importance[variable] = 1
	return step, step.check()
}

// reaching looks for the largest k.
type reaching struct {
	*solving
	strata   []*stratum
	variable int
	most     int // cells of the variable
	meter    *progress.Meter

	k    int // the largest found
	best []solved
}

// run looks for k upward in steps that grow by half, then halves the distance.
func (r *reaching) run(ctx context.Context) error {
	largest := r.strata[0].size
	for _, it := range r.strata {
		largest = min(largest, it.size)
	}
	cells, err := r.try(ctx, 2)
	if err != nil {
		return err
	}
	if r.k == 0 {
		return fmt.Errorf("k = 2 %w with %s of %s: it takes %s", method.ErrUnreachable, wording.Counted(r.most, "cell"), r.names[r.variable], wording.Number(cells))
	}
	above := 3
	for ; above <= largest; above += max(1, above/2) {
		if _, err := r.try(ctx, above); err != nil {
			return err
		}
		if r.k < above {
			break
		}
	}
	for above = min(above, largest+1); above-r.k > 1; {
		middle := r.k + (above-r.k)/2
		if _, err := r.try(ctx, middle); err != nil {
			return err
		}
		if r.k < middle {
			above = middle
		}
	}
	return nil
}

// try solves for a k and keeps the solution if the variable does not lose too
// many cells. It returns how many it loses.
func (r *reaching) try(ctx context.Context, k int) (int, error) {
	r.o.K = k
	records := 0
	for _, it := range r.strata {
		records += it.size
	}
	r.meter.Start(int64(records))
	all, err := r.solveAll(ctx, r.strata, r.meter)
	if errors.Is(err, method.ErrUnreachable) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	cells := 0
	for i := range all {
		for _, it := range all[i].parts {
			if it.set>>r.variable&1 == 1 {
				cells += int(it.count)
			}
		}
	}
	if cells <= r.most {
		r.k, r.best = k, all
	}
	return cells, nil
}
