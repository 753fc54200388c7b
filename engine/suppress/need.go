package suppress

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/suppress/minimal"
)

// NeedOptions says which k-anonymity is wanted.
type NeedOptions struct {
	K          int
	Rule       microdata.Rule // protection rule; "" is conservative
	Alpha      float64        // of the scenario: for the default rule, and for the violators left under it
	Importance map[string]int // 1 = most important; nil: see KAnonymity
	Subsets    Subsets        // in every combination of so many key variables k is to hold; nil: k of all together

	Strata      []StrataVariable // of the table, in whose combinations of categories k is reached separately; none: the file as a whole
	StrataNames []string         // their names, for errors
}

// mostK returns the largest k that is asked for.
func (o *NeedOptions) mostK() int {
	if len(o.Subsets) > 0 {
		return o.Subsets.largest()
	}
	return o.K
}

// Need returns what KAnonymity with the algorithm minimal would suppress on a
// key table, which may be one that a recode not yet made would give: cells per
// variable, price, bound and violators left. names are the key variables, the
// first variables of the table; behind them it may have others that define
// strata. It touches no record and costs time in the number of distinct keys. An
// error that wraps method.ErrUnreachable says why there is no solution.
func Need(ctx context.Context, t *keys.Table, names []string, o NeedOptions) (*method.Suppression, error) {
	s, err := newSolving(t, names, Minimal, o)
	if err != nil {
		return nil, err
	}
	strata := []*stratum{wholeFile(t, nil)}
	if len(o.Strata) > 0 {
		if strata, err = stratifyKeys(ctx, t, len(names), o.Strata); err == nil {
			err = checkSizes(strata, o.StrataNames, o.mostK())
		}
		if err != nil {
			return nil, err
		}
	}
	_, suppression, err := s.run(ctx, strata, nil)
	return suppression, err
}

// NeedOfData is Need on data, with the strata of the scenario: for scenarios in
// which whole households lose cells, of which a key table knows nothing. It costs
// time in the number of records; the strata of the options play no part.
func NeedOfData(ctx context.Context, in method.Input, o NeedOptions) (*method.Suppression, error) {
	t, err := keyTable(ctx, in)
	if err != nil {
		return nil, err
	}
	m := &KAnonymity{K: o.K, Algorithm: Minimal, Rule: string(o.Rule), Importance: o.Importance, Subsets: o.Subsets}
	_, _, account, err := m.solve(ctx, t, in, nil)
	return account, err
}

// protection returns the solver's name of a protection rule. Under the rule
// conservative-2 a record is safe where k records share the identical key, as
// under own-category.
func protection(rule microdata.Rule) minimal.Rule {
	switch rule {
	case microdata.RuleDefault:
		return minimal.Default
	case microdata.RuleCategorySize:
		return minimal.CategorySize
	case microdata.RuleConservative2, microdata.RuleOwnCategory:
		return minimal.OwnCategory
	default:
		return minimal.Conservative
	}
}

// bounded reports whether the solver's bound holds for the rule: under rules
// under which a blank counts for other records fewer cells can do.
func bounded(rule microdata.Rule) bool {
	return rule != microdata.RuleDefault && rule != microdata.RuleCategorySize
}
