package suppress

import (
	"context"
	"slices"
)

// Records can only keep values together that at least k records share. So every
// set of key variables on which fewer agree with a record, of all that have these
// values, must lose one of them. The cheapest variables that have one in each
// such set are the record's cover: over the file as it is, the prices of the
// covers add up to a bound, since blanks only take records away from each other;
// blanked, they are a first step towards a solution in which the combinations
// know of each other.

// coverTables lists the sets of at most as many variables as the largest
// combination, with the number of records that is too few for each. ok is false
// where they are too many to be counted, and where there is one combination only,
// which is solved by itself.
func (s Subsets) coverTables(variables int) (tables []crossTable, ok bool) {
	largest, count := 0, 0
	for _, subset := range s {
		largest = max(largest, subset.Size)
	}
	if len(s) == 1 && choose(variables, largest) == 1 {
		return nil, false
	}
	for size := 1; size <= largest; size++ {
		if count += choose(variables, size); count > mostCombinations {
			return nil, false
		}
		k := 0
		for _, subset := range s {
			if subset.Size >= size {
				k = max(k, subset.K)
			}
		}
		for _, chosen := range combinationsOf(variables, size) {
			tables = append(tables, crossTable{setOf(chosen), k - 1})
		}
	}
	slices.SortFunc(tables, func(a, b crossTable) int { return compareSets(a.set, b.set) })
	return tables, true
}

// cover blanks the covers of all records, again and again, until no values that
// a record has are shared by too few. It returns the price of the first.
func (s *subsetSearch) cover(ctx context.Context, tables []crossTable) (bound int64, err error) {
	found := &covers{known: map[string]cover{}}
	for _, price := range s.ranks.price {
		found.cost = append(found.cost, int64(price))
	}
	for round := 0; ; round++ {
		unsafe, err := countUnsafe(ctx, s, s.names, tables)
		if err != nil || unsafe.Cells == 0 {
			return bound, err
		}
		err = unsafe.each(ctx, len(s.rows), func(row int, sets []uint64) {
			least := found.of(sets)
			if round == 0 {
				bound += least.least * int64(s.rows[row].count)
			}
			s.lose(row, least.set, s.rows[row].count)
		})
		if err != nil {
			return bound, err
		}
	}
}

// Keys, Counts, Levels and Codes show the rows as distinct keys.
func (s *subsetSearch) Keys() int { return len(s.rows) }

func (s *subsetSearch) Counts() []uint32 {
	counts := make([]uint32, len(s.rows))
	for row := range counts {
		counts[row] = s.rows[row].count
	}
	return counts
}

func (s *subsetSearch) Levels(variable int) int { return s.stratum.levels[variable] }

func (s *subsetSearch) Codes(variable int) []uint32 { return s.codes[variable] }
