package store

import "unsafe"

// Arena keeps texts one behind the other in arrays of a store. It is for one goroutine.
type Arena struct {
	store *Store
	rest  []byte
	heap  int // bytes of the texts that are on the heap
}

// arenaBytes is the size of the arrays of an arena.
const arenaBytes = 1 << 20

// NewArena returns an arena of a store. The first texts are on the heap, all of them without a store.
func NewArena(s *Store) *Arena { return &Arena{store: s} }

// Text returns a text that is kept as long as the store.
func (a *Arena) Text(text []byte) string {
	switch {
	case len(text) == 0:
		return ""
	case a.store == nil || a.heap+len(text) <= a.store.small:
		a.heap += len(text)
		return string(text)
	case len(text) > len(a.rest):
		a.rest = Make[byte](a.store, max(arenaBytes, len(text)))
	}
	kept := a.rest[:len(text)]
	a.rest = a.rest[copy(kept, text):]
	return unsafe.String(unsafe.SliceData(kept), len(kept))
}
