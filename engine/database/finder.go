package database

import (
	"hash/maphash"

	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// finder finds the row of the records of a group by some of their cells.
type finder struct {
	by   []int // places of the cells, in the order of By
	seed maphash.Seed
	rows map[uint64]int32 // by the hash of the group's record, which no two have the same

	record []byte
	cells  [][]byte
}

// finder returns what finds the rows of groups.
func (g *Groups) finder(rows []int32, by []int) *finder {
	f := &finder{by: by, seed: maphash.MakeSeed(), rows: make(map[uint64]int32, len(rows)), cells: make([][]byte, len(by))}
	for group, record := range g.records {
		f.rows[maphash.String(f.seed, record)] = rows[group]
	}
	if len(f.rows) < len(rows) {
		return g.finder(rows, by)
	}
	return f
}

// hash returns what the group of a record is found by.
func (f *finder) hash(cells [][]byte) uint64 {
	for i, at := range f.by {
		f.cells[i] = cells[at]
	}
	f.record = appendRecord(f.record[:0], f.cells)
	return maphash.Bytes(f.seed, f.record)
}

// row returns the row of a group; streamed.ErrChanged: there is no such group.
func (f *finder) row(hash uint64) (int64, error) {
	if row, found := f.rows[hash]; found {
		return int64(row), nil
	}
	return 0, streamed.ErrChanged
}

// find returns the row of a record.
func (f *finder) find(cells [][]byte) (int64, error) { return f.row(f.hash(cells)) }
