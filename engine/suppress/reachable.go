package suppress

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Reach is a large k that is reached with few cells of one variable.
type Reach struct {
	// K is what is reached; 0 for a file without records.
	K int
	// Largest says that no larger k can be reached with these cells of the
	// variable by any suppression.
	Largest bool
	// Most is a k that no suppression with these cells exceeds.
	Most int
	// Cells is the number of cells that the variable loses.
	Cells int
	// Suppression is what is taken and left, linked variables left out.
	Suppression *method.Suppression

	step  *KAnonymity
	cells blanks
}

// Reachable returns a k that local suppression reaches while a key variable
// loses so many cells at most. The variable is given the importance 1 and all
// others the least, so that a cell of it costs as many of the others as there are
// key variables: the importance, k, algorithm and budget of m play no part.
//
// Under the rules conservative, conservative-2 and own-category the k follows
// from the sizes of the variable's categories: those of fewer than k records
// must lose all their cells, and under the last two k records must then be without
// a value together. The largest k that this allows is reached by protecting each
// category by itself. Under the rules default and
// category-size, where blanks protect others, larger ones are tried as well, at most
// some thirty of them, fewer in large files, and Largest is mostly false. Of two suppressions for the same k
// the one of the lower price is returned. In files so large that the search for
// few cells would take minutes for a k, whole variables are blanked by category
// in its place. A nil meter is allowed.
//
// An error that wraps method.ErrUnreachable says how many cells k = 2 takes;
// one that wraps method.ErrParam what does not fit.
func (m *KAnonymity) Reachable(ctx context.Context, in method.Input, variable string, cells int, meter *progress.Meter) (*Reach, error) {
	step, err := m.sparing(in, variable)
	if err != nil {
		return nil, err
	}
	t, err := keyTable(ctx, in)
	if err != nil {
		return nil, err
	}
	s, strata, err := step.prepare(ctx, t, in)
	if err != nil {
		return nil, fmt.Errorf("k-anonymity: %w", err)
	}
	r := &reaching{solving: s, in: in, table: t, strata: strata, defining: step.strata(in.Scenario),
		variable: slices.Index(in.Scenario.Keys, variable), most: cells, meter: meter}
	if t.Records() == 0 {
		account, err := s.finish(ctx, strata, make([]solved, len(strata)))
		return &Reach{Suppression: account, step: step, cells: make(blanks, t.Variables())}, err
	}
	if err := r.run(ctx); err != nil {
		return nil, fmt.Errorf("k-anonymity: %w", err)
	}
	step.K = r.k
	return &Reach{K: r.k, Largest: r.k == r.bound, Most: r.bound, Cells: r.account.Cells[r.variable].Count,
		Suppression: r.account, step: step, cells: r.cells}, nil
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
	in       method.Input
	table    *keys.Table
	strata   []*stratum
	defining []string // variables that define strata
	variable int
	most     int // cells of the variable
	meter    *progress.Meter

	spent   int   // cost of the searches so far
	bound   int   // no suppression reaches a larger k
	price   int64 // which no suppression for the k tried last undercuts
	k       int   // the largest reached; 0: none
	cells   blanks
	account *method.Suppression
}

// longestSearch is how much searches for few cells may cost in all: they take some
// seconds then. One costs about as many comparisons as k and a constant times the
// number of distinct keys.
const (
	longestSearch = 80_000_000
	searchBeside  = 100
)

// affordable reports whether a search for k is within the cost that is left, and
// takes it off.
func (r *reaching) affordable(k int) bool {
	cost := (k + searchBeside) * r.table.Keys()
	if cost > longestSearch-r.spent {
		return false
	}
	r.spent += cost
	return true
}

// mostTries is the number of k that are tried at most where blanks protect
// others: one per halving of the number of records, and the refinement.
const mostTries = 32

