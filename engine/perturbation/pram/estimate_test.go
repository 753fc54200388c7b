package pram

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// BenchmarkEstimate measures estimating the frequencies of a variable with as many categories as PRAM allows.
func BenchmarkEstimate(b *testing.B) {
	counts := make([]int, MaxLevels)
	d := make([]float64, MaxLevels)
	s := method.PRAMStratum{Levels: make([]string, MaxLevels)}
	for i := range counts {
		counts[i], d[i] = 1+i%97, 0.8
	}
	s.Matrix, s.Before, s.After = invariant(counts, d, 0.5), counts, counts
	for b.Loop() {
		if err := estimate(b.Context(), &s); err != nil {
			b.Fatal(err)
		}
	}
}
