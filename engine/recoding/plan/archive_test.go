package plan

import (
	"slices"
	"testing"
)

// As many spots are chosen as are asked for, where there are so many places; those
// known are among them, whether at an end or not.
func TestSpreadChoosesAsMany(t *testing.T) {
	var spots []spot
	for i := range 101 {
		spots = append(spots, spot{x: float64(i) / 100})
	}
	for _, known := range [][]int{nil, {0, 100}, {100, 30, 30, 0}} {
		got := spread(spots, known, 5)
		if len(got) != 5 || !slices.IsSorted(got) || got[0] != 0 || got[4] != 100 {
			t.Errorf("known %v: %v", known, got)
		}
		for _, place := range known {
			if !slices.Contains(got, place) {
				t.Errorf("known %v: %v", known, got)
			}
		}
	}
	if got := spread(make([]spot, 9), nil, 5); !slices.Equal(got, []int{0, 8}) {
		t.Errorf("of spots in one place: %v", got)
	}
}
