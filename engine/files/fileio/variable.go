package fileio

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// mostLevels is the maximum number of distinct values of a numeric column stored as a dictionary.
const mostLevels = 4096

// Quoting of cells in a text file, as flags.
const (
	plainCell = 1 << iota
	quotedCell
)

// variable collects the cells of a column from all blocks, in any order.
type variable struct {
	*dialect
	statfile.RowBlock
	blanks   map[uint32]uint8 // index of the missing code, by code of a word that is one
	distinct int              // number of words that are numbers
	texts    bool             // a cell is not a number, or the cells are codes
	skipped  bool             // not selected for reading
	nominal  bool             // the description declares the cells codes of categories

	quotes   uint8                 // quoting of values that need no quotes
	missing  [maxMissing + 1]uint8 // quoting of missing codes, by index
	decimals []uint8               // by row, for cells collected as numbers
	odd      map[int]string        // by row, spellings that do not follow from value and decimals
	shown    numberSpelling
}

// numberSpelling describes the spelling of the numbers of a variable.
type numberSpelling struct {
	some     bool
	decimals uint8 // of all numbers, or microdata.Shortest if they differ
	parts    bool  // some are not integers
}

// whole reports whether the numbers are integers spelled without decimals.
func (s *numberSpelling) whole() bool {
	return !s.parts && (s.decimals == 0 || s.decimals == microdata.Shortest)
}

func (s *numberSpelling) add(value float64, decimals uint8) {
	s.parts = s.parts || value != math.Trunc(value)
	switch {
	case s.some && s.decimals != decimals, decimals > maxDecimals:
		s.some, s.decimals = true, microdata.Shortest
	case !s.some:
		s.some, s.decimals = true, decimals
	}
}

// free releases the memory of the collected cells.
func (v *variable) free() {
	store.Free(v.Scratch, v.decimals)
	v.RowBlock.Free()
	v.blanks, v.decimals, v.odd = nil, nil, nil
}

// take stores the cells of a block. Running out of memory ends the reading through its budget.
func (v *variable) take(b *block, c *cells) {
	v.Lock()
	defer v.Unlock()
	if c.asNumbers {
		v.takeNumbers(b, &c.numbers)
	} else {
		words := make([]uint32, 1+len(c.vocabulary.texts))
		for i, w := range c.vocabulary.texts {
			words[i+1] = v.word(w.text, w.quoted)
		}
		if slices.Contains(c.codes, 0) {
			v.missing[0] |= plainCell
		}
		v.PutCodes(b.before, microdata.CodesOf(c.codes), words, b.expected)
	}
	v.Many.Store(!v.texts && v.distinct > mostLevels)
}

func (v *variable) takeNumbers(b *block, n *numberCells) {
	v.PutNumbers(b.before, n.values, b.expected)
	v.decimals = statfile.Longer(v.Scratch, v.decimals, b.before+len(n.values), b.expected)
	copy(v.decimals[b.before:], n.decimals)
	for row, text := range n.odd {
		if v.odd == nil {
			v.odd = map[int]string{}
		}
		v.odd[b.before+int(row)] = text
	}
	for row, value := range n.values {
		if value == value {
			v.shown.add(value, n.decimals[row])
		}
	}
	for number, quotes := range n.missing {
		v.missing[number] |= quotes
	}
	v.quotes |= n.quotes
	v.texts = v.texts || n.texts
}

// word returns the code of a text and records its quoting.
func (v *variable) word(text []byte, quoted bool) uint32 {
	code := v.enter(text)
	if number, missing := v.blanks[code]; missing {
		v.missing[number] |= quotesOf(quoted)
	} else if quotes := quotesOf(quoted); v.quotes&quotes == 0 && !v.needsQuotes(string(text)) {
		v.quotes |= quotes
	}
	return code
}

// enter returns the code of a text, which it classifies if new.
func (v *variable) enter(text []byte) uint32 {
	code, known := v.Word(text)
	if !known {
		if number, missing := v.blank(text); missing {
			if v.blanks == nil {
				v.blanks = map[uint32]uint8{}
			}
			v.blanks[code] = number
		} else if _, _, ok := parseNumber(text, v.mark); ok {
			v.distinct++
		} else {
			v.texts = true
		}
	}
	return code
}

func quotesOf(quoted bool) uint8 {
	if quoted {
		return quotedCell
	}
	return plainCell
}

// coded returns the code of a cell collected as a number, in the spelling of the file.
func (v *variable) coded(place int, value float64) uint32 {
	text, odd := v.odd[place]
	spelling := []byte(text)
	switch decimals := v.decimals[place]; {
	case odd:
	case value != value && missingNumber(value) == 0:
		return 0
	case value != value:
		spelling = []byte(v.codes[missingNumber(value)])
	default:
		spelling = microdata.AppendDecimal(spelling, value, int(decimals&^barePoint))
		if decimals&barePoint != 0 {
			spelling = bytes.Replace(spelling, []byte("0."), []byte("."), 1)
		}
		exchange(spelling, '.', v.mark)
	}
	return v.enter(spelling)
}

// missingCell encodes the index of a missing code as a NaN.
func missingCell(number uint8) float64 { return statfile.Extended(number) }

// missingNumber decodes a missingCell.
func missingNumber(cell float64) uint8 { return uint8(math.Float64bits(cell)) }

// exchange replaces the first occurrence of a decimal mark.
func exchange(text []byte, from, to byte) {
	if i := bytes.IndexByte(text, from); from != to && i >= 0 {
		text[i] = to
	}
}

// seed is the seed of hashes; codes do not depend on it.
var seed = maphash.MakeSeed()

// key is the hash table key of a cell's text. Up to 7 bytes of text are the key itself; a longer text has its hash
// in the low 56 bits, and texts with equal keys are compared. The high byte holds the length or longKey, and
// quotedKey for a quoted cell. A key is never 0.
type key uint64

const (
	longKey   = 0x08 << 56
	quotedKey = 0x80 << 56
	textMask  = 1<<56 - 1
	golden    = 0x9e3779b97f4a7c15
)

func (k key) long() bool { return k&longKey != 0 }

// shortKey returns the key of the low n < 8 bytes of a word.
func shortKey(word uint64, n uint32) key {
	return key(word&(1<<(8*n)-1) | uint64(n)<<56)
}

// textKey returns the key of an unquoted text.
func textKey(text []byte) key {
	if len(text) >= 8 {
		return key(maphash.Bytes(seed, text)&textMask | longKey)
	}
	var word [8]byte
	copy(word[:], text)
	return shortKey(binary.LittleEndian.Uint64(word[:]), uint32(len(text)))
}

// slot is a slot of a hash table; its code is 0 if it is free.
type slot struct {
	key  key
	code uint32
}

// vocabulary is an open-addressing hash table of the texts of one column in one block. Its size is a power of two;
// it is at most half full. Codes start at 1; a quoted text and the same text unquoted have different codes.
type vocabulary struct {
	table []slot
	shift uint8 // 64 minus log2 of the size
	texts []word
}

const fewestSlots = 32

// word is a text of a vocabulary, in the memory of the block or its own.
type word struct {
	text   []byte
	quoted bool
}

// first returns the slot where the search for a key starts.
func (v *vocabulary) first(k key) int { return int(uint64(k) * golden >> v.shift) }

// place returns the slot of a key, or the free slot for it; text distinguishes equal keys.
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

// code returns the code of a text, which must not be modified while the vocabulary is in use.
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
