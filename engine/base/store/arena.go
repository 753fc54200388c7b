package store

import (
	"strings"
	"unsafe"
)

// Arena keeps texts one behind the other in arrays of a store. It is for one goroutine.
type Arena struct {
	store *Store
	rest  []byte
	all   [][]byte // the arrays
	apart bool     // texts that Keep gets may be in arrays that are freed
}

// arenaBytes is the size of the arrays of an arena.
const arenaBytes = 1 << 20

// NewArena returns an arena for what refers to texts, such as levels: of a store where that is in a file of it, else of the
// heap. A file never refers to the heap: the collector does not look there.
func NewArena[T any](s *Store, of []T) *Arena {
	a := &Arena{apart: s != nil}
	if Holds(s, of) {
		a.store = s
	}
	return a
}

// Put returns a text that is kept as long as the store.
func (a *Arena) Put(text []byte) string {
	switch {
	case len(text) == 0:
		return ""
	case a.store == nil:
		return string(text)
	case len(text) > len(a.rest):
		if a.rest = Make[byte](a.store, max(arenaBytes, len(text))); !Holds(a.store, a.rest) {
			a.store.pin(a.rest)
		}
		a.all = append(a.all, a.rest)
	}
	kept := a.rest[:len(text)]
	a.rest = a.rest[copy(kept, text):]
	return unsafe.String(unsafe.SliceData(kept), len(kept))
}

// Keep is Put for a text that may stay where it is if that is the heap.
func (a *Arena) Keep(text string) string {
	switch {
	case a.store != nil:
		return a.Put([]byte(text))
	case a.apart:
		return strings.Clone(text)
	}
	return text
}

// Free gives up all texts, which nobody may read any more.
func (a *Arena) Free() {
	if a != nil {
		for _, array := range a.all {
			Free(a.store, array)
		}
		a.all, a.rest = nil, nil
	}
}
