package microdata

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/store"
)

// leveling builds the dictionary of a column of numbers, first without labels, which take long to format.
type leveling struct {
	numbers *Numbers
	store   *store.Store

	mutex             sync.Mutex
	unlabelled, ready atomic.Pointer[Categories] // nil: not built yet; the second with labels
}

// categories returns the dictionary.
func (l *leveling) categories() *Categories {
	if ready := l.ready.Load(); ready != nil {
		return ready
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if ready := l.ready.Load(); ready != nil {
		return ready
	}
	out := l.unlabelled.Load()
	if out == nil {
		out = l.numbers.categories(l.store)
	} else {
		out = &Categories{Levels: cloned(l.store, out.Levels), Codes: out.Codes, Ordered: out.Ordered}
	}
	l.numbers.label(l.store, out.Levels)
	l.ready.Store(out)
	l.unlabelled.Store(nil)
	return out
}

// withoutLabels returns the dictionary, which has labels only if they are there already.
func (l *leveling) withoutLabels() *Categories {
	if ready := l.ready.Load(); ready != nil {
		return ready
	}
	if out := l.unlabelled.Load(); out != nil {
		return out
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, built := range []*Categories{l.ready.Load(), l.unlabelled.Load()} {
		if built != nil {
			return built
		}
	}
	out := l.numbers.categories(l.store)
	l.unlabelled.Store(out)
	return out
}

// label labels levels with their numbers.
func (n *Numbers) label(s *store.Store, levels []Level) {
	labels := store.NewArena(s, levels)
	var text []byte
	for i := range levels {
		text = n.appendValue(text[:0], levels[i].Value)
		levels[i].Label = labels.Put(text)
	}
}

// categories builds the dictionary of the numbers without labels, with its codes in s: levels ordered by value,
// with the number of the first record that has it.
func (n *Numbers) categories(s *store.Store) *Categories {
	codes, found := store.Make[uint32](s, len(n.Values)), newDistinct(s)
	last, code := math.NaN(), uint32(0)
	for record, value := range n.Values {
		if !math.IsNaN(value) {
			if value != last { // household members often share the value
				last, code = value, found.code(value, record)
			}
			codes[record] = code
		}
	}
	ranks := found.ranks()
	levels := store.Make[Level](s, len(found.values))
	for i, rank := range ranks[1:] {
		levels[rank-1].Value = n.Values[found.records[i]]
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

// distinct is an open-addressing table of numbers with codes from 1, in order of first occurrence.
type distinct struct {
	store   *store.Store
	table   []uint32 // codes; 0 for an empty slot
	shift   int
	values  []float64
	records []uint32 // first record with each value
}

func newDistinct(s *store.Store) *distinct {
	const width = 10
	return &distinct{store: s, table: make([]uint32, 1<<width), shift: 64 - width}
}

// place returns the slot of a value, or the empty slot where it belongs.
func (d *distinct) place(value float64) int {
	bits := math.Float64bits(value)
	at := int((bits ^ bits>>32) * 0x9E3779B97F4A7C15 >> d.shift) // round numbers differ in the highest bits only
	for d.table[at] != 0 && d.values[d.table[at]-1] != value {
		at = (at + 1) & (len(d.table) - 1)
	}
	return at
}

// code returns the code of a value, added if new; NaN is not allowed.
func (d *distinct) code(value float64, record int) uint32 {
	value += 0 // turns -0, which has other bits, into 0
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

// ranks returns, by code, the rank of its value in ascending order, from 1; 0 for code 0.
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
