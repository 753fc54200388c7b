package fileio

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// mostLevels is the number of distinct values up to which a numeric column is
// stored as a dictionary.
const mostLevels = 4096

// Marks of the words of a lexicon.
const (
	plainWord  = 1 << iota // occurs without quotes
	quotedWord             // occurs in quotes
	blankWord              // is a missing code
)

// variable gathers the chunks of one column from all blocks, in any order.
type variable struct {
	*dialect
	many    atomic.Bool // more than mostLevels numbers, no dictionary: cells are collected as numbers. The column that comes out is the same in any case
	mutex   sync.Mutex
	lexicon         // of the texts of all blocks, whether in quotes or not
	marks   []uint8 // of the words
	numbers int     // words that are numbers
	texts   bool    // a cell is no number, or the cells are codes
	skipped bool    // it is not wanted
	nominal bool    // the description says that the cells are codes of categories, digits or not
	chunks  []chunk // by block

	// Cells of the chunks. Those of a block stand behind as many places as there can be
	// records before it, so that no two share one.
	narrow   []uint8  // codes
	wide     []uint32 // those of more than a byte
	values   []float64
	decimals []uint8
}

// free gives up the places of all cells but those of the column.
func (v *variable) free(column *microdata.Column) {
	numbers, coded := column.StoredAsNumbers() != nil, column.Categories
	if !numbers {
		store.Free(v.scratch, v.values)
	}
	store.Free(v.scratch, v.decimals)
	if numbers || !coded().Codes.Small() {
		store.Free(v.scratch, v.narrow)
	}
	if numbers || coded().Codes.Small() {
		store.Free(v.scratch, v.wide)
	}
	v.lexicon.free()
	v.marks, v.chunks, v.narrow, v.wide, v.values, v.decimals = nil, nil, nil, nil, nil, nil
}

