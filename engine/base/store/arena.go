package store

import "unsafe"

// Arena keeps texts one behind the other in arrays of a store. It is for one goroutine.
type Arena struct {
	store *Store
	rest  []byte
}

// arenaBytes is the size of the arrays of an arena.
const arenaBytes = 1 << 20

// NewArena returns an arena of a store; of nil each text is on the heap by itself.
func NewArena(s *Store) *Arena { return &Arena{store: s} }

// Text returns a text that is kept as long as the store.
func (a *Arena) Text(text []byte) string {
	switch {
	case a.store == nil:
		return string(text)
	case len(text) == 0:
		return ""
	case len(text) > len(a.rest):
		a.rest = Make[byte](a.store, max(arenaBytes, len(text)))
	}
	kept := a.rest[:len(text)]
	a.rest = a.rest[copy(kept, text):]
	return unsafe.String(unsafe.SliceData(kept), len(kept))
}
