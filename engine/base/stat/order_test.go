package stat

import (
	"math"
	"slices"
	"testing"
)

// Many values, sorted in parts, have the same order as when sorted at once, for any distribution.
func TestOrderInParts(t *testing.T) {
	for name, value := range map[string]func(i int) float64{
		"all equal":    func(int) float64 { return 3 },
		"ascending":    func(i int) float64 { return float64(i) / 8 },
		"descending":   func(i int) float64 { return -float64(i) },
		"mostly zeros": func(i int) float64 { return math.Copysign(float64(i%50/49*i%977), float64(i%2)-0.5) },
		"periodic":     func(i int) float64 { return float64(i * 7919 % 10_007) },
		"far apart":    func(i int) float64 { return math.Ldexp(float64(i%13-6), i*31%900-450) },
		"infinite":     func(i int) float64 { return []float64{math.Inf(-1), math.Inf(1), float64(i)}[i%3] },
	} {
		values := make([]float64, 50_000)
		for i := range values {
			values[i] = value(i)
		}
		want := InOrder(len(values))
		slices.SortStableFunc(want, func(a, b uint32) int {
			switch x, y := values[a], values[b]; {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return 0
		})
		got := make([]uint32, len(values))
		if orderInParts(got, values); !slices.Equal(got, want) {
			t.Errorf("%s: another order", name)
		}
		if sorted := Order(values); !slices.Equal(sorted, want) {
			t.Errorf("%s: another order at once", name)
		}
	}
}
