package microdata

import (
	"math/bits"
	"slices"
)

// Bits is a bit set of records.
type Bits struct {
	words []uint64
	n     int
}

// NewBits returns the empty set over n records.
func NewBits(n int) *Bits {
	return &Bits{words: make([]uint64, (n+63)/64), n: n}
}

// Len returns the number of records that may be in the set.
func (b *Bits) Len() int { return b.n }

// Set adds a record to the set. Sets that belong to a column must not be modified.
func (b *Bits) Set(record int) { b.words[record>>6] |= 1 << (record & 63) }

// Has reports whether the record is in the set; a nil set is empty.
func (b *Bits) Has(record int) bool {
	return b != nil && b.words[record>>6]&(1<<(record&63)) != 0
}

// Count returns the number of records in the set.
func (b *Bits) Count() int {
	if b == nil {
		return 0
	}
	count := 0
	for _, word := range b.words {
		count += bits.OnesCount64(word)
	}
	return count
}

// Union returns the records in b or other; either may be nil.
func (b *Bits) Union(other *Bits) *Bits {
	if b == nil {
		return other
	}
	if other == nil {
		return b
	}
	union := &Bits{words: slices.Clone(b.words), n: b.n}
	for i, word := range other.words {
		union.words[i] |= word
	}
	return union
}

// Each calls f for the records of the set in ascending order.
func (b *Bits) Each(f func(record int)) {
	if b != nil {
		b.eachBetween(0, b.n, f)
	}
}

// eachBetween is Each for the records in [from, to).
func (b *Bits) eachBetween(from, to int, f func(record int)) {
	if b == nil || from >= to {
		return
	}
	for i := from >> 6; i <= (to-1)>>6; i++ {
		word := b.words[i]
		if start := i << 6; start < from {
			word &= ^uint64(0) << (from - start)
		}
		if start := i << 6; to-start < 64 {
			word &= 1<<(to-start) - 1
		}
		for ; word != 0; word &= word - 1 {
			f(i<<6 + bits.TrailingZeros64(word))
		}
	}
}
