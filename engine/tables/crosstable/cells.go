package crosstable

import (
	"context"
	"math/bits"
	"slices"
	"sync/atomic"

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
		c := &cellCounter{Unsafe: u, Crossing: Crossing{Groups: t}}
		for table := starts[i]; table < ends[i] && ctx.Err() == nil; table++ {
			c.tally(table)
		}
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
	bySize := BySize(u.tables)
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
	Crossing
	counts []int // per cell
}

// tally counts the records of the cells of a table and marks the unsafe ones.
func (c *cellCounter) tally(table int) {
	variables := Variables(c.tables[table].Set)
	cells := c.Crossing.Cells(variables)
	c.counts = Sums(cells, c.Counts, c.counts)
	const seen = 1 << 62 // of a cell that was counted
	for key, cell := range cells.Of {
		if cell == 0 || c.counts[cell]&^seen > c.tables[table].Threshold {
			continue
		}
		if c.unsafe[table] == nil {
			c.unsafe[table] = microdata.NewBits(len(cells.Of))
		}
		c.unsafe[table].Set(key)
		if c.counts[cell]&seen != 0 {
			continue
		}
		c.counts[cell] |= seen
		c.cells[table]++
		for _, v := range variables {
			c.categories[v][(int(c.Codes[v][key])-1)*c.dimensions+len(variables)-1].Add(1)
		}
	}
}
