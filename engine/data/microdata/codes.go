package microdata

import (
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/size"
	"github.com/sdcdesk/sdcdesk/engine/base/store"
)

// Codes holds one level code per row: 0 for missing, c for level c-1. The codes are stored once, in 8 bits if they
// fit, else in 32; codes after a recode or suppression share the stored ones and add only a mapping and one bit
// per row.
type Codes struct {
	base    *base
	mapping []uint32 // current code by stored code; nil for the identity
	missing *Bits    // cells that are missing whatever their stored code; nil if none
	small   bool     // current codes fit into 8 bits
}

// base is the storage; only one of narrow and wide is used.
type base struct {
	narrow []uint8
	wide   []uint32
	store  *store.Store // owner of the memory; nil for the heap

	once   sync.Once
	counts []int // by stored code

	hashed sync.Once
	hash   [32]byte
}

func stored(narrow []uint8, wide []uint32) Codes {
	return Codes{base: &base{narrow: narrow, wide: wide}, small: wide == nil}
}

// NewCodes returns n codes, all missing, with room for the given number of levels.
func NewCodes(n, levels int) Codes {
	if levels <= math.MaxUint8 {
		return stored(make([]uint8, n), nil)
	}
	return stored(nil, make([]uint32, n))
}

// CodesOf returns Codes that use the given slice as storage.
func CodesOf[T uint8 | uint32](codes []T) Codes {
	if narrow, ok := any(codes).([]uint8); ok {
		return stored(narrow, nil)
	}
	return stored(nil, any(codes).([]uint32))
}

// NarrowCodes returns codes in the smallest storage for the given number of levels.
func NarrowCodes(codes []uint32, levels int) Codes {
	out := NewCodes(len(codes), levels)
	copy(out.base.wide, codes)
	for i := range out.base.narrow {
		out.base.narrow[i] = uint8(codes[i])
	}
	return out
}

// Len returns the number of rows.
func (c Codes) Len() int {
	if c.base == nil {
		return 0
	}
	return len(c.base.narrow) + len(c.base.wide)
}

// Small reports whether the codes fit into 8 bits.
func (c Codes) Small() bool { return c.small }

// Bytes returns the memory of the codes, without storage that they share.
func (c Codes) Bytes() int {
	switch {
	case c.base == nil:
		return 0
	case c.Shared():
		return size.Of(c.mapping) + size.Held(c.missing)
	}
	return size.Of(c.base.narrow) + size.Of(c.base.wide)
}

// Shared reports whether a recode or a suppression made the codes, so that they use at most one bit per row of
// their own.
func (c Codes) Shared() bool { return c.mapping != nil || c.missing != nil }

func (b *base) at(record int) uint32 {
	if b.narrow != nil {
		return uint32(b.narrow[record])
	}
	return b.wide[record]
}

// At returns the code of a record.
func (c Codes) At(record int) uint32 {
	code := c.through(c.base.at(record))
	if c.missing != nil && c.missing.Has(record) {
		return 0
	}
	return code
}

// Set stores the code of a record while new codes are built. Codes that belong to a column must not be modified.
func (c Codes) Set(record int, code uint32) {
	if c.base.narrow != nil {
		c.base.narrow[record] = uint8(code)
	} else {
		c.base.wide[record] = code
	}
}

// Read copies codes into dst, beginning with those of record from.
func (c Codes) Read(dst []uint32, from int) {
	if len(dst) > 0 {
		clear(dst)
		AddCodes(dst, c, from, 0)
	}
}

// AddCodes ORs codes, shifted left, into dst, beginning with those of record from. The bits must be zero before.
func AddCodes[T uint32 | uint64](dst []T, c Codes, from int, shift uint) {
	to := from + len(dst)
	if c.base.narrow != nil {
		addCodes(dst, c.base.narrow[from:to], c.mapping, shift)
	} else {
		addCodes(dst, c.base.wide[from:to], c.mapping, shift)
	}
	c.missing.eachBetween(from, to, func(record int) {
		dst[record-from] &^= T(c.through(c.base.at(record))) << (shift & 63)
	})
}

func addCodes[T uint32 | uint64, C uint8 | uint32](dst []T, codes []C, mapping []uint32, shift uint) {
	codes = codes[:len(dst)]
	shift &= 63
	if mapping == nil {
		for i := range dst {
			dst[i] |= T(codes[i]) << shift
		}
		return
	}
	for i := range dst {
		dst[i] |= T(mapping[codes[i]]) << shift
	}
}

// through returns the current code for a stored code.
func (c Codes) through(code uint32) uint32 {
	if c.mapping != nil {
		return c.mapping[code]
	}
	return code
}

// Between returns the codes of the records in [from, to).
func (c Codes) Between(from, to int) []uint32 {
	out := make([]uint32, to-from)
	c.Read(out, from)
	return out
}

// codeBlock is the number of records in a block.
const codeBlock = 1024

