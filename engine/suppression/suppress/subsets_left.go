package suppress

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
)

// leftIn counts the records of groups that violate k-anonymity under three rules: first in at least one combination,
// then for each subset in its combinations.
func leftIn(ctx context.Context, groups *keys.Groups, combinations []combination,
	alpha float64) ([]method.ViolatorsLeft, error) {
	counts := groups.Counts
	violates := make([][]uint8, 2+combinations[len(combinations)-1].subset) // per group: a bit for each rule
	for i := range violates {
		violates[i] = make([]uint8, len(counts))
	}
	for _, c := range combinations {
		t, err := project(ctx, groups, crosstable.Variables(c.Set))
		if err != nil {
			return nil, err
		}
		for i, rule := range []microdata.Rule{microdata.RuleDefault, microdata.RuleConservative, microdata.RuleOwnCategory} {
			frequencies, err := t.Frequencies(ctx, rule, alpha)
			if err != nil {
				return nil, err
			}
			for group, key := range t.of {
				if frequencies.Violates(int(key), c.K) {
					violates[0][group] |= 1 << i
					violates[1+c.subset][group] |= 1 << i
				}
			}
		}
	}
	left := make([]method.ViolatorsLeft, len(violates))
	for i, marks := range violates {
		for group, rules := range marks {
			if rules != 0 {
				bit := func(rule int) int { return int(rules>>rule&1) * int(counts[group]) }
				addLeft(&left[i], method.ViolatorsLeft{Default: bit(0), Conservative: bit(1), OwnCategory: bit(2)})
			}
		}
	}
	return left, nil
}

func addLeft(to *method.ViolatorsLeft, more method.ViolatorsLeft) {
	to.Default += more.Default
	to.Conservative += more.Conservative
	to.OwnCategory += more.OwnCategory
}

// accounts adds up the violators left in the strata by subset.
func (s *strataSolver) accounts(all []stratumResult) []method.SubsetLeft {
	accounts := make([]method.SubsetLeft, len(s.m.Subsets))
	for i, subset := range s.m.Subsets {
		accounts[i] = method.SubsetLeft{Size: subset.Size, K: subset.K}
		for _, it := range all {
			addLeft(&accounts[i].Left, it.left[1+i])
		}
	}
	for _, c := range s.combinations() {
		accounts[c.subset].Combinations++
	}
	return accounts
}
