package fileio

import (
	"encoding/binary"
	"math/bits"
	"strings"
)

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
	mixer     = 0xd6e8feb86659fd93
)

func (k key) long() bool { return k&longKey != 0 }

// shortKey returns the key of n < 8 bytes, the low ones of the word.
func shortKey(word uint64, n uint32) key {
	return key(word&(1<<(8*n)-1) | uint64(n)<<56)
}

// longTextKey returns the key of a text of at least 8 bytes.
func longTextKey(text []byte) key {
	hash := uint64(len(text)) * golden
	for rest := text; len(rest) >= 8; rest = rest[8:] {
		hash = fold(hash ^ binary.LittleEndian.Uint64(rest))
	}
	hash = fold(hash ^ binary.LittleEndian.Uint64(text[len(text)-8:]))
	return key(hash&textMask | longKey)
}

func fold(x uint64) uint64 {
	high, low := bits.Mul64(x^golden, mixer)
	return high ^ low
}

// textKey returns the key of a text without quotes.
func textKey(text []byte) key {
	if len(text) >= 8 {
		return longTextKey(text)
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

// slots is a table by open addressing, a power of two in size; at most half
// full while it is small, three quarters where memory counts more.
type slots struct {
	table []slot
	shift uint8 // 64 less the number of bits of the size
}

const (
	fewestSlots = 32
	largeTable  = 1 << 16
)

func newSlots() slots { return slots{make([]slot, fewestSlots), 64 - 5} }

// first returns where the search for a key starts.
func (s *slots) first(k key) int { return int(uint64(k) * golden >> s.shift) }

// after returns the place to look at after place i.
func (s *slots) after(i int) int { return (i + 1) & (len(s.table) - 1) }

// crowded reports whether the table must grow before it takes one more code.
func (s *slots) crowded(used int) bool {
	if len(s.table) < largeTable {
		return 2*(used+1) > len(s.table)
	}
	return 4*(used+1) > 3*len(s.table)
}

func (s *slots) grow() {
	old := s.table
	s.table = make([]slot, 2*len(old))
	s.shift--
	for _, kept := range old {
		if kept.code != 0 {
			i := s.first(kept.key)
			for s.table[i].code != 0 {
				i = s.after(i)
			}
			s.table[i] = kept
		}
	}
}

// vocabulary is the table of the texts of one column in one block. Codes start
// at 1; a text in quotes and the same text without have codes of their own.
type vocabulary struct {
	slots
	texts []word
}

// word is a text of a vocabulary; it stands in the block or in memory of its
// own.
type word struct {
	text []byte
	key  key
}

func (v *vocabulary) reset() {
	if v.table == nil {
		v.slots = newSlots()
		return
	}
	clear(v.table)
	v.texts = v.texts[:0]
}

// code returns the code of a text, which must not change while the vocabulary
// is in use.
func (v *vocabulary) code(k key, text []byte) uint32 {
	i := v.first(k)
	for v.table[i].code != 0 {
		if found := v.table[i]; found.key == k && (!k.long() || string(v.texts[found.code-1].text) == string(text)) {
			return found.code
		}
		i = v.after(i)
	}
	v.texts = append(v.texts, word{text, k})
	code := uint32(len(v.texts))
	v.table[i] = slot{k, code}
	if v.crowded(len(v.texts)) {
		v.grow()
	}
	return code
}

// lexicon is the table of the texts of one column in all blocks, whether in
// quotes or not.
type lexicon struct {
	slots
	labels []string
	page   strings.Builder // where labels are stored; earlier pages live by their labels
}

const pageSize = 1 << 14

// code returns the code of a text, from 1; added tells that it is new.
func (l *lexicon) code(k key, text []byte) (code uint32, added bool) {
	k &^= quotedKey
	if l.table == nil {
		l.slots = newSlots()
	}
	i := l.first(k)
	for l.table[i].code != 0 {
		if found := l.table[i]; found.key == k && (!k.long() || l.labels[found.code-1] == string(text)) {
			return found.code, false
		}
		i = l.after(i)
	}
	l.labels = append(l.labels, l.store(text))
	code = uint32(len(l.labels))
	l.table[i] = slot{k, code}
	if l.crowded(len(l.labels)) {
		l.grow()
	}
	return code, true
}

// store copies a text to the page, which never moves: a page that is full is
// followed by a new one.
func (l *lexicon) store(text []byte) string {
	if len(text) > pageSize/4 {
		return string(text)
	}
	if l.page.Cap()-l.page.Len() < len(text) {
		size := pageSize
		if len(l.labels) < 64 {
			size = pageSize / 16 // most columns have few short labels
		}
		l.page = strings.Builder{}
		l.page.Grow(max(size, len(text)))
	}
	start := l.page.Len()
	l.page.Write(text)
	return l.page.String()[start:]
}
