package suppress

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
)

// leftIn counts the records of groups that violate in at least one combination,
// in all and by subset, under three rules.
func leftIn(ctx context.Context, groups *keys.Groups, combinations []combination, alpha float64) (all method.Left, by []method.Left, err error) {
	anywhere, within := make([]violation, len(groups.Counts)), make([]violation, len(groups.Counts))
	for i, c := range combinations {
		if err := c.violations(ctx, groups, alpha, within); err != nil {
			return all, nil, err
		}
		if i+1 < len(combinations) && combinations[i+1].subset == c.subset {
			continue
		}
		by = append(by, method.Left{})
		for group, v := range within {
			anywhere[group] |= v
			v.count(&by[c.subset], groups.Counts[group])
		}
		clear(within)
	}
	for group, v := range anywhere {
		v.count(&all, groups.Counts[group])
	}
	return all, by, nil
}

// violation says under which of the three rules a group violates.
type violation uint8

func (v violation) count(left *method.Left, records uint32) {
	left.Default += int(v&1) * int(records)
	left.Conservative += int(v>>1&1) * int(records)
	left.OwnCategory += int(v>>2&1) * int(records)
}

// violations marks the groups that violate in a combination.
func (c *combination) violations(ctx context.Context, groups *keys.Groups, alpha float64, marks []violation) error {
	t, err := project(ctx, groups, crosstable.Variables(c.Set))
	if err != nil {
		return err
	}
	for i, rule := range []microdata.Rule{microdata.RuleDefault, microdata.RuleConservative, microdata.RuleOwnCategory} {
		frequencies, err := t.Frequencies(ctx, rule, alpha)
		if err != nil {
			return err
		}
		for group, key := range t.of {
			if frequencies.Violates(int(key), c.K) {
				marks[group] |= 1 << i
			}
		}
	}
	return nil
}

func addLeft(to *method.Left, more method.Left) {
	to.Default += more.Default
	to.Conservative += more.Conservative
	to.OwnCategory += more.OwnCategory
}

// accounts adds up the violators left in the strata by subset.
func (s *solving) accounts(all []solved) []method.SubsetLeft {
	accounts := make([]method.SubsetLeft, len(s.m.Subsets))
	for i, subset := range s.m.Subsets {
		accounts[i] = method.SubsetLeft{Size: subset.Size, K: subset.K}
		for _, it := range all {
			if it.leftIn != nil {
				addLeft(&accounts[i].Left, it.leftIn[i])
			}
		}
	}
	for _, c := range s.combinations() {
		accounts[c.subset].Combinations++
	}
	return accounts
}
