package minimal

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestCompatibleRowsAreFound compares with a search of all rows while rows are added and emptied.
func TestCompatibleRowsAreFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 60, 4)
		r := newRows(p, pack(p))
		sets := rapid.SliceOfN(rapid.Uint64Range(0, p.full()), p.keys(), p.keys()).Draw(t, "sets")
		missing := p.missing()
		entered := p.keys() / 2
		for key := range entered {
			r.add(uint32(key), missing[key]|sets[key], 1)
		}
		c := newCompatible(r, p.full())
		for key := entered; key < p.keys(); key++ {
			r.add(uint32(key), missing[key]|sets[key], 1)
			c.enter()
			r.size[key%len(r.size)] = 0
		}
		key := uint32(rapid.IntRange(0, p.keys()-1).Draw(t, "key"))
		codes := make([]uint32, p.variables())
		for v := range codes {
			if sets[0]>>v&1 == 0 {
				codes[v] = p.Codes[v][key]
			}
		}
		var got, want []uint32
		c.each(anyKind, codes, func(row uint32) bool { got = append(got, row); return true })
		for row := range r.size {
			if r.size[row] > 0 && areCompatible(codes, r.of(uint32(row))) {
				want = append(want, uint32(row))
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("rows compatible with %v (-want +got):\n%s", codes, diff)
		}
		for of, is := range map[kind]bool{incomplete: false, complete: true} {
			alike := slices.DeleteFunc(slices.Clone(want), func(row uint32) bool { return (r.set[row] == 0) != is })
			var found []uint32
			c.each(of, codes, func(row uint32) bool { found = append(found, row); return true })
			if slices.Sort(found); !slices.Equal(alike, found) {
				t.Fatalf("rows compatible with %v, complete %v: %v, should be %v", codes, is, found, alike)
			}
		}
		c.each(anyKind, codes, func(row uint32) bool {
			got = got[:0]
			return false
		})
		if len(want) > 0 && len(got) > 0 {
			t.Fatal("the first row was not visited")
		}
	})
}

// TestManyCategoriesShareBitTables has a variable with more categories than bit tables.
func TestManyCategoriesShareBitTables(t *testing.T) {
	p := randomProblem(11, 4000, []int{3000, 2, 3})
	r := newRows(p, pack(p))
	for key := range p.keys() {
		r.add(uint32(key), uint64(key%3)&1, 1)
	}
	c := newCompatible(r, p.full())
	if len(c.table[0]) >= p.Levels[0] {
		t.Fatalf("%d bit tables for %d categories", len(c.table[0]), p.Levels[0])
	}
	for row := range uint32(200) {
		var got, want []uint32
		c.each(anyKind, r.of(row), func(other uint32) bool { got = append(got, other); return true })
		for other := range r.size {
			if areCompatible(r.of(row), r.of(uint32(other))) {
				want = append(want, uint32(other))
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("rows compatible with %v (-want +got):\n%s", r.of(row), diff)
		}
	}
}
