package crosstable

import "math/bits"

// Index numbers values as they come, from 1: by a table of all values where
// these are few, else by hashing.
type Index struct {
	direct   []uint32
	hashed   bool
	values   []uint64 // value plus one; 0: empty
	numbers  []uint32
	shift    uint
	distinct uint32
}

// Distinct returns how many values have a number.
func (x *Index) Distinct() int { return int(x.distinct) }

// Reset empties the index and makes room for so many of the values below limit.
func (x *Index) Reset(limit uint64, n int) {
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

// Number returns the number of a value, the next one where it is new.
func (x *Index) Number(value uint64) uint32 {
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
