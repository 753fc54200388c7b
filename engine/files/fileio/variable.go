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

// mostLevels is the number of distinct values up to which a numeric column is
// stored as a dictionary.
const mostLevels = 4096

// How cells stand in a text file.
const (
	plainCell = 1 << iota
	quotedCell
)

// variable gathers the cells of one column from all blocks, in any order.
type variable struct {
	*dialect
	statfile.Gathered
	blanks   map[uint32]uint8 // words of the lexicon that are missing codes: their numbers
	distinct int              // words that are numbers
	texts    bool             // a cell is no number, or the cells are codes
	skipped  bool             // it is not wanted
	nominal  bool             // the description says that the cells are codes of categories, digits or not

	quotes   uint8                 // how values that need no quotes stand
	missing  [maxMissing + 1]uint8 // how missing codes stand, by their numbers
	decimals []uint8               // of cells that came as numbers, by their places
	odd      map[int]string        // those of them that value and decimals do not tell
	shown    shownNumbers
}

// shownNumbers says how the numbers of a variable are spelled.
type shownNumbers struct {
	some     bool
	decimals uint8 // of all; microdata.Shortest where they differ
	parts    bool  // some are not whole
}

// whole reports whether the numbers are whole and are written so.
func (s *shownNumbers) whole() bool {
	return !s.parts && (s.decimals == 0 || s.decimals == microdata.Shortest)
}

func (s *shownNumbers) add(value float64, decimals uint8) {
	s.parts = s.parts || value != math.Trunc(value)
	switch {
	case s.some && s.decimals != decimals, decimals > maxDecimals:
		s.some, s.decimals = true, microdata.Shortest
	case !s.some:
		s.some, s.decimals = true, decimals
	}
}

// free gives up the memory of what was gathered.
func (v *variable) free() {
	store.Free(v.Scratch, v.decimals)
	v.Gathered.Free()
	v.blanks, v.decimals, v.odd = nil, nil, nil
}

// take stores the cells of a block. Errors end the reading by the budget.
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

// word returns the code of a text, and notes how it stands.
func (v *variable) word(text []byte, quoted bool) uint32 {
	code := v.enter(text)
	if number, missing := v.blanks[code]; missing {
		v.missing[number] |= quotesOf(quoted)
	} else if quotes := quotesOf(quoted); v.quotes&quotes == 0 && !v.needsQuotes(string(text)) {
		v.quotes |= quotes
	}
	return code
}

// enter returns the code of a text, and notes of a new one what it is.
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

// coded returns the code of a cell that came as a number, as it is spelled in the file.
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

// missingCell returns the number of a cell that is a missing code, by the number of that.
func missingCell(number uint8) float64 { return statfile.Extended(number) }

// missingNumber is the reverse of missingCell.
func missingNumber(cell float64) uint8 { return uint8(math.Float64bits(cell)) }

// exchange replaces the first occurrence of a decimal mark.
func exchange(text []byte, from, to byte) {
	if i := bytes.IndexByte(text, from); from != to && i >= 0 {
		text[i] = to
	}
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
