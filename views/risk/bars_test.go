package risk

import (
	"slices"
	"testing"
)

// No two bars have ends that look the same, and the highest end stays.
func TestBarsDividedByTheThreshold(t *testing.T) {
	for _, c := range []struct {
		threshold float64
		want      []float64
	}{
		{0, []float64{.0001, .001, .01}}, {.001, []float64{.0001, .001, .01}}, {.02, []float64{.0001, .001, .01}},
		{.0004, []float64{.0001, .0004, .001, .01}}, {.00104, []float64{.0001, .00104, .01}},
		{.00096, []float64{.0001, .00096, .01}},
		{.00998, []float64{.0001, .001, .00998, .01}},
	} {
		if got := Divided([]float64{.0001, .001, .01}, c.threshold); !slices.Equal(got, c.want) {
			t.Errorf("threshold %v: %v, want %v", c.threshold, got, c.want)
		}
	}
}
