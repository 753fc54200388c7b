package stat_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	gonum "gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
)

// random draws variables with random values and ties.
func random(t *rapid.T, p, n int) [][]float64 {
	variables := make([][]float64, p)
	for j := range variables {
		variables[j] = make([]float64, n)
		for i := range n {
			variables[j][i] = float64(rapid.IntRange(-40, 40).Draw(t, "value")) / 8
		}
	}
	return variables
}

func nearly(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(a)) }

// Moments, quantiles and eigenvalues equal those of gonum.
func TestAgainstGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, p := rapid.IntRange(2, 40).Draw(t, "n"), rapid.IntRange(1, 5).Draw(t, "p")
		x := random(t, p, n)
		data := mat.NewDense(n, p, nil)
		for j := range x {
			data.SetCol(j, x[j])
		}
		var want mat.SymDense
		gonum.CovarianceMatrix(&want, data, nil)
		got := stat.Covariance(x)
		for i := range p {
			for j := range p {
				if !nearly(got[i][j], want.At(i, j)) {
					t.Fatalf("covariance %d, %d is %v, want %v", i, j, got[i][j], want.At(i, j))
				}
			}
		}
		var eigen mat.EigenSym
		if !eigen.Factorize(&want, true) {
			t.Skip("gonum has no eigenvalues")
		}
		values, vectors := got.Eigen()
		largest := eigen.Values(nil)
		slices.Reverse(largest)
		for k := range values {
			if !nearly(values[k], largest[k]) {
				t.Fatalf("eigenvalues %v, want %v", values, largest)
			}
			image := times(got, vectors)
			for i := range p {
				if math.Abs(image[i][k]-values[k]*vectors[i][k]) > 1e-8*(1+values[0]) {
					t.Fatalf("vector %d is not one of its eigenvalue", k)
				}
			}
		}
		if l, err := got.Cholesky(); err == nil {
			back := times(l, l.Transposed())
			for i := range p {
				for j := range p {
					if !nearly(back[i][j], got[i][j]) {
						t.Fatalf("L L' is %v, want %v", back, got)
					}
				}
			}
		}
	})
}

// times returns the matrix product.
func times(a, b stat.Matrix) stat.Matrix {
	out := stat.NewMatrix(len(a), len(b[0]))
	for i := range a {
		for k, x := range a[i] {
			for j, y := range b[k] {
				out[i][j] += float64(x * y)
			}
		}
	}
	return out
}

func TestInverseRoot(t *testing.T) {
	m := stat.Matrix{{4, 1, 0.5}, {1, 3, -1}, {0.5, -1, 2}}
	root, err := m.InverseRoot()
	if err != nil {
		t.Fatal(err)
	}
	one := times(times(root, m), root)
	for i := range one {
		for j := range one {
			if want := map[bool]float64{true: 1}[i == j]; math.Abs(one[i][j]-want) > 1e-13 {
				t.Errorf("%v", one)
			}
		}
	}
	if _, err := (stat.Matrix{{1, 1}, {1, 1}}).InverseRoot(); err == nil {
		t.Error("a singular matrix has a root")
	}
}

// Order equals a stable sort, and tied values have their mean rank.
func TestOrderAndRanks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{0, 1, 7, 1500}).Draw(t, "n")
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(int(rapid.Uint8().Draw(t, "value"))-100) * 1e3
			if values[i] == 0 && i%2 == 0 {
				values[i] = math.Copysign(0, -1)
			}
		}
		want := make([]uint32, n)
		for i := range want {
			want[i] = uint32(i)
		}
		slices.SortStableFunc(want, func(a, b uint32) int {
			switch {
			case values[a] < values[b]:
				return -1
			case values[a] > values[b]:
				return 1
			}
			return 0
		})
		if got := stat.Order(values); !slices.Equal(got, want) {
			t.Fatalf("order %v, want %v", got, want)
		}
		for i, rank := range stat.Ranks(values) {
			below, equal := 0, 0
			for _, x := range values {
				if x < values[i] {
					below++
				} else if x == values[i] {
					equal++
				}
			}
			if rank != float64(below)+float64(equal+1)/2 {
				t.Fatalf("rank %v with %d below and %d equal", rank, below, equal)
			}
		}
	})
}

func TestQuantiles(t *testing.T) {
	x := []float64{3, 1, 2, 4}
	for what, pair := range map[string][2]float64{
		"median":                 {stat.Median(x), 2.5},
		"median of three":        {stat.Median(x[:3]), 2},
		"quartile":               {stat.Quantile(x, 0.25), 1.75},
		"greatest":               {stat.Quantile(x, 1), 4},
		"median without weights": {stat.WeightedQuantile(x, nil, 0.5), 2.5},
		"median of weights":      {stat.WeightedQuantile(x, []float64{1, 5, 1, 1}, 0.5), 1},
		"median of equal weights": {stat.WeightedQuantile([]float64{1, 2, 3, 4, 5, 6}, slices.Repeat([]float64{0.1}, 6),
			0.5), 3.5},
		"variance of a constant":    {stat.Variance(slices.Repeat([]float64{0.1}, 10)), 0},
		"constant, standardised":    {stat.Standardised([][]float64{slices.Repeat([]float64{0.1}, 10)})[0][3], 0},
		"MAD":                       {stat.MAD([]float64{1, 2, 3, 4, 100}), 1.4826},
		"weighted mean":             {stat.WeightedMean([]float64{1, 4}, []float64{2, 1}), 2},
		"correlation with constant": {stat.Correlation([][]float64{x, {1, 1, 1, 1}})[0][1], 0},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s is %v, want %v", what, pair[0], pair[1])
		}
	}
}

// Statistics of numbers whose sums, squares and differences overflow equal those of the same numbers divided by a
// power of two.
func TestExtremeNumbers(t *testing.T) {
	small := []float64{-0.9, 0.9, 0.5, -0.25, 0.9}
	large := make([]float64, len(small))
	for i, x := range small {
		large[i] = math.Ldexp(x, 1024) // up to 1.6e308
	}
	weights := []float64{1, 2, 3, 1, 4}
	for name, of := range map[string]func([]float64) float64{
		"mean": stat.Mean, "deviation": stat.StandardDeviation, "median": stat.Median, "mad": stat.MAD,
		"weighted mean": func(x []float64) float64 { return stat.WeightedMean(x, weights) },
		"quantile":      func(x []float64) float64 { return stat.Quantile(x, 0.1) },
		"middle":        func(x []float64) float64 { return stat.WeightedQuantile(x[:2], nil, 0.5) },
	} {
		want, got := of(small), math.Ldexp(of(large), -1024)
		if math.Abs(got-want) > 1e-15 {
			t.Errorf("%s: %v, not %v", name, got, want)
		}
	}
	if got := stat.Correlation([][]float64{large, small})[0][1]; math.Abs(got-1) > 1e-12 {
		t.Errorf("correlation %v", got)
	}
	want := stat.Standardised([][]float64{small})[0]
	for i, got := range stat.Standardised([][]float64{large})[0] {
		if math.Abs(got-want[i]) > 1e-12 {
			t.Errorf("standardised: %v, not %v", got, want[i])
		}
	}
}
