package profile

import (
	"iter"
	"math"
)

// tally counts the records of distinct numbers. It is a hash table with open addressing.
type tally struct {
	numbers []uint64 // as bits
	records []int    // 0: empty slot
	used    int
	shift   int
}

// mostTallied is the maximum number of distinct numbers of a tally.
const mostTallied = 1 << 20

// tallies counts the records of the distinct numbers among values. If there are many, it yields several tallies,
// each with different numbers, one after the other, so that the memory is that of one.
func tallies(values []float64, recordsAt func(row int) int) iter.Seq[*tally] {
	return func(yield func(*tally) bool) {
		parts := uint64(1)
		for part := uint64(0); part < parts; {
			t := newTally()
			for row, x := range values {
				if x == x && (parts == 1 || hash(math.Float64bits(x+0))%parts == part) {
					t.add(x, recordsAt(row))
				}
				if t.used > mostTallied && parts == 1 {
					break
				}
			}
			if t.used > mostTallied && parts == 1 {
				parts = uint64(len(values)/mostTallied + 1)
				continue
			}
			if part++; !yield(t) {
				return
			}
		}
	}
}

// hash mixes the bits of a number; the high bits of the product depend on all of them. Round numbers have few bits
// set, and these are the highest.
func hash(number uint64) uint64 { return (number ^ number>>32) * 0x9E3779B97F4A7C15 }

func newTally() *tally {
	const width = 12
	return &tally{numbers: make([]uint64, 1<<width), records: make([]int, 1<<width), shift: 64 - width}
}

// add adds records of a number. Both zeros are the same number.
func (t *tally) add(x float64, records int) {
	if x == 0 {
		x = 0 // replaces -0, whose bits differ
	}
	at := t.place(math.Float64bits(x))
	if t.records[at] == 0 {
		if 2*t.used >= len(t.records) {
			t.grow()
			at = t.place(math.Float64bits(x))
		}
		t.used++
		t.numbers[at] = math.Float64bits(x)
	}
	t.records[at] += records
}

// place returns the slot of a number, or the empty slot for it.
func (t *tally) place(number uint64) int {
	at := int(hash(number) >> t.shift)
	for t.records[at] != 0 && t.numbers[at] != number {
		at = (at + 1) & (len(t.records) - 1)
	}
	return at
}

func (t *tally) grow() {
	larger := &tally{numbers: make([]uint64, 2*len(t.numbers)), records: make([]int, 2*len(t.records)), used: t.used,
		shift: t.shift - 1}
	for i, records := range t.records {
		if records > 0 {
			at := larger.place(t.numbers[i])
			larger.numbers[at], larger.records[at] = t.numbers[i], records
		}
	}
	*t = *larger
}
