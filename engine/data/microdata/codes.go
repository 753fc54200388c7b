package microdata

import (
	"bytes"
	"iter"
	"math"
)

// Codes holds one level code per record in unsigned integers of 8 bits where
// they fit, else of 32. Code 0 is missing; code c stands for level c-1.
type Codes struct {
	narrow []uint8
	wide   []uint32
}

// NewCodes returns n codes, all missing, wide enough for the given number of
// levels.
func NewCodes(n, levels int) Codes {
	if levels <= math.MaxUint8 {
		return Codes{narrow: make([]uint8, n)}
	}
	return Codes{wide: make([]uint32, n)}
}

// CodesOf returns codes that are stored as they are given; the slice is kept.
func CodesOf[T uint8 | uint32](codes []T) Codes {
	if narrow, ok := any(codes).([]uint8); ok {
		return Codes{narrow: narrow}
	}
	return Codes{wide: any(codes).([]uint32)}
}

// Len returns the number of rows.
func (c Codes) Len() int { return len(c.narrow) + len(c.wide) }

// At returns the code of a record.
func (c Codes) At(record int) uint32 {
	if c.narrow != nil {
		return uint32(c.narrow[record])
	}
	return c.wide[record]
}

// Set stores the code of a record. It is for the builder of new codes: codes
// that belong to a column are never changed.
func (c Codes) Set(record int, code uint32) {
	if c.narrow != nil {
		c.narrow[record] = uint8(code)
	} else {
		c.wide[record] = code
	}
}

// Uint8 returns the codes when they are stored in 8 bits, else nil. The slice
// must not be modified; likewise for Uint32.
func (c Codes) Uint8() []uint8 { return c.narrow }

// Uint32 returns the codes when they are stored in 32 bits, else nil.
func (c Codes) Uint32() []uint32 { return c.wide }

// Between returns the codes of the records from one on until before another.
func (c Codes) Between(from, to int) []uint32 {
	out := make([]uint32, to-from)
	if c.narrow == nil {
		copy(out, c.wide[from:to])
		return out
	}
	for i, code := range c.narrow[from:to] {
		out[i] = uint32(code)
	}
	return out
}

// Occurring reports for each of the codes from 0 to before n whether a record has it.
func (c Codes) Occurring(n int) []bool {
	out := make([]bool, n)
	if c.wide == nil { // the search for one byte is many times as fast as a look at each record
		for code := range min(n, 1<<8) {
			out[code] = bytes.IndexByte(c.narrow, byte(code)) >= 0
		}
	}
	for _, code := range c.wide {
		out[code] = true
	}
	return out
}

// Copy returns codes that can be changed without touching c.
func (c Codes) Copy() Codes {
	return Codes{narrow: append([]uint8(nil), c.narrow...), wide: append([]uint32(nil), c.wide...)}
}

// Mapped returns codes for the given number of levels in which code l of c has
// become mapping[l]. mapping has one entry per code of c, missing included.
func (c Codes) Mapped(levels int, mapping []uint32) Codes {
	out := NewCodes(c.Len(), levels)
	out.Fill(0, c, mapping)
	return out
}

// Fill stores the codes of other, mapped as by Mapped, from a record on. Like Set
// it is for the builder of new codes.
func (c Codes) Fill(start int, other Codes, mapping []uint32) {
	end := start + other.Len()
	if c.narrow != nil {
		mapInto(c.narrow[start:end], other, mapping)
	} else {
		mapInto(c.wide[start:end], other, mapping)
	}
}

// Pairs goes through the codes that the same records have in a and in b, in blocks
// of records: the first one, and the pairs from it on, which are good until the
// next block.
func Pairs(a, b Codes) iter.Seq2[int, [][2]uint32] {
	return func(yield func(int, [][2]uint32) bool) {
		var block [1024][2]uint32
		for first := 0; first < a.Len(); first += len(block) {
			pairs := block[:min(len(block), a.Len()-first)]
			a.fillSide(pairs, 0, first)
			b.fillSide(pairs, 1, first)
			if !yield(first, pairs) {
				return
			}
		}
	}
}

func (c Codes) fillSide(pairs [][2]uint32, side, first int) {
	if c.narrow != nil {
		fillSide(pairs, side, c.narrow[first:])
	} else {
		fillSide(pairs, side, c.wide[first:])
	}
}

func fillSide[From unsigned](pairs [][2]uint32, side int, codes []From) {
	for i := range pairs {
		pairs[i][side] = uint32(codes[i])
	}
}

// NarrowCodes returns codes for the given number of levels, as narrow as they can
// be.
func NarrowCodes(codes []uint32, levels int) Codes {
	out := NewCodes(len(codes), levels)
	copy(out.wide, codes)
	for i := range out.narrow {
		out.narrow[i] = uint8(codes[i])
	}
	return out
}

type unsigned interface{ ~uint8 | ~uint32 }

func mapInto[To unsigned](to []To, from Codes, mapping []uint32) {
	for i, code := range from.narrow {
		to[i] = To(mapping[code])
	}
	for i, code := range from.wide {
		to[i] = To(mapping[code])
	}
}
