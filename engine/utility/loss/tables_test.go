package loss

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A table has the same cells whether it is counted in an array or by those that occur.
func TestSparseCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		all := make([]classes, 3)
		for j := range all {
			codes := func() []uint32 { return rapid.SliceOfN(rapid.Uint32Range(0, 3), n, n).Draw(t, "codes") }
			all[j] = classes{was: codes(), now: codes(), levels: 3}
		}
		set := []int{0, 1, 2}[:rapid.IntRange(1, 3).Draw(t, "size")]
		ordered := func(cells [][2]int) [][2]int {
			cells = slices.DeleteFunc(cells, func(cell [2]int) bool { return cell == [2]int{} })
			slices.SortFunc(cells, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
			return cells
		}
		if dense, sparse := ordered(counts(all, set)), ordered(sparseCounts(all, set)); !slices.Equal(dense, sparse) {
			t.Fatalf("cells %v, in an array %v", sparse, dense)
		}
	})
}
