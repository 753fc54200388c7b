package suppress

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/crosstable"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// leftInSubsets counts the records that violate in at least one combination
// after the suppression, in all and by subset, under three rules.
func (s *solving) leftInSubsets(ctx context.Context, it *stratum, p parts) (all method.Left, by []method.Left, err error) {
	search := &subsetCount{solving: s, stratum: it, rows: p.withUntouched(it), columns: make([]*microdata.Column, len(it.codes))}
	by = make([]method.Left, len(s.o.Subsets))
	anywhere := make([]violation, len(search.rows))
	var within []violation
	combinations := s.o.Subsets.combinations(len(it.codes))
	for i, c := range combinations {
		if i == 0 || combinations[i-1].subset != c.subset {
			within = make([]violation, len(search.rows))
		}
		if err := search.violations(ctx, c, within); err != nil {
			return all, nil, err
		}
		if i+1 == len(combinations) || combinations[i+1].subset != c.subset {
			for row, v := range within {
				anywhere[row] |= v
				v.count(&by[c.subset], search.rows[row].count)
			}
		}
	}
	for row, v := range anywhere {
		v.count(&all, search.rows[row].count)
	}
	return all, by, nil
}

// subsetCount counts the violators of combinations within one stratum.
type subsetCount struct {
	*solving
	stratum *stratum
	rows    parts
	columns []*microdata.Column // of rows, per variable; nil until asked for
}

// columnsOf returns the variables of a combination.
func (s *subsetCount) columnsOf(c combination) []*microdata.Column {
	columns := make([]*microdata.Column, len(c.variables))
	for i, v := range c.variables {
		if s.columns[v] == nil {
			s.columns[v] = s.rows.column(v, s.stratum.codes[v], s.stratum.levels[v])
		}
		columns[i] = s.columns[v]
	}
	return columns
}

// violation says under which of the three rules a row violates.
type violation uint8

func (v violation) count(left *method.Left, records uint32) {
	left.Default += int(v&1) * int(records)
	left.Conservative += int(v>>1&1) * int(records)
	left.OwnCategory += int(v>>2&1) * int(records)
}

// violations marks the rows that violate in a combination.
func (s *subsetCount) violations(ctx context.Context, c combination, marks []violation) error {
	weights := make([]float64, len(s.rows))
	for row := range weights {
		weights[row] = float64(s.rows[row].count)
	}
	t, err := keys.New(ctx, s.columnsOf(c), weights)
	if err != nil {
		return err
	}
	for i, rule := range []microdata.Rule{microdata.RuleDefault, microdata.RuleConservative, microdata.RuleOwnCategory} {
		frequencies, err := t.Frequencies(ctx, rule, s.o.Alpha)
		if err != nil {
			return err
		}
		for row, key := range t.RecordKeys() {
			if frequencies.Population[key] < float64(c.k)-tolerance {
				marks[row] |= 1 << i
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
