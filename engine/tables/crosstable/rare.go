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
	counters := make([]rareCounter, max(workers, 1))
	err := parallel.Tasks(ctx, len(sets), workers, func(worker, task int) {
		found[task] = counters[worker].of(g, sets[task], uint32(k))
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
	cell   []uint32 // per key, from 1; 0: a value is missing
	counts []uint32
	index  Index
}

func (c *rareCounter) of(g *keys.Groups, set uint64, k uint32) Rarity {
	c.cross(g, Variables(set))
	c.counts = append(c.counts[:0], make([]uint32, slices.Max(append(c.cell, 0))+1)...)
	for key, cell := range c.cell {
		c.counts[cell] += g.Counts[key]
	}
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
			found.Below += int(records)
		}
	}
	return found
}

// mostCells is the number of cells, per distinct key, up to which they have numbers
// by their codes; beyond, those that occur are numbered.
const mostCells = 4

// cross numbers the cells of the keys, one variable after the other.
func (c *rareCounter) cross(g *keys.Groups, variables []int) {
	c.cell = append(c.cell[:0], g.Codes[variables[0]]...)
	cells := uint64(g.Levels[variables[0]])
	for _, v := range variables[1:] {
		width := uint64(g.Levels[v])
		if cells*width <= uint64(mostCells*len(c.cell)+1<<12) {
			for key, code := range g.Codes[v] {
				if cell := c.cell[key]; cell == 0 || code == 0 {
					c.cell[key] = 0
				} else {
					c.cell[key] = (cell-1)*uint32(width) + code
				}
			}
			cells *= width
			continue
		}
		c.index.Reset(cells*width, len(c.cell))
		for key, code := range g.Codes[v] {
			if cell := c.cell[key]; cell == 0 || code == 0 {
				c.cell[key] = 0
			} else {
				c.cell[key] = c.index.Number(uint64(cell-1)*width + uint64(code-1))
			}
		}
		cells = uint64(c.index.Distinct())
	}
}
