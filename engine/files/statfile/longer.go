package statfile

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
)

// How many times what is there memory is taken for, where the file says that there is more: of
// few elements many times, up to twice as many where that is then all; of others the times that
// reading may take of what comes out, or all of it where a good part is there.
const (
	fewElements = 1 << 17
	mostAhead   = 16
	laterAhead  = 3
	goodPart    = 8
)

// Longer returns the elements, which are in a store, with places up to one, of which the new ones may hold
// anything. Nobody may read the elements from before any more. most is how many there are said to be in the end, less than 0 where
// nobody says it. Where that is right, few are copied; where it is wrong, the memory
// taken for nothing is bounded by what is there.
func Longer[T any](s *store.Store, elements []T, to, most int) []T {
	if to > cap(elements) {
		elements = store.Longer(s, elements, longerBy(to, most))
	}
	return elements[:max(len(elements), to)]
}

// longerBy returns for how many elements Longer takes memory where there is too little.
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

// Fitted returns the elements, which are in a store, in memory that is little longer than they are.
func Fitted[T any](s *store.Store, elements []T) []T {
	if s == nil && cap(elements)-len(elements) > len(elements)/8 {
		return slices.Clone(elements)
	}
	return elements
}
