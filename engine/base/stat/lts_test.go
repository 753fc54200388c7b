package stat

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// In small files, the smallest sum over all subsets is found.
func TestTrimmedSumIsLeast(t *testing.T) {
	draw := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		const n = 11
		y, x := make([]float64, n), [][]float64{make([]float64, n)}
		for i := range n {
			x[0][i] = draw.NormFloat64()
			y[i] = 2*x[0][i] + draw.NormFloat64()
			if i < 3 {
				y[i] += 20
			}
		}
		h := (n + 3) / 2
		least := math.Inf(1)
		for set := range 1 << n {
			var records []uint32
			for i := range n {
				if set>>i&1 == 1 {
					records = append(records, uint32(i))
				}
			}
			if len(records) != h {
				continue
			}
			fit, err := leastSquares(y, x, records)
			if err != nil {
				continue
			}
			squares, sum := make([]float64, n), 0.0
			fit.squares(y, x, squares)
			for _, i := range records {
				sum += squares[i]
			}
			least = min(least, sum)
		}
		fits, err := trimmedStarts(t.Context(), y, x)
		if err != nil {
			t.Fatal(err)
		}
		best, err := fits[0].concentrated(t.Context(), y, x, h, ltsSteps)
		if err != nil || best.sum > least*(1+1e-9) {
			t.Errorf("the sum is %v, could be %v (%v)", best.sum, least, err)
		}
	}
}

// An exact relation is found even if almost half of the records violate it, also in large files that are sampled;
// linearly dependent variables are an error.
func TestTrimmedExactly(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 9))
	for _, n := range []int{40, 4000} {
		y, x := make([]float64, n), [][]float64{make([]float64, n), make([]float64, n)}
		for i := range n {
			x[0][i], x[1][i] = draw.NormFloat64(), draw.NormFloat64()
			if y[i] = 1 + 2*x[0][i] - 3*x[1][i]; i%5 < 2 {
				y[i] = 100 * draw.NormFloat64()
			}
		}
		fit, err := LeastTrimmedSquares(t.Context(), y, x)
		if err != nil || math.Abs(fit.Intercept-1) > 1e-9 || math.Abs(fit.Slopes[0]-2) > 1e-9 || math.Abs(fit.Slopes[1]+3) > 1e-9 {
			t.Errorf("%d records: %+v, %v", n, fit, err)
		}
		twice := [][]float64{x[0], slices.Clone(x[0])}
		if _, err := LeastTrimmedSquares(t.Context(), y, twice); !errors.Is(err, ErrSingular) {
			t.Errorf("%d records: %v", n, err)
		}
	}
	if _, err := LeastTrimmedSquares(t.Context(), []float64{1, 2, 3}, [][]float64{{1, 2, 3}}); !errors.Is(err, ErrSingular) {
		t.Error(err)
	}
}
