package database

import (
	"slices"
	"testing"
)

// Groups go by hashes only where these tell all of them apart; else by the texts of their cells.
func TestHashesTellGroupsApart(t *testing.T) {
	for _, c := range []struct {
		hashes []int64
		used   bool
	}{{[]int64{3, -1, 2}, true}, {[]int64{3, -1, 3}, false}, {[]int64{}, true}} {
		was := slices.Clone(c.hashes)
		if got := alone(c.hashes); (got != nil) != c.used || c.used && !slices.Equal(got, was) {
			t.Errorf("of %v these are used: %v", was, got)
		}
	}
	g := &Groups{records: []string{"(a)", "(b)", "(c)"}}
	if it := g.addresses([]int{2, 0}); len(it.numbers) != 0 || *it.texts[0] != "(c)" || *it.texts[1] != "(a)" {
		t.Errorf("addresses without hashes: %+v", it)
	}
	g.hashes = []int64{7, 8, 9}
	if it := g.addresses([]int{2, 0}); it.texts != nil || !slices.Equal(it.numbers, []int64{9, 7}) {
		t.Errorf("addresses by hashes: %+v", it)
	}
}
