package crosstable

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
)

// Values get the same numbers whether few or many are possible.
func TestIndexNumbersValuesAsTheyCome(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOf(rapid.Uint64Range(0, 40)).Draw(t, "values")
		var x index
		for _, limit := range []uint64{41, 1 << 60, 41} {
			x.reset(limit, len(values))
			var seen []uint64
			for _, value := range values {
				if !slices.Contains(seen, value) {
					seen = append(seen, value)
				}
				if got, want := x.number(value), slices.Index(seen, value)+1; int(got) != want {
					t.Fatalf("limit %d: %d has number %d, want %d", limit, value, got, want)
				}
			}
			if int(x.distinct) != len(seen) {
				t.Fatalf("limit %d: %d distinct values, want %d", limit, int(x.distinct), len(seen))
			}
		}
	})
}

// A cover has a variable in each set, none has a lower cost, and none has fewer variables at the same cost. The
// lower bound is the least cost of a cover.
func TestCoversAgainstAllSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const variables = 5
		cost := rapid.SliceOfN(rapid.Int64Range(0, 4), variables, variables).Draw(t, "cost")
		sets := rapid.SliceOfN(rapid.Uint64Range(1, 1<<variables-1), 1, 5).Draw(t, "sets")
		slices.SortStableFunc(sets, func(a, b uint64) int { return bits.OnesCount64(a) - bits.OnesCount64(b) })
		got, least, fewest := NewCovers(cost).Of(sets), int64(math.MaxInt64), variables
		for chosen := range uint64(1) << variables {
			if slices.ContainsFunc(sets, func(set uint64) bool { return set&chosen == 0 }) {
				continue
			}
			sum := int64(0)
			for v := range variables {
				sum += cost[v] * int64(chosen>>v&1)
			}
			if n := bits.OnesCount64(chosen); sum < least || sum == least && n < fewest {
				least, fewest = sum, n
			}
		}
		if got.Least != least || bits.OnesCount64(got.Set) != fewest ||
			slices.ContainsFunc(sets, func(set uint64) bool { return set&got.Set == 0 }) {
			t.Fatalf("sets %b of cost %v: %b costs %d, the least is %d with %d variables", sets, cost, got.Set, got.Least, least,
				fewest)
		}
	})
}

// Groups with the same key are counted together; keys with a missing value are not.
func TestCountOfGroups(t *testing.T) {
	groups := &keys.Groups{Levels: []int{2, 2}, Codes: [][]uint32{{1, 1, 2, 0}, {1, 2, 1, 2}},
		Counts: []int{1, 3, 2, 1}}
	u, err := Count(t.Context(), groups, Sorted([]Table{{3, 1}, {1, 2}, {3, 2}}))
	if err != nil {
		t.Fatal(err)
	}
	// Both variables, threshold 2: 1 1 with one record, 2 1 with two; the first by itself: 2 with two.
	if u.Cells != 3 || !slices.Equal(u.ByDimension(0), []int{1, 2}) || !slices.Equal(u.ByDimension(1), []int{0, 2}) ||
		!slices.Equal(u.ByCategory(0, 2), []int{1, 1}) {
		t.Errorf("%d cells, %v and %v by dimension, %v of category 2", u.Cells, u.ByDimension(0), u.ByDimension(1),
			u.ByCategory(0, 2))
	}
}
