package plan

import "math/bits"

// mark returns the number of a group of a variable: any 64 bits that look random
// (the finaliser of splitmix64).
func mark(variable int, group uint32) uint64 {
	x := (uint64(variable)<<32 | uint64(group) + 1) * 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// marksOf returns the numbers of the groups by code.
func marksOf(variable int, of []uint32) []uint64 {
	marks := make([]uint64, len(of))
	for code, group := range of {
		marks[code] = mark(variable, group)
	}
	return marks
}

// table finds numbers by sums, in open addressing. Emptying it costs nothing.
type table struct {
	slots []slot
	round uint32
	shift uint
}

type slot struct {
	sum   uint64
	value uint32
	round uint32 // of the table when it was put there
}

// reset empties the table and makes room for n sums.
func (t *table) reset(n int) {
	width := max(4, bits.Len(uint(2*n)))
	if t.round++; 1<<width > cap(t.slots) || t.round == 0 {
		t.slots, t.round = make([]slot, 1<<width), 1
	}
	t.slots, t.shift = t.slots[:1<<width], uint(64-width)
}

// place returns the slot of a sum, or the free one where it belongs.
func (t *table) place(sum uint64) int {
	last := len(t.slots) - 1
	at := int(sum * 0x9E3779B97F4A7C15 >> (t.shift & 63))
	for t.slots[at].round == t.round && t.slots[at].sum != sum {
		at = (at + 1) & last
	}
	return at
}

func (t *table) taken(slot int) bool { return t.slots[slot].round == t.round }

func (t *table) put(at int, sum uint64, value uint32) {
	t.slots[at] = slot{sum: sum, value: value, round: t.round}
}
