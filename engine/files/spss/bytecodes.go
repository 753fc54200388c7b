package spss

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Byte codes. Codes from 1 to 251 are integers.
const (
	codePadding = 0
	codeEnd     = 252
	codeLiteral = 253 // eight bytes after the group of codes
	codeBlanks  = 254
	codeMissing = 255
)

// spot is the position of a reader of elements: a code in a group of eight, after a number of literals; without
// compression, a byte offset.
type spot struct{ group, code, literals int }

// elements reads rows of elements of eight bytes.
type elements interface {
	// pass advances by up to n elements and returns how many it passed: fewer if the data or the rows end, and the
	// same total however many are requested at a time. ended reports whether the rows end.
	pass(data []byte, at spot, n int) (next spot, passed int, ended bool)
	// expand decodes elements into dst, eight bytes each; the data must contain them.
	expand(dst, data []byte, at spot) spot
}

// plainEncoder is uncompressed elements.
type plainEncoder struct{}

func (plainEncoder) pass(data []byte, at spot, n int) (next spot, passed int, ended bool) {
	passed = min(n, (len(data)-at.group)/8)
	return spot{group: at.group + 8*passed}, passed, false
}

func (plainEncoder) expand(dst, data []byte, at spot) spot {
	copy(dst, data[at.group:])
	return spot{group: at.group + len(dst)}
}

// coded is elements in byte codes.
type coded struct{ table [256]uint64 } // element by code

func newCoded(order binary.ByteOrder, bias, missing float64) *coded {
	c := &coded{}
	put := func(code int, bits uint64) {
		var bytes [8]byte
		order.PutUint64(bytes[:], bits)
		c.table[code] = binary.LittleEndian.Uint64(bytes[:])
	}
	for code := 1; code < codeEnd; code++ {
		put(code, math.Float64bits(float64(code)-bias))
	}
	c.table[codeBlanks] = 0x2020202020202020
	put(codeMissing, math.Float64bits(missing))
	return c
}

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// zeroBytes returns a word with the high bit set in exactly the bytes of word that are zero.
func zeroBytes(word uint64) uint64 {
	const rest = ^uint64(highBits)
	return ^((word&rest + rest) | word | rest)
}

// pass counts elements and literals in groups of eight codes, or single codes if the data ends within a group.
func (*coded) pass(data []byte, at spot, n int) (next spot, passed int, ended bool) {
	for passed < n {
		if len(data)-at.group < 8 {
			return at, passed, false
		}
		if at.code == 0 && n-passed >= 8 {
			word := binary.LittleEndian.Uint64(data[at.group:])
			if zeroBytes(word^codeEnd*lowBits) == 0 {
				literals := bits.OnesCount64(zeroBytes(word ^ codeLiteral*lowBits))
				if end := at.group + 8 + 8*literals; end <= len(data) {
					passed += 8 - bits.OnesCount64(zeroBytes(word))
					at.group = end
					continue
				}
			}
		}
		switch data[at.group+at.code] {
		case codePadding:
		case codeEnd:
			return at, passed, true
		case codeLiteral:
			if at.group+16+8*at.literals > len(data) {
				return at, passed, false
			}
			at.literals++
			passed++
		default:
			passed++
		}
		at.code++
		if at.code == 8 {
			at = spot{group: at.group + 8 + 8*at.literals}
		}
	}
	return at, passed, false
}

func (c *coded) expand(dst, data []byte, at spot) spot {
	group, code, literal := at.group, at.code, at.group+8+8*at.literals
	for i := 0; i < len(dst); {
		switch b := data[group+code]; b {
		case codePadding:
		case codeLiteral:
			copy(dst[i:i+8], data[literal:literal+8])
			literal += 8
			i += 8
		default:
			binary.LittleEndian.PutUint64(dst[i:], c.table[b])
			i += 8
		}
		if code++; code == 8 {
			group, code = literal, 0
			literal += 8
		}
	}
	return spot{group, code, (literal - group - 8) / 8}
}