// Blocks iterates over all codes in blocks. It yields the first record and the codes from it on, which are valid
// until the next iteration and must not be modified.
func (c Codes) Blocks() iter.Seq2[int, []uint32] {
	return func(yield func(int, []uint32) bool) {
		if c.base != nil && c.base.wide != nil && !c.Shared() {
			for first := 0; first < len(c.base.wide); first += codeBlock {
				if !yield(first, c.base.wide[first:min(first+codeBlock, len(c.base.wide))]) {
					return
				}
			}
			return
		}
		var block [codeBlock]uint32
		for first := 0; first < c.Len(); first += len(block) {
			codes := block[:min(len(block), c.Len()-first)]
			if c.Read(codes, first); !yield(first, codes) {
				return
			}
		}
	}
}

// Pairs iterates over the codes of the same records in a and b in blocks. It yields the first record and the pairs
// from it on, which are valid until the next iteration.
func Pairs(a, b Codes) iter.Seq2[int, [][2]uint32] {
	return func(yield func(int, [][2]uint32) bool) {
		var block [codeBlock][2]uint32
		var other [codeBlock]uint32
		for first, codes := range a.Blocks() {
			pairs := block[:len(codes)]
			b.Read(other[:len(codes)], first)
			for i, code := range codes {
				pairs[i] = [2]uint32{code, other[i]}
			}
			if !yield(first, pairs) {
				return
			}
		}
	}
}

// tally returns the number of records by stored code.
func (b *base) tally() []int {
	b.once.Do(func() {
		b.counts = make([]int, 1<<8)
		for _, code := range b.narrow {
			b.counts[code]++
		}
		if len(b.wide) > 0 {
			b.counts = store.Make[int](b.store, int(slices.Max(b.wide))+1)
		}
		for _, code := range b.wide {
			b.counts[code]++
		}
	})
	return b.counts
}

// Counts returns the number of records by code, for codes in [0, n). No code may be outside this range. The result
// must not be modified.
func (c Codes) Counts(n int) []int {
	out := make([]int, n)
	if c.base == nil {
		return out
	}
	counts := c.base.tally()
	if len(counts) == n && !c.Shared() {
		return counts
	}
	for code, records := range counts {
		if records > 0 {
			out[c.through(uint32(code))] += records
		}
	}
	c.missing.Each(func(record int) {
		out[c.through(c.base.at(record))]--
		out[0]++
	})
	return out
}

// Copy returns a copy that can be modified.
func (c Codes) Copy() Codes { return c.CopyIn(nil) }

// CopyIn is Copy with the new storage in s.
func (c Codes) CopyIn(s *store.Store) Codes {
	if !c.Shared() {
		return stored(cloned(s, c.base.narrow), cloned(s, c.base.wide))
	}
	levels := math.MaxUint8
	if !c.small {
		levels++
	}
	out := NewCodesIn(s, c.Len(), levels)
	out.Fill(0, c, nil)
	return out
}

// Mapped returns the codes in which code l has become mapping[l], for the given number of levels. mapping has one
// entry per code, including missing.
func (c Codes) Mapped(levels int, mapping []uint32) Codes {
	if c.missing != nil && mapping[0] != 0 {
		c = c.Copy()
	}
	small := levels <= math.MaxUint8
	if c.mapping == nil {
		return Codes{base: c.base, mapping: mapping, missing: c.missing, small: small}
	}
	return Codes{base: c.base, mapping: through(c.mapping, mapping), missing: c.missing, small: small}
}

// Owned returns the codes of Mapped with storage of their own. They reuse the memory of c if they fit, and c
// must not be used afterwards; otherwise their storage is in s.
func (c Codes) Owned(s *store.Store, levels int, mapping []uint32) Codes {
	if c.Shared() || (levels <= math.MaxUint8) != (c.base.wide == nil) {
		defer c.Free(s)
		return c.Mapped(levels, mapping).CopyIn(s)
	}
	for i, code := range c.base.narrow {
		c.base.narrow[i] = uint8(mapping[code])
	}
	for i, code := range c.base.wide {
		c.base.wide[i] = mapping[code]
	}
	return stored(c.base.narrow, c.base.wide)
}

// without returns the codes with the cells of a set missing.
func (c Codes) without(cells *Bits) Codes {
	c.missing = c.missing.Union(cells)
	return c
}

// Free releases codes stored in s. They must not be used afterwards.
func (c Codes) Free(s *store.Store) {
	if c.base != nil {
		store.Free(s, c.base.narrow)
		store.Free(s, c.base.wide)
	}
}

// Fill stores the codes of other from record start on, mapped as by Mapped unless mapping is nil. Like Set, it is
// for building new codes.
func (c Codes) Fill(start int, other Codes, mapping []uint32) {
	for first, codes := range other.Blocks() {
		for i, code := range codes {
			if mapping != nil {
				code = mapping[code]
			}
			c.Set(start+first+i, code)
		}
	}
}
