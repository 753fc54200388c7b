package keys

import "math/bits"

// index is an open-addressing hash table from codes to numbers.
type index struct {
	slots []slot
	shift uint
	used  int
}

// slot is a slot of the table: a code and its number plus 1, which is 0 for an empty slot.
type slot struct {
	code uint64
	next uint32
}

// newIndex returns an empty table with room for n codes.
func newIndex(n int) *index {
	size := indexBits(n)
	return &index{slots: make([]slot, 1<<size), shift: uint(64 - size)}
}

// indexBits returns the logarithm of a table size that n codes fill by half.
func indexBits(n int) int { return bits.Len(uint(max(2*n, 64) - 1)) }

// place returns the index of the slot of a code, or of the empty slot where it belongs.
func (x *index) place(code uint64) int {
	slots, last := x.slots, len(x.slots)-1
	// Fibonacci hashing: the high bits of the product depend on all of the code.
	at := int(code*0x9E3779B97F4A7C15>>(x.shift&63)) & last
	for slots[at].next != 0 && slots[at].code != code {
		at = (at + 1) & last
	}
	return at
}

// find returns the number of a code, or -1 if it is not in the table.
func (x *index) find(code uint64) int { return int(x.slots[x.place(code)].next) - 1 }

// insert returns the number of a code, adding it if new and growing the table if needed. Numbers are in order of
// insertion.
func (x *index) insert(code uint64) uint32 {
	at := x.place(code)
	if x.slots[at].next == 0 {
		if 2*x.used >= len(x.slots) {
			x.grow()
			at = x.place(code)
		}
		x.used++
		x.slots[at] = slot{code, uint32(x.used)}
	}
	return x.slots[at].next - 1
}

func (x *index) grow() {
	larger := newIndex(len(x.slots))
	for _, s := range x.slots {
		if s.next != 0 {
			larger.slots[larger.place(s.code)] = s
		}
	}
	larger.used = x.used
	*x = *larger
}

// reset empties the table, with room for n codes.
func (x *index) reset(n int) {
	size := indexBits(n)
	if 1<<size > cap(x.slots) {
		*x = *newIndex(n)
		return
	}
	x.slots, x.shift, x.used = x.slots[:1<<size], uint(64-size), 0
	clear(x.slots)
}

// ranks returns the codes in ascending order, and the rank of each number.
func (x *index) ranks() (sorted []uint64, rank []uint32) {
	entries := make([]slot, 0, x.used)
	for _, s := range x.slots {
		if s.next != 0 {
			entries = append(entries, s)
		}
	}
	sorted, rank = make([]uint64, x.used), make([]uint32, x.used)
	for place, s := range byCode(entries) {
		sorted[place], rank[s.next-1] = s.code, uint32(place)
	}
	return sorted, rank
}

// byCode sorts slots by radix on the bytes in which codes differ, which is faster than comparison.
func byCode(slots []slot) []slot {
	differ := uint64(0)
	for i := range slots {
		differ |= slots[i].code ^ slots[0].code
	}
	other := make([]slot, len(slots))
	for shift := uint(0); differ>>shift != 0; shift += 8 {
		if differ>>shift&255 == 0 {
			continue
		}
		var next [257]int
		for i := range slots {
			next[slots[i].code>>(shift&63)&255+1]++
		}
		for b := range 256 {
			next[b+1] += next[b]
		}
		for _, s := range slots {
			at := &next[s.code>>(shift&63)&255]
			other[*at] = s
			*at++
		}
		slots, other = other, slots
	}
	return slots
}
