package suppress

import (
	"context"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// StrataVariable is a variable of a key table that defines strata: one of its
// key variables, or one that stands behind them.
type StrataVariable struct {
	Variable int               // place in the table
	Levels   []microdata.Level // its categories, for names in errors
}

// stratifyKeys cuts a key table whose first variables are the key variables by
// the combinations of categories of the strata variables, like stratify cuts a
// file. It touches no record.
func stratifyKeys(ctx context.Context, t *keys.Table, keyVariables int, variables []StrataVariable) ([]*stratum, error) {
	cut := newCutter(t)
	var parts []*stratum
	for _, own := range keysByStratum(t, variables) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s := cut.ofKeys(own, keyVariables)
		s.label = labelOfKey(t, variables, int(own[0]))
		parts = append(parts, s)
	}
	return parts, nil
}

// keysByStratum returns the keys of each stratum, ascending; the strata are
// ordered by the codes of their variables.
func keysByStratum(t *keys.Table, variables []StrataVariable) [][]uint32 {
	order := make([]uint32, t.Keys())
	for key := range order {
		order[key] = uint32(key)
	}
	compare := func(a, b uint32) int {
		for _, v := range variables {
			codes := t.Codes(v.Variable)
			if codes[a] != codes[b] {
				return int(codes[a]) - int(codes[b])
			}
		}
		return 0
	}
	slices.SortStableFunc(order, compare)
	var strata [][]uint32
	for first := 0; first < len(order); {
		end := first + 1
		for end < len(order) && compare(order[first], order[end]) == 0 {
			end++
		}
		strata = append(strata, order[first:end])
		first = end
	}
	return strata
}

// ofKeys returns the stratum of the given keys, which no two have alike on the
// key variables. Its records are not known.
func (c *cutter) ofKeys(own []uint32, keyVariables int) *stratum {
	s := &stratum{records: []uint32{}, counts: make([]uint32, len(own))}
	for i, key := range own {
		s.counts[i] = c.t.Counts()[key]
		s.size += int(s.counts[i])
	}
	for v := range keyVariables {
		codes, all := make([]uint32, len(own)), c.t.Codes(v)
		for i, key := range own {
			codes[i] = all[key]
		}
		s.levels = append(s.levels, len(c.codes[v].renumber(codes, 1)))
		s.codes = append(s.codes, codes)
	}
	return s
}

// labelOfKey names the stratum of a key by the labels of its categories.
func labelOfKey(t *keys.Table, variables []StrataVariable, key int) string {
	labels := make([]string, len(variables))
	for i, v := range variables {
		labels[i] = "missing"
		if code := t.Codes(v.Variable)[key]; code != 0 {
			labels[i] = v.Levels[code-1].Label
		}
	}
	return strings.Join(labels, ", ")
}
