package check

import "testing"

func TestLimitsAreBlunt(t *testing.T) {
	for x, want := range map[float64]float64{15652: 15000, 85: 85, 7: 7, 0: 0, -1234: -1300, 0.00123: 0.0012, 1e9 + 1: 1e9} {
		if got := blunt(x); got != want {
			t.Errorf("%v becomes %v, expected %v", x, got, want)
		}
	}
}
