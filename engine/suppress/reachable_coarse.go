package suppress

import (
	"context"
	"slices"
)

// longestSplit is the product of k and the number of distinct keys up to which
// categories are protected by the search for few cells: it takes seconds there,
// and ever longer beyond.
const longestSplit = 80_000_000

// protect solves strata for k by the search for few cells, or by blanking whole
// variables where that would take long.
func (r *reaching) protect(ctx context.Context, strata []*stratum) ([]solved, error) {
	work := 0
	for _, it := range strata {
		work += len(it.counts) * r.o.K
	}
	if work <= longestSplit {
		return r.solveAll(ctx, strata, r.meter)
	}
	all := make([]solved, len(strata))
	for i, it := range strata {
		all[i].parts = it.wholeVariables(r.ranks.order, r.o.K)
	}
	return all, ctx.Err()
}

// wholeVariables returns a suppression of all cells of some variables after which
// k records share every key: from the most important variable on, each stays that
// leaves every combination with those that stay k records. A missing value is a
// category of its own. order has the least important variable first.
func (s *stratum) wholeVariables(order []int, k int) parts {
	groups, blanked := make([]int, len(s.counts)), uint64(0) // groups: per key, on the variables that stay
	for i := len(order) - 1; i >= 0; i-- {
		finer, records := s.cross(groups, order[i])
		if slices.Min(records) < k {
			blanked |= 1 << order[i]
		} else {
			groups = finer
		}
	}
	var p parts
	for key := range s.counts {
		set := blanked
		for v, codes := range s.codes {
			if codes[key] == 0 {
				set &^= 1 << v
			}
		}
		if set != 0 {
			p = append(p, part{key: uint32(key), set: set, count: s.counts[key]})
		}
	}
	return p
}

// cross cuts groups of keys by the categories of a variable, and counts their
// records.
func (s *stratum) cross(groups []int, variable int) (finer, records []int) {
	type cell struct {
		group int
		code  uint32
	}
	cells := map[cell]int{}
	finer = make([]int, len(groups))
	for key, code := range s.codes[variable] {
		c := cell{groups[key], code}
		place, known := cells[c]
		if !known {
			place = len(records)
			cells[c], records = place, append(records, 0)
		}
		finer[key] = place
		records[place] += int(s.counts[key])
	}
	return finer, records
}
