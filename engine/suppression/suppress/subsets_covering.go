package suppress

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
)

// A record may keep only values that at least k records share. Every set of key variables on which fewer records
// with values agree with a record must therefore lose one of its variables. The cheapest variables that include
// one of each such set are the record's cover. The prices of the covers in the original file add up to a lower
// bound, because suppression only reduces the number of records that agree. Suppressing the covers is also a first
// step towards a solution.

// coverTables lists the sets of variables up to the size of the largest combination, each with the number of
// records that is too few. Sizes with too many sets are left out.
func (s Subsets) coverTables(variables int) []crosstable.Table {
	var tables []crosstable.Table
	for size := variables; size >= 1; size-- {
		k := 0
		for _, subset := range s {
			if subset.Size >= size {
				k = max(k, subset.K)
			}
		}
		sets, ok := crosstable.Choices(variables, size)
		if k == 0 || !ok || len(tables)+len(sets) > crosstable.Most {
			continue
		}
		for _, set := range sets {
			tables = append(tables, crosstable.Table{Set: set, Threshold: k - 1})
		}
	}
	return crosstable.Sorted(tables)
}

// cover suppresses the covers of all records, repeatedly, until no record has values that too few records share.
// It returns the price of the first round.
func (s *subsetSearch) cover(ctx context.Context, tables []crosstable.Table) (bound int64, err error) {
	cost := make([]int64, len(s.ranks.price))
	for v, price := range s.ranks.price {
		cost[v] = int64(price)
	}
	covers := crosstable.NewCovers(cost)
	for round := 0; ; round++ {
		unsafe, err := crosstable.Count(ctx, s.rows.groups(s.stratum, s.stratum.all()), tables)
		if err != nil || unsafe.Cells == 0 {
			return bound, err
		}
		err = unsafe.Each(ctx, func(row int, sets []uint64) {
			cover := covers.Of(sets)
			if round == 0 {
				bound += cover.Least * int64(s.rows[row].Count)
			}
			s.lose(row, cover.Set, s.rows[row].Count)
		})
		if err != nil {
			return bound, err
		}
	}
}
