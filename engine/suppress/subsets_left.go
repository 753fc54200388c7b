package suppress

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/crosstable"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// leftInSubsets counts the records that violate in at least one combination
// after the suppression, in all and by subset, under three rules.
func (s *solving) leftInSubsets(ctx context.Context, it *stratum, p parts) (all method.Left, by []method.Left, err error) {
	groups := p.groups(it)
	by = make([]method.Left, len(s.o.Subsets))
	anywhere := make([]violation, len(groups.Counts))
	var within []violation
	combinations := s.o.Subsets.combinations(len(it.codes))
	for i, c := range combinations {
		if i == 0 || combinations[i-1].subset != c.subset {
			within = make([]violation, len(groups.Counts))
		}
		if err := s.violations(ctx, groups, c, within); err != nil {
			return all, nil, err
		}
		if i+1 == len(combinations) || combinations[i+1].subset != c.subset {
			for group, v := range within {
				anywhere[group] |= v
				v.count(&by[c.subset], groups.Counts[group])
			}
		}
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
func (s *solving) violations(ctx context.Context, groups *keys.Groups, c combination, marks []violation) error {
	own := &keys.Groups{Counts: groups.Counts}
	for _, v := range c.variables {
		own.Levels, own.Codes = append(own.Levels, groups.Levels[v]), append(own.Codes, groups.Codes[v])
	}
	t, err := keys.FromGroups(ctx, own)
	if err != nil {
		return err
	}
	for i, rule := range leftRules() {
		frequencies, err := t.Frequencies(ctx, rule, s.o.Alpha)
		if err != nil {
			return err
		}
		for group, key := range t.RowKeys() {
			if frequencies.Violates(int(key), c.k) {
				marks[group] |= 1 << i
			}
		}
	}
	return nil
}

// accounts adds up the violators left in the strata by subset.
func (s Subsets) accounts(variables int, all []solved) []method.SubsetLeft {
	accounts := make([]method.SubsetLeft, len(s))
	for i, subset := range s {
		accounts[i] = method.SubsetLeft{Size: subset.Size, K: subset.K, Combinations: crosstable.Choose(variables, subset.Size)}
		for _, it := range all {
			if it.leftIn != nil {
				accounts[i].Left.Default += it.leftIn[i].Default
				accounts[i].Left.Conservative += it.leftIn[i].Conservative
				accounts[i].Left.OwnCategory += it.leftIn[i].OwnCategory
			}
		}
	}
	return accounts
}
