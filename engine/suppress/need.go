package suppress

import (
	"context"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/suppress/minimal"
)

// ErrStrata reports that Need cannot tell what k-anonymity needs in each
// stratum: a key table does not say which stratum a record is in. It wraps
// method.ErrInput.
var ErrStrata = fmt.Errorf("k-anonymity %w: what it needs in strata is not known on the key table; apply the step", method.ErrInput)

// NeedOptions says which k-anonymity is wanted.
type NeedOptions struct {
	K          int
	Rule       microdata.Rule // protection rule; "" is conservative
	Alpha      float64        // of the scenario: for the default rule, and for the violators left under it
	Importance map[string]int // 1 = most important; nil: see KAnonymity
	Subsets    Subsets        // in every combination of so many key variables k is to hold; nil: k of all together
	Strata     []string       // of the scenario: where there are any, the answer is ErrStrata
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
// variable, price, bound and violators left. names are the table's variables.
// It touches no record and costs time in the number of distinct keys. An error
// that wraps method.ErrUnreachable says why there is no solution; with strata
// the error is ErrStrata.
func Need(ctx context.Context, t *keys.Table, names []string, o NeedOptions) (*method.Suppression, error) {
	if len(o.Strata) > 0 {
		return nil, ErrStrata
	}
	if o.Rule == "" {
		o.Rule = microdata.RuleConservative
	}
	s, err := newSolving(t, names, Minimal, o)
	if err != nil {
		return nil, err
	}
	_, suppression, err := s.run(ctx, []*stratum{wholeFile(t, nil)}, nil)
	return suppression, err
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
// that count blanks for everybody fewer cells can do.
func bounded(rule microdata.Rule) bool {
	return rule != microdata.RuleDefault && rule != microdata.RuleCategorySize
}
