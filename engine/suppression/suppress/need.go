package suppress

import (
	"cmp"
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/suppression/minimal"
)

// mostK returns the largest k required.
func (m *KAnonymity) mostK() int {
	if len(m.Subsets) > 0 {
		return slices.MaxFunc(m.Subsets, func(a, b Subset) int { return cmp.Compare(a.K, b.K) }).K
	}
	return m.K
}

// Need returns what the algorithm minimal would suppress on a key table, for example that of a recode not yet
// applied: cells per variable, price, bound and violators left. The first variables of the table must be the key
// variables of the scenario; further ones may define strata. It uses only Alpha from the scenario besides, and
// ignores the strata of m. The time depends on the number of key patterns, not of records. An error that wraps
// method.ErrUnreachable explains why there is no solution.
func (m *KAnonymity) Need(ctx context.Context, t *keys.Table, scenario *microdata.Scenario,
	strata []StrataVariable) (*method.Suppression, error) {
	f, err := newFile(ctx, t, len(scenario.Keys), strata)
	if err != nil {
		return nil, err
	}
	minimal := *m
	minimal.Algorithm = Minimal
	s, err := minimal.on(f, method.Input{Scenario: scenario})
	if err != nil {
		return nil, err
	}
	_, suppression, err := s.run(ctx, nil)
	return suppression, err
}

// NeedOfData is Need on data, with the strata of m or of the scenario. It is required if whole households lose
// cells, which a key table cannot represent. The time is proportional to the number of records.
func (m *KAnonymity) NeedOfData(ctx context.Context, in method.Input) (*method.Suppression, error) {
	found, err := m.solve(ctx, in, nil)
	if err != nil {
		return nil, err
	}
	return found.account, nil
}

// protection returns the solver's suppression rule. Under the rule conservative-2 a record is safe if k records
// have the identical key pattern, as under own-category.
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

// bounded reports whether the solver's bound is valid for the rule. Under rules that count suppressed cells for
// other records, fewer cells can be sufficient.
func bounded(rule microdata.Rule) bool {
	return rule != microdata.RuleDefault && rule != microdata.RuleCategorySize
}
