package statfile

import (
	"hash/maphash"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
)

// Lexicon assigns codes to the distinct texts of a variable, from 1 in order of first occurrence, with an
// open-addressing table that is at most half full. If there are many texts, it is in scratch space if available.
// The zero value is ready to use.
type Lexicon struct {
	Scratch *store.Store
	Words   []string     // code c is Words[c-1]
	table   []uint64     // 32 bits of the hash, then the code; 0 for an empty slot
	texts   *store.Arena // memory of the words, if they are in scratch space
}

const fewestWords = 32

// seed is the seed of hashes; codes do not depend on it.
var seed = maphash.MakeSeed()

// Code returns the code of a text, adding it if it is not known.
func (l *Lexicon) Code(text []byte) (code uint32, known bool) {
	if 2*len(l.Words) >= len(l.table) {
		l.grow()
	}
	hash := maphash.Bytes(seed, text) >> 32
	at := int(hash) & (len(l.table) - 1)
	for ; l.table[at] != 0; at = (at + 1) & (len(l.table) - 1) {
		if slot := l.table[at]; slot>>32 == hash && l.Words[uint32(slot)-1] == string(text) {
			return uint32(slot), true
		}
	}
	l.enter(text)
	l.table[at] = hash<<32 | uint64(len(l.Words))
	return uint32(len(l.Words)), false
}

// enter adds a word. When the words move to scratch space their texts move too, because scratch space must not
// refer to the heap.
func (l *Lexicon) enter(text []byte) {
	if len(l.Words) == cap(l.Words) {
		longer := store.Make[string](l.Scratch, max(fewestWords, 2*len(l.Words)))[:len(l.Words)]
		if copy(longer, l.Words); l.texts == nil && store.Holds(l.Scratch, longer) {
			l.texts = store.NewArena(l.Scratch, longer)
			for i, word := range l.Words {
				longer[i] = l.texts.Put([]byte(word))
			}
		}
		store.Free(l.Scratch, l.Words)
		l.Words = longer
	}
	if l.texts == nil {
		l.Words = append(l.Words, string(text))
	} else {
		l.Words = append(l.Words, l.texts.Put(text))
	}
}

func (l *Lexicon) grow() {
	old := l.table
	l.table = store.Make[uint64](l.Scratch, max(2*fewestWords, 2*len(old)))
	for _, slot := range old {
		if slot == 0 {
			continue
		}
		at := int(slot>>32) & (len(l.table) - 1)
		for l.table[at] != 0 {
			at = (at + 1) & (len(l.table) - 1)
		}
		l.table[at] = slot
	}
	store.Free(l.Scratch, old)
}

// Free releases the lexicon and its words.
func (l *Lexicon) Free() {
	store.Free(l.Scratch, l.table)
	store.Free(l.Scratch, l.Words)
	l.texts.Free()
	*l = Lexicon{}
}
