package microaggregation_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/microaggregation"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// Groups are formed one after the other, around the remaining record with the largest robust distance.
func TestRMDGroupByGroup(t *testing.T) {
	for seed := range uint64(20) {
		draw := rand.New(rand.NewPCG(seed, 1))
		x, y := make([]float64, 23), make([]float64, 23)
		for i := range x {
			x[i] = math.Exp(draw.NormFloat64())
			y[i] = x[i] + draw.NormFloat64()
		}
		m := microaggregation.New()
		m.Decimals = numeric.Computed
		m.Variables, m.Method = []string{"x", "y"}, microaggregation.RMD
		out, err := golden.Apply(m, golden.Lettered('x', x, y), 1)
		if err != nil {
			t.Fatal(err)
		}
		mcd, err := stat.NewMCD(t.Context(), [][]float64{x, y})
		if err != nil {
			t.Fatal(err)
		}
		z, left := stat.Standardised([][]float64{x, y}), make([]int, len(x))
		for i := range left {
			left[i] = i
		}
		got := golden.Values(out.Data)
		for len(left) > 0 {
			group := slices.Clone(left)
			if len(left) >= 2*m.Size {
				first := slices.MaxFunc(left, func(a, b int) int { return cmp.Compare(mcd.Distances[a], mcd.Distances[b]) })
				away := func(i int) float64 { return math.Hypot(z[0][i]-z[0][first], z[1][i]-z[1][first]) }
				slices.SortFunc(group, func(a, b int) int { return cmp.Compare(away(a), away(b)) })
				group = group[:m.Size]
			}
			mean := 0.0
			for _, i := range group {
				mean += x[i] / float64(len(group))
			}
			for _, i := range group {
				if math.Abs(got[0][i]-mean) > 1e-9 {
					t.Fatalf("record %d of the file %d has %v, want %v", i, seed, got[0][i], mean)
				}
			}
			left = slices.DeleteFunc(left, func(i int) bool { return slices.Contains(group, i) })
		}
	}
}
