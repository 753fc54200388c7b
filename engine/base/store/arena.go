package store

import (
	"strings"
	"unsafe"
)

// Arena keeps texts one behind the other in arrays of a store. It is for one goroutine.
type Arena struct {
	store *Store
	rest  []byte
	size  int      // of the last array on the heap
	all   [][]byte // the arrays
	apart bool     // texts that Keep gets may be in arrays that are freed
}

// arenaBytes is the size of the arrays of an arena in a store, and heapBytes the largest one of those on the heap.
const (
	arenaBytes = 1 << 20
	heapBytes  = 1 << 15
)

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
	case a.store == nil && len(text) > len(a.rest):
		a.size = min(max(2*a.size, 64), heapBytes)
		a.rest = make([]byte, max(a.size, len(text)))
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
