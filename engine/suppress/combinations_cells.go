package suppress

import (
	"context"
	"math/bits"
	"runtime"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// UnsafeCells are the cells of cross tables that hold at least one record and at
// most a threshold. A cell with a missing code is not counted, nor is a record
// with a missing value among those of a cell. [Hundepool and others, mu-Argus
// manual]
type UnsafeCells struct {
	Cells int // in all tables

	names      []string
	dimensions int
	tables     []crossTable
	cells      []int             // per table
	unsafe     []*microdata.Bits // per table: the distinct keys in unsafe cells; nil: none
	categories [][]int           // per variable: unsafe cells of code c and dimension d, at place (c-1) * dimensions + d-1
}

// CountUnsafeCells counts the unsafe cells of a key table. names are the table's
// variables. It costs time in the number of distinct keys and of combinations.
// Combinations that the variables do not have are an error that wraps
// method.ErrParam.
func CountUnsafeCells(ctx context.Context, t *keys.Table, names []string, given *Combinations) (*UnsafeCells, error) {
	tables, err := given.tables(names)
	if err != nil {
		return nil, err
	}
	return countUnsafe(ctx, t, names, tables)
}

// distinct are distinct keys and how many records have each, as a key table
// holds them.
type distinct interface {
	Keys() int
	Counts() []uint32
	Levels(variable int) int
	Codes(variable int) []uint32
}

// countUnsafe counts the unsafe cells of tables. names are the variables.
func countUnsafe(ctx context.Context, t distinct, names []string, tables []crossTable) (*UnsafeCells, error) {
	u := &UnsafeCells{names: names, tables: tables, cells: make([]int, len(tables)), unsafe: make([]*microdata.Bits, len(tables))}
	for _, table := range tables {
		u.dimensions = max(u.dimensions, bits.OnesCount64(table.set))
	}
	for v := range names {
		u.categories = append(u.categories, make([]int, t.Levels(v)*u.dimensions))
	}
	// Tables that begin with the same variable share their first steps.
	starts := []int{}
	for i := range tables {
		if i == 0 || bits.TrailingZeros64(tables[i].set) != bits.TrailingZeros64(tables[i-1].set) {
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
func (u *UnsafeCells) add(c *cellCounter) {
	for v := range u.categories {
		for i, cells := range c.categories[v] {
			u.categories[v][i] += cells
		}
	}
}

// Dimensions returns the largest number of variables of a table.
func (u *UnsafeCells) Dimensions() int { return u.dimensions }

// ByDimension returns, for the key variable of a number from 0, the unsafe cells
// of the tables that it is in, by their number of variables from 1 on.
func (u *UnsafeCells) ByDimension(variable int) []int {
	cells := make([]int, u.dimensions)
	for i, table := range u.tables {
		if table.set>>variable&1 == 1 {
			cells[bits.OnesCount64(table.set)-1] += u.cells[i]
		}
	}
	return cells
}

// ByCategory returns the same for one category of the variable: the unsafe cells
// in which it stands. code is that of the category, from 1.
func (u *UnsafeCells) ByCategory(variable int, code uint32) []int {
	from := (int(code) - 1) * u.dimensions
	return u.categories[variable][from : from+u.dimensions : from+u.dimensions]
}

// cellCounter counts the cells of tables, one after the other.
type cellCounter struct {
	*UnsafeCells
	table  distinct
	steps  []cellStep // of the variables of the table so far
	counts []uint32   // per cell
	index  cellIndex

	categories [][]int
}

// cellStep says in which cell each key is on the first variables of a table.
type cellStep struct {
	variable int
	cell     []uint32 // per key, from 1; 0: a value is missing
	cells    int
}

func newCellCounter(t distinct, u *UnsafeCells) *cellCounter {
	c := &cellCounter{UnsafeCells: u, table: t}
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
		for set := c.tables[i].set; set != 0; set &= set - 1 {
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
		c.steps = append(c.steps, cellStep{cell: make([]uint32, c.table.Keys())})
	}
	s, codes := &c.steps[place], c.table.Codes(variable)
	s.variable = variable
	if place == 0 {
		copy(s.cell, codes)
		s.cells = c.table.Levels(variable)
		return
	}
	before := &c.steps[place-1]
	width := uint64(c.table.Levels(variable))
	c.index.reset(uint64(before.cells)*width, len(codes))
	for key, code := range codes {
		s.cell[key] = 0
		if code != 0 && before.cell[key] != 0 {
			s.cell[key] = c.index.number(uint64(before.cell[key]-1)*width + uint64(code-1))
		}
	}
	s.cells = int(c.index.distinct)
}

// tally counts the records of the cells of a table and marks the unsafe ones.
func (c *cellCounter) tally(table int, variables []int) {
	s := &c.steps[len(variables)-1]
	if cap(c.counts) <= s.cells {
		c.counts = make([]uint32, s.cells+1)
	}
	counts := c.counts[:s.cells+1]
	clear(counts)
	records := c.table.Counts()
	for key, cell := range s.cell {
		counts[cell] += records[key]
	}
	const seen = 1 << 31 // of a cell that was counted; files have fewer records
	for key, cell := range s.cell {
		if cell == 0 || int(counts[cell]&^seen) > c.tables[table].threshold {
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
			c.categories[v][(int(c.table.Codes(v)[key])-1)*c.dimensions+len(variables)-1]++
		}
	}
}

// cellIndex numbers values as they come, from 1: by a table of all values where
// these are few, else by hashing.
type cellIndex struct {
	direct   []uint32
	hashed   bool
	values   []uint64 // value plus one; 0: empty
	numbers  []uint32
	shift    uint
	distinct uint32
}

// reset empties the index and makes room for so many of the values below limit.
func (x *cellIndex) reset(limit uint64, n int) {
	x.distinct = 0
	if x.hashed = limit > uint64(8*n+1<<12); !x.hashed {
		if uint64(cap(x.direct)) < limit {
			x.direct = make([]uint32, limit)
		}
		x.direct = x.direct[:limit]
		clear(x.direct)
		return
	}
	width := bits.Len(uint(2 * n))
	if x.shift = uint(64 - width); len(x.values) != 1<<width {
		x.values, x.numbers = make([]uint64, 1<<width), make([]uint32, 1<<width)
		return
	}
	clear(x.values)
}

func (x *cellIndex) number(value uint64) uint32 {
	if !x.hashed {
		if x.direct[value] == 0 {
			x.distinct++
			x.direct[value] = x.distinct
		}
		return x.direct[value]
	}
	place := (value + 1) * 0x9e3779b97f4a7c15 >> x.shift
	for x.values[place] != 0 {
		if x.values[place] == value+1 {
			return x.numbers[place]
		}
		if place++; place == uint64(len(x.values)) {
			place = 0
		}
	}
	x.distinct++
	x.values[place], x.numbers[place] = value+1, x.distinct
	return x.distinct
}
