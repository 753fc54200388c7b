package store

import (
	"strings"
	"unsafe"
)

// Arena stores texts contiguously in arrays of a store. It must be used by one goroutine at a time.
type Arena struct {
	store *Store
	rest  []byte
	size  int      // size of the last array on the heap
	all   [][]byte // arrays from the store
	apart bool     // texts given to Keep may be in memory that is freed later
}

// arenaBytes is the minimum size of arrays in a store, heapBytes the maximum on the heap.
const (
	arenaBytes = 1 << 20
	heapBytes  = 1 << 15
)

// NewArena returns an arena for texts that the slice of refers to, such as labels of levels: in s if of is in a
// file of s, else on the heap. A file must not refer to the heap, because the garbage collector does not scan it.
func NewArena[T any](s *Store, of []T) *Arena {
	a := &Arena{apart: s != nil}
	if Holds(s, of) {
		a.store = s
	}
	return a
}

// Put copies a text into the arena. It is valid as long as the store.
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

// Keep is Put for a string, which it does not copy if that is safe.
func (a *Arena) Keep(text string) string {
	switch {
	case a.store != nil:
		return a.Put([]byte(text))
	case a.apart:
		return strings.Clone(text)
	}
	return text
}

// Free releases all texts. They must not be used afterwards.
func (a *Arena) Free() {
	if a != nil {
		for _, array := range a.all {
			Free(a.store, array)
		}
		a.all, a.rest = nil, nil
	}
}