// take stores the cells of a block, and returns the memory in bytes that they take for good.
func (v *variable) take(b *block, c *cells) (kept int) {
	const ofChunk, ofWord, ofNumber = 128, 80, 9
	out := chunk{from: b.before}
	kept = ofChunk + 4*len(c.vocabulary.texts)
	if v.scratch == nil {
		kept += len(c.codes) + ofNumber*len(c.numbers.values)
	}
	if v.scratch == nil && len(c.vocabulary.texts) > math.MaxUint8 {
		kept += 3 * len(c.codes)
	}
	if c.asNumbers {
		numbers := c.numbers
		numbers.values, numbers.decimals = nil, nil
		out.numbers, out.to = &numbers, out.from+len(c.numbers.values)
	} else {
		out.words, out.empty, out.to = make([]uint32, len(c.vocabulary.texts)), slices.Contains(c.codes,
			0), out.from+len(c.codes)
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.place(&out, c, b.expected)
	for i, w := range c.vocabulary.texts {
		words := len(v.words)
		if out.words[i] = v.word(w.text, w.quoted); len(v.words) > words {
			if v.scratch == nil {
				kept += ofWord + len(w.text)
			}
		}
	}
	for len(v.chunks) <= b.index {
		v.chunks = append(v.chunks, chunk{})
	}
	v.chunks[b.index] = out
	v.texts = v.texts || c.asNumbers && c.numbers.texts > 0
	v.many.Store(!v.texts && v.numbers > mostLevels)
	return kept
}

// place puts the cells of a chunk into the memory that the column is going to have.
func (v *variable) place(out *chunk, c *cells, records int) {
	switch {
	case c.asNumbers:
		v.values = statfile.Longer(v.scratch, v.values, out.to, records)
		v.decimals = statfile.Longer(v.scratch, v.decimals, out.to, records)
		copy(v.values[out.from:], c.numbers.values)
		copy(v.decimals[out.from:], c.numbers.decimals)
	case len(out.words) > math.MaxUint8:
		v.wide = statfile.Longer(v.scratch, v.wide, out.to, records)
		copy(v.wide[out.from:], c.codes)
	default:
		v.narrow = statfile.Longer(v.scratch, v.narrow, out.to, records)
		for i, code := range c.codes {
			v.narrow[out.from+i] = uint8(code)
		}
	}
}

// placesFor returns places for so many records where there are some already.
func placesFor[T any](s *store.Store, placed []T, records int) []T {
	if len(placed) == 0 {
		return nil
	}
	return statfile.Longer(s, placed, max(records, len(placed)), records)
}

// cells gives the chunks the cells that were placed, among places for so many records.
func (v *variable) cells(records int) {
	v.narrow, v.wide = placesFor(v.scratch, v.narrow, records), placesFor(v.scratch, v.wide, records)
	v.values = placesFor(v.scratch, v.values, records)
	for i := range v.chunks {
		switch c := &v.chunks[i]; {
		case c.numbers != nil:
			c.numbers.values, c.numbers.decimals = v.values[c.from:c.to], v.decimals[c.from:c.to]
		case c.codes.Len() > 0:
		case len(c.words) > math.MaxUint8:
			c.codes = microdata.CodesOf(v.wide[c.from:c.to])
		default:
			c.codes = microdata.CodesOf(v.narrow[c.from:c.to])
		}
	}
}

// word puts a text into the lexicon and returns its code as a chunk has it.
func (v *variable) word(text []byte, quoted bool) uint32 {
	code, known := v.lexicon.code(text)
	if !known {
		mark := uint8(0)
		if _, missing := v.blank(text, false); missing {
			mark = blankWord
		} else if !v.texts {
			if _, _, ok := parseNumber(text, v.mark); ok {
				v.numbers++
			} else {
				v.texts = true
			}
		}
		v.marks = append(v.marks, mark)
	}
	if quoted {
		v.marks[code-1] |= quotedWord
		return code<<1 | 1
	}
	v.marks[code-1] |= plainWord
	return code << 1
}

// seed is that of the hashes; no code depends on it.
var seed = maphash.MakeSeed()

// key identifies the text of a cell in a table. Up to 7 bytes of text are the
// key itself; a longer text has its hash in the low 56 bits, and texts of
// equal keys have to be compared. The high byte has the length or longKey, and
// quotedKey for a cell in quotes. No key is 0.
type key uint64

const (
	longKey   = 0x08 << 56
	quotedKey = 0x80 << 56
	textMask  = 1<<56 - 1
	golden    = 0x9e3779b97f4a7c15
)

func (k key) long() bool { return k&longKey != 0 }

// shortKey returns the key of n < 8 bytes, the low ones of the word.
func shortKey(word uint64, n uint32) key {
	return key(word&(1<<(8*n)-1) | uint64(n)<<56)
}

// textKey returns the key of a text without quotes.
func textKey(text []byte) key {
	if len(text) >= 8 {
		return key(maphash.Bytes(seed, text)&textMask | longKey)
	}
	var word [8]byte
	copy(word[:], text)
	return shortKey(binary.LittleEndian.Uint64(word[:]), uint32(len(text)))
}

// slot is a place in a table; the code of a free one is 0.
type slot struct {
	key  key
	code uint32
}

// vocabulary is the table of the texts of one column in one block, by open
// addressing: a power of two in size, at most half full. Codes start at 1; a text
// in quotes and the same text without have codes of their own.
type vocabulary struct {
	table []slot
	shift uint8 // 64 less the number of bits of the size
	texts []word
}

const fewestSlots = 32

// word is a text of a vocabulary; it stands in the block or in memory of its
// own.
type word struct {
	text   []byte
	quoted bool
}

// first returns where the search for a key starts.
func (v *vocabulary) first(k key) int { return int(uint64(k) * golden >> v.shift) }

// place returns where a key stands or can be put; text tells texts of equal keys
// apart.
func (v *vocabulary) place(k key, text []byte) int {
	i := v.first(k)
	for v.table[i].code != 0 {
		if found := v.table[i]; found.key == k && (!k.long() || string(v.texts[found.code-1].text) == string(text)) {
			break
		}
		i = (i + 1) & (len(v.table) - 1)
	}
	return i
}

func (v *vocabulary) reset() {
	if v.table == nil {
		v.table, v.shift = make([]slot, fewestSlots), 64-5
		return
	}
	clear(v.table)
	v.texts = v.texts[:0]
}

// code returns the code of a text, which must not change while the vocabulary
// is in use.
func (v *vocabulary) code(k key, text []byte) uint32 {
	i := v.place(k, text)
	if v.table[i].code != 0 {
		return v.table[i].code
	}
	v.texts = append(v.texts, word{text, k&quotedKey != 0})
	code := uint32(len(v.texts))
	v.table[i] = slot{k, code}
	if 2*len(v.texts) >= len(v.table) {
		v.grow()
	}
	return code
}

func (v *vocabulary) grow() {
	old := v.table
	v.table = make([]slot, 2*len(old))
	v.shift--
	for _, kept := range old {
		if kept.code != 0 {
			v.table[v.place(kept.key, v.texts[kept.code-1].text)] = kept
		}
	}
}
