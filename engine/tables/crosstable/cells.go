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

// UnsafeMeasure has the unsafe cells of cross tables: cells with at least one record and at most a threshold. Cells with
// a missing category are not counted, and records with a missing value are in no cell. [Hundepool and others,
// mu-Argus manual]
type UnsafeMeasure struct {
	Cells int // number in all tables

	keys       int // number of key patterns
	dimensions int
	tables     []Table
	cells      []int             // per table
	unsafe     []*microdata.Bits // per table: key patterns in unsafe cells; nil: none
	categories [][]atomic.Int64  // per variable: unsafe cells with code c and dimension d, at index (c-1) * dimensions + d-1
}

// Count counts the unsafe cells of tables, which must be in the order of Sorted. The time is proportional to the
// number of key patterns and of tables. It returns the error of ctx, if any.
func Count(ctx context.Context, t *keys.Groups, tables []Table) (*UnsafeMeasure, error) {
	u := &UnsafeMeasure{keys: len(t.Counts), tables: tables, cells: make([]int, len(tables)),
		unsafe: make([]*microdata.Bits, len(tables))}
	for _, table := range tables {
		u.dimensions = max(u.dimensions, bits.OnesCount64(table.Set))
	}
	for _, levels := range t.Levels {
		u.categories = append(u.categories, make([]atomic.Int64, levels*u.dimensions))
	}
	// Tables with the same first variable share their first steps.
	var starts []int
	for i := range tables {
		if i == 0 || bits.TrailingZeros64(tables[i].Set) != bits.TrailingZeros64(tables[i-1].Set) {
			starts = append(starts, i)
		}
	}
	ends := append(slices.Clone(starts[min(1, len(starts)):]), len(tables))
	err := parallel.Each(ctx, len(starts), func(i int) error {
		c := &cellCounter{UnsafeMeasure: u, Crossing: Crossing{Groups: t}}
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

// ByDimension returns the number of unsafe cells of the tables with a key variable, by their number of variables
// from 1.
func (u *UnsafeMeasure) ByDimension(variable int) []int {
	cells := make([]int, u.dimensions)
	for i, table := range u.tables {
		if table.Set>>variable&1 == 1 {
			cells[bits.OnesCount64(table.Set)-1] += u.cells[i]
		}
	}
	return cells
}

// ByCategory is ByDimension for the unsafe cells with one category of the variable, given by its code, from 1.
func (u *UnsafeMeasure) ByCategory(variable int, code uint32) []int {
	cells := make([]int, u.dimensions)
	for d := range cells {
		cells[d] = int(u.categories[variable][(int(code)-1)*u.dimensions+d].Load())
	}
	return cells
}

// CellsOf returns the number of unsafe cells of the table with the given index.
func (u *UnsafeMeasure) CellsOf(table int) int { return u.cells[table] }

// Has reports whether a key pattern is in an unsafe cell of a table.
func (u *UnsafeMeasure) Has(table, key int) bool { return u.unsafe[table].Has(key) }

// EachKey calls visit for every key pattern in an unsafe cell of a table, in ascending order.
func (u *UnsafeMeasure) EachKey(table int, visit func(key int)) { u.unsafe[table].Each(visit) }

// Each calls visit for every key pattern in unsafe cells, with the combinations of these cells, smallest first.
func (u *UnsafeMeasure) Each(ctx context.Context, visit func(key int, combinations []uint64)) error {
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

// cellCounter counts the cells of tables with the same first variable, one after the other.
type cellCounter struct {
	*UnsafeMeasure
	Crossing
	counts []int // per cell
}

// tally counts the records of the cells of a table and marks the unsafe ones.
func (c *cellCounter) tally(table int) {
	variables := Variables(c.tables[table].Set)
	cells := c.Crossing.Cells(variables)
	c.counts = Sums(cells, c.Counts, c.counts)
	const seen = 1 << 62 // marks a cell that was counted
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
