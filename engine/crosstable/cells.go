package crosstable

import (
	"cmp"
	"context"
	"math/bits"
	"runtime"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// Keys are distinct keys with the number of records that have each.
type Keys struct {
	Codes  [][]uint32 // Codes[variable][key], 0 for missing
	Levels []int      // categories per variable, missing not counted
	Counts []uint32   // records per key
}

// KeysOf returns the distinct keys of a table.
func KeysOf(t *keys.Table) Keys {
	k := Keys{Counts: t.Counts()}
	for v := range t.Variables() {
		k.Codes, k.Levels = append(k.Codes, t.Codes(v)), append(k.Levels, t.Levels(v))
	}
	return k
}

// Unsafe are the cells of cross tables that hold at least one record and at
// most a threshold. A cell with a missing code is not counted, nor is a record
// with a missing value among those of a cell. [Hundepool and others, mu-Argus
// manual]
type Unsafe struct {
	Cells int // in all tables

	keys       int // distinct
	dimensions int
	tables     []Table
	cells      []int             // per table
	unsafe     []*microdata.Bits // per table: the distinct keys in unsafe cells; nil: none
	categories [][]int           // per variable: unsafe cells of code c and dimension d, at place (c-1) * dimensions + d-1
}

// Count counts the unsafe cells of tables, which are sorted as Sorted does. It
// costs time in the number of distinct keys and of tables. An error is that of
// ctx.
func Count(ctx context.Context, t Keys, tables []Table) (*Unsafe, error) {
	u := &Unsafe{keys: len(t.Counts), tables: tables, cells: make([]int, len(tables)), unsafe: make([]*microdata.Bits, len(tables))}
	for _, table := range tables {
		u.dimensions = max(u.dimensions, bits.OnesCount64(table.Set))
	}
	for _, levels := range t.Levels {
		u.categories = append(u.categories, make([]int, levels*u.dimensions))
	}
	// Tables that begin with the same variable share their first steps.
	starts := []int{}
	for i := range tables {
		if i == 0 || bits.TrailingZeros64(tables[i].Set) != bits.TrailingZeros64(tables[i-1].Set) {
			starts = append(starts, i)
		}
	}
	ends := append(append([]int{}, starts[min(1, len(starts)):]...), len(tables))
	workers := min(runtime.GOMAXPROCS(0), len(starts))
	counters := make([]*cellCounter, workers)
	err := parallel.Tasks(ctx, len(starts), workers, func(worker, task int) {
		if counters[worker] == nil {
			counters[worker] = newCellCounter(t, u)
		}
		counters[worker].count(ctx, starts[task], ends[task])
	})
	for _, c := range counters {
		if c != nil {
			u.add(c)
		}
	}
	for _, cells := range u.cells {
		u.Cells += cells
	}
	return u, err
}

// add adds what a worker counted by category.
func (u *Unsafe) add(c *cellCounter) {
	for v := range u.categories {
		for i, cells := range c.categories[v] {
			u.categories[v][i] += cells
		}
	}
}

// Dimensions returns the largest number of variables of a table.
func (u *Unsafe) Dimensions() int { return u.dimensions }

// ByDimension returns, for the key variable of a number from 0, the unsafe cells
// of the tables that it is in, by their number of variables from 1 on.
func (u *Unsafe) ByDimension(variable int) []int {
	cells := make([]int, u.dimensions)
	for i, table := range u.tables {
		if table.Set>>variable&1 == 1 {
			cells[bits.OnesCount64(table.Set)-1] += u.cells[i]
		}
	}
	return cells
}

// ByCategory returns the same for one category of the variable: the unsafe cells
// in which it stands. code is that of the category, from 1.
func (u *Unsafe) ByCategory(variable int, code uint32) []int {
	from := (int(code) - 1) * u.dimensions
	return u.categories[variable][from : from+u.dimensions : from+u.dimensions]
}

// Each calls visit for every distinct key that is in unsafe cells, with the
// combinations of these, those of few variables first.
func (u *Unsafe) Each(ctx context.Context, visit func(key int, combinations []uint64)) error {
	bySize := make([]int, len(u.tables))
	for i := range bySize {
		bySize[i] = i
	}
	slices.SortStableFunc(bySize, func(a, b int) int {
		return cmp.Compare(bits.OnesCount64(u.tables[a].Set), bits.OnesCount64(u.tables[b].Set))
	})
	var combinations []uint64
	for key := range u.keys {
		if key&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		combinations = combinations[:0]
		for _, i := range bySize {
			if u.unsafe[i].Has(key) {
				combinations = append(combinations, u.tables[i].Set)
			}
		}
		if len(combinations) > 0 {
			visit(key, combinations)
		}
	}
	return nil
}

// cellCounter counts the cells of tables, one after the other.
type cellCounter struct {
	*Unsafe
	table  Keys
	steps  []cellStep // of the variables of the table so far
	counts []uint32   // per cell
	index  Index

	categories [][]int
}

// cellStep says in which cell each key is on the first variables of a table.
type cellStep struct {
	variable int
	cell     []uint32 // per key, from 1; 0: a value is missing
	cells    int
}

func newCellCounter(t Keys, u *Unsafe) *cellCounter {
	c := &cellCounter{Unsafe: u, table: t}
	for v := range u.categories {
		c.categories = append(c.categories, make([]int, len(u.categories[v])))
	}
	return c
}

// count counts the tables from first up to end, which begin with the same
// variable.
func (c *cellCounter) count(ctx context.Context, first, end int) {
	depth := 0 // steps that are made for the table before
	for i := first; i < end && ctx.Err() == nil; i++ {
		var variables []int
		for set := c.tables[i].Set; set != 0; set &= set - 1 {
			variables = append(variables, bits.TrailingZeros64(set))
		}
		same := 0
		for same < depth && same < len(variables) && c.steps[same].variable == variables[same] {
			same++
		}
		for ; same < len(variables); same++ {
			c.step(same, variables[same])
		}
		depth = len(variables)
		c.tally(i, variables)
	}
}

// step finds the cells of the steps before, crossed with one more variable.
func (c *cellCounter) step(place, variable int) {
	if place == len(c.steps) {
		c.steps = append(c.steps, cellStep{cell: make([]uint32, len(c.table.Counts))})
	}
	s, codes := &c.steps[place], c.table.Codes[variable]
	s.variable = variable
	if place == 0 {
		copy(s.cell, codes)
		s.cells = c.table.Levels[variable]
		return
	}
	before := &c.steps[place-1]
	width := uint64(c.table.Levels[variable])
	c.index.Reset(uint64(before.cells)*width, len(codes))
	for key, code := range codes {
		s.cell[key] = 0
		if code != 0 && before.cell[key] != 0 {
			s.cell[key] = c.index.Number(uint64(before.cell[key]-1)*width + uint64(code-1))
		}
	}
	s.cells = c.index.Distinct()
}

// tally counts the records of the cells of a table and marks the unsafe ones.
func (c *cellCounter) tally(table int, variables []int) {
	s := &c.steps[len(variables)-1]
	if cap(c.counts) <= s.cells {
		c.counts = make([]uint32, s.cells+1)
	}
	counts := c.counts[:s.cells+1]
	clear(counts)
	records := c.table.Counts
	for key, cell := range s.cell {
		counts[cell] += records[key]
	}
	const seen = 1 << 31 // of a cell that was counted; files have fewer records
	for key, cell := range s.cell {
		if cell == 0 || int(counts[cell]&^seen) > c.tables[table].Threshold {
			continue
		}
		if c.unsafe[table] == nil {
			c.unsafe[table] = microdata.NewBits(len(s.cell))
		}
		c.unsafe[table].Set(key)
		if counts[cell]&seen != 0 {
			continue
		}
		counts[cell] |= seen
		c.cells[table]++
		for _, v := range variables {
			c.categories[v][(int(c.table.Codes[v][key])-1)*c.dimensions+len(variables)-1]++
		}
	}
}
