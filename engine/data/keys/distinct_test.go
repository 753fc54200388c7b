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
		d, seen := keys.NewDistinct(width, rapid.IntRange(0, 100).Draw(t, "room")), [][]uint32(nil)
		for range rapid.IntRange(1, 4).Draw(t, "times") {
			rows := rapid.SliceOfN(rapid.SliceOfN(rapid.Uint32Range(0, 3), width, width), 0, 100).Draw(t, "rows")
			columns := make([][]uint32, width)
			for _, row := range rows {
				for place, code := range row {
					columns[place] = append(columns[place], code)
				}
			}
			numbers := d.Number(columns)
			for i, row := range rows {
				want := slices.IndexFunc(seen, func(other []uint32) bool { return slices.Equal(row, other) })
				if want < 0 {
					want, seen = len(seen), append(seen, row)
				}
				if int(numbers[i]) != want {
					t.Fatalf("%v has number %d, not %d", row, numbers[i], want)
				}
			}
		}
		for number, row := range seen {
			for place, code := range row {
				if d.Codes()[place][number] != code {
					t.Fatalf("number %d is not %v", number, row)
				}
			}
		}
		if d.Len() != len(seen) {
			t.Fatalf("%d combinations, not %d", d.Len(), len(seen))
		}
	})
}
