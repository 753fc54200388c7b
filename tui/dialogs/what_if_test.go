package dialogs

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Counts next to bars are never cut, and are aligned.
func TestCountsNextToBars(t *testing.T) {
	for _, largest := range []int{7, 99_999_999, 4_294_967_295} {
		for _, count := range []int{0, 1, largest} {
			bar, records := BarAndCount(count, largest, 40)
			if draw.Width(bar)+draw.Width(records) != 40 || records[len(records)-1] != draw.Count(count)[len(draw.Count(count))-1] {
				t.Errorf("%d of %d: %q %q", count, largest, bar, records)
			}
		}
	}
}
