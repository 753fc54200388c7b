package statfile

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
)

// Growth factors for slices whose announced length may be wrong. A slice of few elements grows by mostAhead, or to
// the announced length if that is at most twice as much; a larger one grows by laterAhead, or to the announced
// length once a goodPart-th of it is present.
const (
	fewElements = 1 << 17
	mostAhead   = 16
	laterAhead  = 3
	goodPart    = 8
)

// Longer returns a slice in a store extended to length to; new elements are undefined, and the old slice must not
// be used afterwards. most is the announced final length, or negative if unknown. If it is right, few elements are
// copied; if it is wrong, the wasted memory is proportional to the elements that exist.
func Longer[T any](s *store.Store, elements []T, to, most int) []T {
	if to > cap(elements) {
		elements = store.Longer(s, elements, longerBy(to, most))
	}
	return elements[:max(len(elements), to)]
}

// longerBy returns the new capacity if the old one is too small.
func longerBy(to, most int) int {
	switch {
	case to <= most && to > fewElements && to >= most/goodPart:
		return most
	case to <= most && to > fewElements:
		return min(laterAhead*to, most)
	case to <= most && mostAhead*to > most/2:
		return most
	case to <= most:
		return mostAhead * to
	}
	return 2 * to
}

// Fitted returns a slice, possibly copied, whose capacity is close to its length.
func Fitted[T any](s *store.Store, elements []T) []T {
	if s == nil && cap(elements)-len(elements) > len(elements)/8 {
		return slices.Clone(elements)
	}
	return elements
}
