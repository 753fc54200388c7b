package keys_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
)

// Combinations have the numbers in which they come first.
func TestDistinctNumbersAsTheyCome(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 4).Draw(t, "width")
		rows := rapid.SliceOfN(rapid.SliceOfN(rapid.Uint32Range(0, 3), width, width), 0, 200).Draw(t, "rows")
		d, seen := keys.NewDistinct(width), [][]uint32(nil)
		for _, row := range rows {
			want := slices.IndexFunc(seen, func(other []uint32) bool { return slices.Equal(row, other) })
			if want < 0 {
				want, seen = len(seen), append(seen, row)
			}
			if got := int(d.Number(row)); got != want || !slices.Equal(d.Of(uint32(got)), row) {
				t.Fatalf("%v has number %d, not %d", row, got, want)
			}
		}
		if d.Len() != len(seen) {
			t.Fatalf("%d combinations, not %d", d.Len(), len(seen))
		}
	})
}
