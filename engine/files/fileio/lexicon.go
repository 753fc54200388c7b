package fileio

import (
	"hash/maphash"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
)

// lexicon numbers the distinct texts of a variable, from 1 in the order in which they come: an open-addressing table, at
// most half full. Where the texts are many it is in scratch space, as far as there is some.
type lexicon struct {
	scratch *store.Store
	table   []uint64 // by place: 32 bits of the hash, then the code; 0: empty
	words   []string
	texts   *store.Arena // of the words, where these are in scratch space
}

const fewestWords = 32

// code returns the code of a text, which is entered where it is not known.
func (l *lexicon) code(text []byte) (code uint32, known bool) {
	if 2*len(l.words) >= len(l.table) {
		l.grow()
	}
	hash := maphash.Bytes(seed, text) >> 32
	at := int(hash) & (len(l.table) - 1)
	for ; l.table[at] != 0; at = (at + 1) & (len(l.table) - 1) {
		if slot := l.table[at]; slot>>32 == hash && l.words[uint32(slot)-1] == string(text) {
			return uint32(slot), true
		}
	}
	l.enter(text)
	l.table[at] = hash<<32 | uint64(len(l.words))
	return uint32(len(l.words)), false
}

// enter adds a word. Words that move to scratch space take their texts along: it never refers to the heap.
func (l *lexicon) enter(text []byte) {
	if len(l.words) == cap(l.words) {
		longer := store.Make[string](l.scratch, max(fewestWords, 2*len(l.words)))[:len(l.words)]
		if copy(longer, l.words); l.texts == nil && store.Holds(l.scratch, longer) {
			l.texts = store.NewArena(l.scratch, longer)
			for i, word := range l.words {
				longer[i] = l.texts.Put([]byte(word))
			}
		}
		store.Free(l.scratch, l.words)
		l.words = longer
	}
	if l.texts == nil {
		l.words = append(l.words, string(text))
	} else {
		l.words = append(l.words, l.texts.Put(text))
	}
}

func (l *lexicon) grow() {
	old := l.table
	l.table = store.Make[uint64](l.scratch, max(2*fewestWords, 2*len(old)))
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
	store.Free(l.scratch, old)
}

// free gives up the memory of the lexicon and of its words.
func (l *lexicon) free() {
	store.Free(l.scratch, l.table)
	store.Free(l.scratch, l.words)
	l.texts.Free()
	*l = lexicon{}
}
