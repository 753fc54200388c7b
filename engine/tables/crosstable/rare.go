package crosstable

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Rarity tells how far a combination of key variables singles out records.
type Rarity struct {
	Set   uint64 // bit v for variable v
	Cells int    // of the cross table, with at least one record
	Alone int    // records that are alone in their cell
	Below int    // records in cells of fewer than k records, those alone included
}

// Rare tells of each set of key variables how many records its cross table singles
// out, in the order of the sets. A record with a missing value among the variables
// is in no cell. It costs time in the number of distinct keys for each set. An error
// is that of ctx.
func Rare(ctx context.Context, g *keys.Groups, sets []uint64, k int) ([]Rarity, error) {
	found := make([]Rarity, len(sets))
	workers := parallel.Workers(len(g.Counts)*len(sets), len(sets))
	counters := slices.Repeat([]rareCounter{{Crossing: Crossing{Groups: g}}}, max(workers, 1))
	err := parallel.Tasks(ctx, len(sets), workers, func(worker, task int) {
		found[task] = counters[worker].of(sets[task], k)
	})
	return found, err
}

// RarestFirst orders combinations by the records that they single out: alone, then
// below k; then those of fewer variables first, and by the variables' order.
func RarestFirst(found []Rarity) {
	slices.SortFunc(found, func(a, b Rarity) int {
		return cmp.Or(cmp.Compare(b.Alone, a.Alone), cmp.Compare(b.Below, a.Below),
			cmp.Compare(bits.OnesCount64(a.Set), bits.OnesCount64(b.Set)), compareSets(a.Set, b.Set))
	})
}

// rareCounter counts the records of cells, of one cross table after the other.
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
