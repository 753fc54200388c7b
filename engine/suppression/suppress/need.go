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

// mostK returns the largest k that is asked for.
func (m *KAnonymity) mostK() int {
	if len(m.Subsets) > 0 {
		return slices.MaxFunc(m.Subsets, func(a, b Subset) int { return cmp.Compare(a.K, b.K) }).K
	}
	return m.K
}

// Need returns what the algorithm minimal would suppress on a key table, which may
// be one that a recode not yet made would give: cells per variable, price, bound
// and violators left. The key variables of the scenario are the first variables of
// the table; behind them it may have others that define strata. Of the scenario
// alpha counts besides, of m not the strata. It touches no record and costs time
// in the number of distinct keys. An error that wraps method.ErrUnreachable says
// why there is no solution.
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

// NeedOfData is Need on data, with the strata of m or of the scenario: where whole
// households lose cells, of which a key table knows nothing. It costs time in the
// number of records.
func (m *KAnonymity) NeedOfData(ctx context.Context, in method.Input) (*method.Suppression, error) {
	found, err := m.solve(ctx, in, nil)
	if err != nil {
		return nil, err
	}
	return found.account, nil
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
