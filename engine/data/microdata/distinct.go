package microdata

import (
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/store"
)

// categories builds the dictionary of the numbers: levels by value, labelled
// by the spelling of the first record that has it, one code per record, which are in a store.
func (n *Numbers) categories(s *store.Store) *Categories {
	codes, found := store.Make[uint32](s, len(n.Values)), newDistinct(s)
	last, code := math.NaN(), uint32(0)
	for record, value := range n.Values {
		if !math.IsNaN(value) {
			if value != last { // members of a household often have the same
				last, code = value, found.code(value, record)
			}
			codes[record] = code
		}
	}
	ranks := found.ranks()
	levels := store.Make[Level](s, len(found.values))
	labels := store.NewArena(s, levels)
	var text []byte
	for i, rank := range ranks[1:] {
		text = n.appendText(text[:0], int(found.records[i]))
		levels[rank-1] = Level{Label: labels.Put(text), Value: n.Values[found.records[i]]}
	}
	found.free()
	narrow := len(levels) <= math.MaxUint8
	for record, code := range codes {
		codes[record] = ranks[code]
	}
	store.Free(s, ranks)
	of := CodesOf(codes)
	if narrow {
		of = NarrowCodes(codes, len(levels))
		store.Free(s, codes)
	}
	of.base.store = s
	return &Categories{Levels: levels, Codes: of, Ordered: true}
}

// distinct finds the different ones among numbers: an open-addressing table of codes, from 1 in the order in which the
// numbers are met.
type distinct struct {
	store   *store.Store
	table   []uint32 // codes; 0: the place is empty
	shift   int
	values  []float64
	records []uint32 // the first with a value
}

func newDistinct(s *store.Store) *distinct {
	const width = 10
	return &distinct{store: s, table: make([]uint32, 1<<width), shift: 64 - width}
}

// place returns the place of a value, or the empty one where it belongs.
func (d *distinct) place(value float64) int {
	bits := math.Float64bits(value)
	at := int((bits ^ bits>>32) * 0x9E3779B97F4A7C15 >> d.shift) // round numbers have few bits, the highest ones
	for d.table[at] != 0 && d.values[d.table[at]-1] != value {
		at = (at + 1) & (len(d.table) - 1)
	}
	return at
}

// code returns the code of a value that a record has, which is no NaN.
func (d *distinct) code(value float64, record int) uint32 {
	value += 0 // never -0, which has other bits
	at := d.place(value)
	if code := d.table[at]; code != 0 {
		return code
	}
	if len(d.values) == cap(d.values) {
		room := max(256, 2*len(d.values))
		d.values, d.records = store.Longer(d.store, d.values, room), store.Longer(d.store, d.records, room)
	}
	d.values, d.records = append(d.values, value), append(d.records, uint32(record))
	code := uint32(len(d.values))
	if d.table[at] = code; 2*len(d.values) >= len(d.table) {
		d.grow()
	}
	return code
}

func (d *distinct) grow() {
	size := 2 * len(d.table)
	store.Free(d.store, d.table)
	d.table = store.Make[uint32](d.store, size)
	d.shift--
	for i, value := range d.values {
		d.table[d.place(value)] = uint32(i + 1)
	}
}

// ranks returns by code the place, from 1, of its value among all in ascending order; 0 of code 0.
func (d *distinct) ranks() []uint32 {
	order := stat.OrderIn(store.Make[uint32](d.store, len(d.values)), d.values)
	ranks := store.Make[uint32](d.store, len(d.values)+1)
	for rank, i := range order {
		ranks[i+1] = uint32(rank + 1)
	}
	store.Free(d.store, order)
	return ranks
}

func (d *distinct) free() {
	store.Free(d.store, d.table)
	store.Free(d.store, d.values)
	store.Free(d.store, d.records)
}
