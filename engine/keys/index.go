package keys

import "math/bits"

// index is an open-addressing table from codes to numbers.
type index struct {
	codes   []uint64
	numbers []uint32 // 0: the slot is empty; else the code's number + 1
	shift   uint
	used    int
}

// newIndex returns an empty table with room for n codes.
func newIndex(n int) *index {
	size := bits.Len(uint(max(2*n, 64) - 1))
	return &index{codes: make([]uint64, 1<<size), numbers: make([]uint32, 1<<size), shift: uint(64 - size)}
}

// slot returns the place of a code, or the empty one where it belongs.
func (x *index) slot(code uint64) int {
	last := len(x.codes) - 1
	// Fibonacci hashing: the high bits of the product depend on all of the code.
	at := int(code * 0x9E3779B97F4A7C15 >> (x.shift & 63))
	for x.numbers[at] != 0 && x.codes[at] != code {
		at = (at + 1) & last
	}
	return at
}

// number returns the number of a code that is in the table.
func (x *index) number(code uint64) uint32 { return x.numbers[x.slot(code)] - 1 }

// find returns the number of a code; -1 where it is not in the table.
func (x *index) find(code uint64) int { return int(x.numbers[x.slot(code)]) - 1 }

// add puts a code with its number into a table that has room.
func (x *index) add(code uint64, number uint32) {
	at := x.slot(code)
	x.codes[at], x.numbers[at] = code, number+1
	x.used++
}

// insert puts a code into the table, growing it where needed, and returns its
// number: codes are numbered as they come.
func (x *index) insert(code uint64) uint32 {
	at := x.slot(code)
	if x.numbers[at] == 0 {
		if 2*x.used >= len(x.codes) {
			x.grow()
			at = x.slot(code)
		}
		x.used++
		x.codes[at], x.numbers[at] = code, uint32(x.used)
	}
	return x.numbers[at] - 1
}

func (x *index) grow() {
	larger := newIndex(len(x.codes))
	for i, number := range x.numbers {
		if number != 0 {
			at := larger.slot(x.codes[i])
			larger.codes[at], larger.numbers[at] = x.codes[i], number
		}
	}
	larger.used = x.used
	*x = *larger
}

// reset empties the table and makes room for n codes.
func (x *index) reset(n int) {
	if size := bits.Len(uint(max(2*n, 64) - 1)); 1<<size > cap(x.codes) {
		*x = *newIndex(n)
	} else {
		x.codes, x.numbers = x.codes[:1<<size], x.numbers[:1<<size]
		x.shift, x.used = uint(64-size), 0
		clear(x.numbers)
	}
}

// each calls f for the codes of the table, in no particular order.
func (x *index) each(f func(code uint64)) {
	for i, number := range x.numbers {
		if number != 0 {
			f(x.codes[i])
		}
	}
}
