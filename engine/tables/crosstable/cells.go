package crosstable

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/sdcdesk/sdcdesk/engine/base/size"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

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
	categories [][]atomic.Int64  // per variable: unsafe cells of code c and dimension d, at place (c-1) * dimensions + d-1
}

// Bytes returns the memory of the counts.
func (u *Unsafe) Bytes() int {
	return size.OfAll(u.unsafe) + size.Of(u.tables) + size.Of(u.cells) + size.Of(u.categories) + size.Of(u.categories...)
}

// Count counts the unsafe cells of tables, which are sorted as Sorted does. It
// costs time in the number of distinct keys and of tables. An error is that of
// ctx.
func Count(ctx context.Context, t *keys.Groups, tables []Table) (*Unsafe, error) {
	u := &Unsafe{keys: len(t.Counts), tables: tables, cells: make([]int, len(tables)),
		unsafe: make([]*microdata.Bits, len(tables))}
	for _, table := range tables {
		u.dimensions = max(u.dimensions, bits.OnesCount64(table.Set))
	}
	for _, levels := range t.Levels {
		u.categories = append(u.categories, make([]atomic.Int64, levels*u.dimensions))
	}
	// Tables that begin with the same variable share their first steps.
	var starts []int
	for i := range tables {
		if i == 0 || bits.TrailingZeros64(tables[i].Set) != bits.TrailingZeros64(tables[i-1].Set) {
			starts = append(starts, i)
		}
	}
	ends := append(slices.Clone(starts[min(1, len(starts)):]), len(tables))
	err := parallel.Each(ctx, len(starts), func(i int) error {
		c := &cellCounter{Unsafe: u, groups: t}
		c.count(ctx, starts[i], ends[i])
		return nil
	})
	for _, cells := range u.cells {
		u.Cells += cells
	}
	return u, err
}

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
	cells := make([]int, u.dimensions)
	for d := range cells {
		cells[d] = int(u.categories[variable][(int(code)-1)*u.dimensions+d].Load())
	}
	return cells
}

// CellsOf returns the unsafe cells of the table of a number from 0.
func (u *Unsafe) CellsOf(table int) int { return u.cells[table] }

// Has reports whether a distinct key is in an unsafe cell of a table.
func (u *Unsafe) Has(table, key int) bool { return u.unsafe[table].Has(key) }

// EachKey calls visit for every distinct key in an unsafe cell of a table,
// ascending.
func (u *Unsafe) EachKey(table int, visit func(key int)) { u.unsafe[table].Each(visit) }

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

// cellCounter counts the cells of tables that begin with the same variable, one
// after the other.
type cellCounter struct {
	*Unsafe
	groups *keys.Groups
	steps  []cellStep // of the variables of the table so far
	counts []uint32   // per cell
	index  Index
}

// cellStep says in which cell each key is on the first variables of a table.
type cellStep struct {
	variable int
	cell     []uint32 // per key, from 1; 0: a value is missing
	cells    int
}

// count counts the tables from first up to end.
func (c *cellCounter) count(ctx context.Context, first, end int) {
	depth := 0 // steps that are made for the table before
	for i := first; i < end && ctx.Err() == nil; i++ {
		variables, same := Variables(c.tables[i].Set), 0
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
		c.steps = append(c.steps, cellStep{cell: make([]uint32, len(c.groups.Counts))})
	}
	s, codes := &c.steps[place], c.groups.Codes[variable]
	s.variable = variable
	if place == 0 {
		copy(s.cell, codes)
		s.cells = c.groups.Levels[variable]
		return
	}
	before := &c.steps[place-1]
	width := uint64(c.groups.Levels[variable])
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
	records := c.groups.Counts
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
			c.categories[v][(int(c.groups.Codes[v][key])-1)*c.dimensions+len(variables)-1].Add(1)
		}
	}
}
