package keys

import (
	"math/bits"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// field is the bit field of a variable in the packed code of a key.
type field struct {
	word   int    // index of the word
	shift  uint   // position of the lowest bit
	mask   uint64 // mask of the field in its word; 0 for a variable without levels
	levels int
}

// code returns the variable's code in a packed code.
func (f *field) code(packed []uint64) uint32 {
	return uint32(packed[f.word] & f.mask >> f.shift)
}

// width returns the number of bits of the field.
func (f *field) width() uint { return uint(bits.OnesCount64(f.mask)) }

// layout packs the codes of all variables into words of 64 bits, the first variable highest: packed codes compare
// like keys, variable by variable.
type layout struct {
	fields []field
	bits   []int // bits used, by word
}

func newLayout(levels []int) layout {
	l := layout{fields: make([]field, len(levels)), bits: []int{0}}
	for j, count := range levels {
		width := bits.Len32(uint32(count))
		if l.bits[len(l.bits)-1]+width > 64 {
			l.bits = append(l.bits, 0)
		}
		word := len(l.bits) - 1
		l.bits[word] += width
		l.fields[j] = field{word: word, mask: 1<<width - 1, levels: count}
	}
	below := append([]int(nil), l.bits...)
	for j := range l.fields {
		f := &l.fields[j]
		below[f.word] -= bits.Len64(f.mask)
		f.shift = uint(below[f.word])
		f.mask <<= f.shift
	}
	return l
}

// words returns the number of words of a packed code.
func (l *layout) words() int { return len(l.bits) }

// keep returns the mask of the variables that are not in the set of missing ones, one word for each word of a
// code.
func (l *layout) keep(missing uint64) []uint64 {
	kept := make([]uint64, l.words())
	for j := range l.fields {
		if missing>>j&1 == 0 {
			kept[l.fields[j].word] |= l.fields[j].mask
		}
	}
	return kept
}

// missing returns the subset of the candidate variables, one bit each, that is missing in a packed code.
func (l *layout) missing(packed []uint64, candidates uint64) uint64 {
	set := uint64(0)
	for rest := candidates; rest != 0; rest &= rest - 1 {
		j := bits.TrailingZeros64(rest)
		if packed[l.fields[j].word]&l.fields[j].mask == 0 {
			set |= 1 << j
		}
	}
	return set
}

// pack writes one word of the packed codes of the rows [from, from+len(dst)).
func pack[T uint32 | uint64](l *layout, word int, columns []microdata.Codes, dst []T, from int) {
	clear(dst)
	for j, codes := range columns {
		if l.fields[j].word != word {
			continue
		}
		microdata.AddCodes(dst, codes, from, l.fields[j].shift)
	}
}
