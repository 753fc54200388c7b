package store

import "unsafe"

// Arena keeps texts one behind the other in arrays of a store. It is for one goroutine.
type Arena struct {
	store *Store
	rest  []byte
}

// arenaBytes is the size of the arrays of an arena.
const arenaBytes = 1 << 20

// NewArena returns an arena for what refers to texts, such as levels: of a store where that is in a file of it, else of the
// heap. A file never refers to the heap: the collector does not look there.
func NewArena[T any](s *Store, of []T) *Arena {
	if !Holds(s, of) {
		s = nil
	}
	return &Arena{store: s}
}

// Text returns a text that is kept as long as the store.
func (a *Arena) Text(text []byte) string {
	switch {
	case len(text) == 0:
		return ""
	case a.store == nil:
		return string(text)
	case len(text) > len(a.rest):
		if a.rest = Make[byte](a.store, max(arenaBytes, len(text))); !Holds(a.store, a.rest) {
			a.store.pin(a.rest)
		}
	}
	kept := a.rest[:len(text)]
	a.rest = a.rest[copy(kept, text):]
	return unsafe.String(unsafe.SliceData(kept), len(kept))
}
