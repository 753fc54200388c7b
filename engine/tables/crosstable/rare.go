package crosstable

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Rarity has the number of records that a combination of key variables isolates.
type Rarity struct {
	Set   uint64 // bit v for variable v
	Cells int    // non-empty cells of the cross table
	Alone int    // records that are the only one in their cell
	Below int    // records in cells with fewer than k records, including single ones
}

// Rare returns, for each set of key variables, the number of records that its cross table isolates. A record with
// a missing value in one of the variables is in no cell. The time is proportional to the number of key patterns
// for each set. It returns the error of ctx, if any.
func Rare(ctx context.Context, g *keys.Groups, sets []uint64, k int) ([]Rarity, error) {
	found := make([]Rarity, len(sets))
	workers := parallel.Workers(len(g.Counts)*len(sets), len(sets))
	counters := slices.Repeat([]rareCounter{{Crossing: Crossing{Groups: g}}}, max(workers, 1))
	err := parallel.Tasks(ctx, len(sets), workers, func(worker, task int) {
		found[task] = counters[worker].of(sets[task], k)
	})
	return found, err
}

// RarestFirst sorts combinations by the number of unique records, then of records below k, in descending order;
// then by size and by the order of the variables.
func RarestFirst(found []Rarity) {
	slices.SortFunc(found, func(a, b Rarity) int {
		return cmp.Or(cmp.Compare(b.Alone, a.Alone), cmp.Compare(b.Below, a.Below),
			cmp.Compare(bits.OnesCount64(a.Set), bits.OnesCount64(b.Set)), compareSets(a.Set, b.Set))
	})
}

// rareCounter counts the records of cells, one cross table after the other.
type rareCounter struct {
	Crossing
	counts []int
}

func (c *rareCounter) of(set uint64, k int) Rarity {
	c.counts = Sums(c.Cells(Variables(set)), c.Counts, c.counts)
	found := Rarity{Set: set}
	for _, records := range c.counts[1:] {
		if records == 0 {
			continue
		}
		found.Cells++
		if records == 1 {
			found.Alone++
		}
		if records < k {
			found.Below += records
		}
	}
	return found
}
