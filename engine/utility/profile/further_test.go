package profile

import "testing"

// One step from between two values leads to the next value on that side.
func TestFurther(t *testing.T) {
	values := []float64{1, 4, 9}
	for _, c := range []struct {
		x        float64
		by, want int
	}{{4, 1, 2}, {4, -1, 0}, {5, 1, 2}, {5, -1, 1}, {9, 3, 2}, {0, -1, 0}, {12, 1, 2}} {
		if got := Further(len(values), func(i int) float64 { return values[i] }, c.x, c.by); got != c.want {
			t.Errorf("from %v by %d: place %d, want %d", c.x, c.by, got, c.want)
		}
	}
}
