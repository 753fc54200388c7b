package draw

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/sdcdesk/sdcdesk/house/longtests"
)

// Arranged columns fit the width if the least widths of those that must stay do.
func TestArrange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fields := make([]Column, rapid.IntRange(1, 8).Draw(t, "columns"))
		least := -1
		for i := range fields {
			f := Column{Size: rapid.IntRange(1, 30).Draw(t, "size"), Rank: rapid.IntRange(0, 3).Draw(t, "rank")}
			f.Least = rapid.IntRange(0, f.Size).Draw(t, "least")
			if f.Rank == 0 {
				least += 1 + f.Least
				if f.Least == 0 {
					least += f.Size
				}
			}
			fields[i] = f
		}
		before := fmt.Sprint(fields)
		width := rapid.IntRange(1, 150).Draw(t, "width")
		arrange(fields, width)
		spread(fields, max(width, 0))
		if used := taken(fields, func(f Column) int { return f.Size }); used > width && least <= width {
			t.Fatalf("%s take %d of %d cells", before, used, width)
		}
	})
}
