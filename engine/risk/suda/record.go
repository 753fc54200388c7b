package suda

import (
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
)

// OfKey returns the minimal sample uniques of one key pattern without searching the file, those of few variables
// first. They are the minimal sets, of at most LargestSize variables, that include at least one variable on which
// each other pattern differs from it. It makes one pass over the key patterns.
func OfKey(t *keys.Table, key int) []uint64 {
	if t.Counts()[key] != 1 {
		return nil
	}
	apart := make([]uint64, t.Keys())
	for v := range t.Variables() {
		codes := t.Codes(v)
		if codes[key] == 0 {
			continue
		}
		for other, code := range codes {
			if code != codes[key] {
				apart[other] |= 1 << v
			}
		}
	}
	apart = slices.Delete(apart, key, key+1)
	slices.SortFunc(apart, compareSets)
	apart = slices.Compact(apart)
	s := small{}
	for _, set := range apart { // only minimal sets are needed
		if !slices.ContainsFunc(s.apart, func(other uint64) bool { return set&other == other }) {
			s.apart = append(s.apart, set)
		}
	}
	if len(s.apart) == 0 {
		return singles(t, key)
	}
	sets := slices.Clone(s.hitting(LargestSize(t.Variables())))
	slices.SortFunc(sets, compareSets)
	return sets
}

// singles returns the sets of one variable that is not missing in the only key pattern of a file.
func singles(t *keys.Table, key int) (sets []uint64) {
	for v := range t.Variables() {
		if t.Codes(v)[key] != 0 {
			sets = append(sets, 1<<v)
		}
	}
	return sets
}

// compareSets orders sets by size, then by their first variables.
func compareSets(a, b uint64) int {
	if n := bits.OnesCount64(a) - bits.OnesCount64(b); n != 0 {
		return n
	}
	if a == b {
		return 0
	}
	if bits.Reverse64(a) > bits.Reverse64(b) {
		return -1
	}
	return 1
}
