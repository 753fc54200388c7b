package stat

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/sdcdesk/sdcdesk/house/longtests"
)

// leastPlaces agrees with Order, whatever the ties.
func TestLeastPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := make([]float64, rapid.IntRange(1, 60).Draw(t, "n"))
		different := rapid.SampledFrom([]int{0, 2, 1000}).Draw(t, "values")
		for i := range values {
			values[i] = float64(rapid.IntRange(0, different).Draw(t, "value"))
		}
		h := rapid.IntRange(1, len(values)).Draw(t, "h")
		want := Order(values)[:h]
		slices.Sort(want)
		if got := leastPlaces(values, h); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}
