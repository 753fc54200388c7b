package suppress

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
)

// Records can only keep values together that at least k records share. So every
// set of key variables on which fewer agree with a record, of all that have these
// values, must lose one of them. The cheapest variables that have one in each
// such set are the record's cover: over the file as it is, the prices of the
// covers add up to a bound, since blanks only take records away from each other;
// blanked, they are a first step towards a solution in which the combinations
// know of each other.

// coverTables lists the sets of at most as many variables as the largest
// combination, with the number of records that is too few for each; sizes of
// which there are too many are left out.
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

// cover blanks the covers of all records, again and again, until no values that
// a record has are shared by too few. It returns the price of the first.
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
