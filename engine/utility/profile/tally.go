package profile

import (
	"iter"
	"math"
)

// tally counts the records of distinct numbers: an open-addressing table from a number
// to its records.
type tally struct {
	numbers []uint64 // as bits
	records []int    // 0: the place is empty
	used    int
	shift   int
}

// mostTallied is the number of distinct numbers of a tally.
const mostTallied = 1 << 20

// tallies counts the records of the distinct numbers among values: in one tally where they are few, else in as many,
// one after the other, as keep the memory of one small. A number is in one of them.
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

// hash spreads the bits of a number: the high bits of the product depend on all of them. Round numbers have few bits,
// and these are the highest.
func hash(number uint64) uint64 { return (number ^ number>>32) * 0x9E3779B97F4A7C15 }

func newTally() *tally {
	const width = 12
	return &tally{numbers: make([]uint64, 1<<width), records: make([]int, 1<<width), shift: 64 - width}
}

// add counts records of a number, which both zeros are.
func (t *tally) add(x float64, records int) {
	if x == 0 {
		x = 0 // not -0, which has other bits
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

// place returns the place of a number, or the empty one where it belongs.
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