// run finds the k that the sizes of the categories allow, and tries larger ones
// where the rule leaves that open.
func (r *reaching) run(ctx context.Context) error {
	sizes := r.sizes()
	smallest := r.strata[0].size
	for _, it := range r.strata {
		smallest = min(smallest, it.size)
	}
	if smallest < 2 {
		return fmt.Errorf("k = 2 %w for any record: %s", method.ErrUnreachable, wording.ThereAre(smallest, "record"))
	}
	sure, err := sizes.largest(ctx, r.most, smallest)
	if err != nil {
		return err
	}
	tries := 2
	if r.bound = sure; !bounded(r.o.Rule) {
		tries = mostTries
		r.bound = sizes.open(r.most, smallest)
	}
	r.meter.Start(int64(tries) * int64(r.table.Records()))
	if err := r.above(ctx, sure); err != nil || r.k > 0 {
		return err
	}
	return r.atMost(ctx, sizes, sure)
}

// atMost takes the k that the sizes of categories allow.
func (r *reaching) atMost(ctx context.Context, sizes sizes, k int) error {
	cells, err := 0, error(nil)
	if k < 2 || r.affordable(k) {
		cells, err = r.try(ctx, max(2, k))
	}
	if err == nil && k >= 2 {
		err = r.split(ctx, sizes, k)
	}
	if err == nil && r.k == 0 {
		err = fmt.Errorf("k = 2 %w with %s of %s: it takes %s", method.ErrUnreachable,
			wording.Counted(r.most, "cell"), r.names[r.variable], wording.Number(cells))
	}
	return err
}

// above tries k between one that is reached for certain and the bound: halves
// of the bound, and then between one that is reached and one that is not. That
// a k fails does not mean that larger ones do, or that smaller ones do not.
func (r *reaching) above(ctx context.Context, sure int) error {
	fails := r.bound + 1
	for k := r.bound; k > max(1, sure) && r.k == 0; k /= 2 {
		if !r.affordable(k) {
			fails = k
			continue
		}
		if _, err := r.try(ctx, k); err != nil {
			return err
		}
		if r.k == 0 {
			fails = k
		}
	}
	if r.k == 0 {
		return nil
	}
	for refined := 0; refined < 8 && fails-r.k > 1; refined++ {
		middle := r.k + (fails-r.k)/2
		if !r.affordable(middle) {
			return nil
		}
		if _, err := r.try(ctx, middle); err != nil {
			return err
		}
		if r.k < middle {
			fails = middle
		}
	}
	return nil
}

// try solves for a k and keeps the solution if the variable does not lose too
// many cells. It returns how many it loses.
func (r *reaching) try(ctx context.Context, k int) (int, error) {
	r.o.K = k
	all, err := r.solveAll(ctx, r.strata, r.meter)
	if err != nil {
		return 0, err
	}
	cells := 0
	r.price = 0
	for i := range all {
		r.price += all[i].bound
		for _, it := range all[i].parts {
			if it.set>>r.variable&1 == 1 {
				cells += int(it.count)
			}
		}
	}
	if cells > r.most {
		return cells, nil
	}
	return cells, r.keep(ctx, k, r.blanks(r.strata, all, r.table.Records()), all)
}

// keep keeps a solution for a k if it is better than the one before: a larger k,
// or a lower price. all are its parts by stratum.
func (r *reaching) keep(ctx context.Context, k int, cells blanks, all []solved) error {
	account, err := r.finish(ctx, r.strata, all)
	if err != nil {
		return err
	}
	if k == r.k && account.Price >= r.account.Price {
		return nil
	}
	r.k, r.cells, r.account = k, cells, account
	return nil
}

// alone reports whether a record that has lost everything is safe only among k
// of its like: under the other rules it agrees with every record.
func (r *reaching) alone() bool {
	rule := microdata.Rule(r.o.Rule)
	return rule == microdata.RuleConservative2 || rule == microdata.RuleOwnCategory
}
