package microaggregation

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// blobs returns records around centres that are far apart, one centre after the other.
func blobs(draw *rand.Rand, centers [][2]float64, each int) [][]float64 {
	x := make([][]float64, 2)
	for range each {
		for _, center := range centers {
			x[0], x[1] = append(x[0], center[0]+draw.NormFloat64()), append(x[1], center[1]+draw.NormFloat64())
		}
	}
	return x
}

// No exchange of a medoid for another record lowers the sum of the distances. If the clusters are far apart, no
// other choice of medoids has a lower sum.
func TestMedoids(t *testing.T) {
	sumOf := func(x [][]float64, medoids []uint32) (sum float64) {
		for i := range x[0] {
			least := math.Inf(1)
			for _, m := range medoids {
				least = min(least, euclid(x, uint32(i), m))
			}
			sum += least
		}
		return sum
	}
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(r, "records")
		count := rapid.IntRange(1, min(n, 5)).Draw(r, "clusters")
		x := [][]float64{nil, nil}
		for range n {
			x[0] = append(x[0], float64(rapid.IntRange(0, 9).Draw(r, "x")))
			x[1] = append(x[1], rapid.Float64Range(0, 9).Draw(r, "y"))
		}
		medoids, err := medoidsOf(t.Context(), x, stat.InOrder(n), count)
		if err != nil {
			r.Fatal(err)
		}
		if sorted := slices.Sorted(slices.Values(medoids)); len(slices.Compact(sorted)) != count {
			r.Fatalf("medoids %v", medoids)
		}
		sum := sumOf(x, medoids)
		for k := range medoids {
			for i := range n {
				other := slices.Clone(medoids)
				if other[k] = uint32(i); sumOf(x, other) < sum-1e-9 {
					r.Fatalf("%v in the place of %v lowers %v to %v", i, medoids[k], sum, sumOf(x, other))
				}
			}
		}
	})
	x := blobs(rand.New(rand.NewPCG(1, 2)), [][2]float64{{0, 0}, {20, 0}, {0, 20}}, 6)
	medoids, err := medoidsOf(t.Context(), x, stat.InOrder(18), 3)
	if err != nil {
		t.Fatal(err)
	}
	sum := sumOf(x, medoids)
	for a := range uint32(18) {
		for b := range a {
			for c := range b {
				if other := sumOf(x, []uint32{a, b, c}); other < sum-1e-9 {
					t.Fatalf("%v has %v, the medoids %v", []uint32{a, b, c}, other, sum)
				}
			}
		}
	}
}

// All methods find clusters that are far apart. The centres of fuzzy c-means are means weighted by the squared
// memberships, which add up to 1.
func TestClustersBy(t *testing.T) {
	x := blobs(rand.New(rand.NewPCG(5, 6)), [][2]float64{{10, 10}, {40, 10}, {10, 40}, {40, 40}}, 100)
	for _, how := range []string{KMeans, PAM, CLARA, CMeans} {
		c, err := newClusters(t.Context(), x, 4, 3, how, Unchanged)
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range c.of {
			if k != c.of[i%4] {
				t.Fatalf("%s: record %d is in cluster %d, its like in %d", how, i, k, c.of[i%4])
			}
		}
		if len(c.members) != 4 {
			t.Errorf("%s: %d clusters", how, len(c.members))
		}
	}
	c := &clusters{logs: stat.Standardised(x), of: make([]int, 400), centers: [][]float64{{-1, 0}, {1, 0.5}, {0.1, 1}}}
	if err := c.fuzzy(t.Context()); err != nil {
		t.Fatal(err)
	}
	for k, center := range c.centers {
		weights := make([]float64, len(c.of))
		for record := range weights {
			sum := 0.0
			for other := range c.centers {
				sum += c.membership(record, other)
			}
			if math.Abs(sum-1) > 1e-12 {
				t.Fatalf("memberships add up to %v", sum)
			}
			weights[record] = c.membership(record, k) * c.membership(record, k)
		}
		for j := range center {
			if mean := stat.WeightedMean(c.logs[j], weights); math.Abs(mean-center[j]) > 1e-8 {
				t.Errorf("centre %d, %d is %v, its mean %v", k, j, center[j], mean)
			}
		}
	}
	many := blobs(rand.New(rand.NewPCG(5, 6)), [][2]float64{{1, 1}}, mostPAM+1)
	if _, err := newClusters(t.Context(), many, 4, 3, PAM, Unchanged); !errors.Is(err, method.ErrInput) {
		t.Errorf("pam of many: %v", err)
	}
}

// The transformations are computed by hand, and λ by its definition: squares of normal values have λ near 1/2, and
// no other λ has a higher likelihood.
func TestTransformations(t *testing.T) {
	x := [][]float64{{4, 1, 0, math.E, 1}}
	for how, want := range map[string][]float64{Unchanged: x[0], Default: x[0], Logarithm: {math.Log(4), 0, 0, 1, 0},
		Ranks: {5, 2.5, 1, 4, 2.5}} {
		got, err := transformed(t.Context(), x, how)
		if err != nil || !slices.EqualFunc(got[0], want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
			t.Errorf("%s: %v, want %v (%v)", how, got, want, err)
		}
	}
	draw := rand.New(rand.NewPCG(3, 3))
	squares, roots := make([]float64, 5000), make([]float64, 5000)
	for i := range squares {
		roots[i] = 10 + draw.NormFloat64()
		squares[i] = roots[i] * roots[i]
	}
	if r := stat.Correlation([][]float64{boxCox(squares), roots})[0][1]; r < 0.9999 {
		t.Errorf("the correlation with the roots is %v", r)
	}
	likelihood := func(z []float64, lambda, logs float64) float64 {
		return (lambda-1)*logs - float64(len(z))/2*math.Log(stat.Variance(z))
	}
	some, logs := []float64{1, 2, 2.5, 7, 30}, []float64(nil)
	sum := 0.0
	for _, x := range some {
		logs = append(logs, math.Log(x))
		sum += math.Log(x)
	}
	best, at := math.Inf(-1), 0.0
	for lambda := -2.0; lambda <= 2; lambda += 0.001 {
		if l := likelihood(powers(logs, lambda), lambda, sum); l > best {
			best, at = l, lambda
		}
	}
	if z := boxCox(some); math.Abs(z[4]-powers(logs, at)[4]) > 0.01 || z[0] != 0 {
		t.Errorf("%v, by trying %v", z, powers(logs, at))
	}
}

// By hand: 1, 2, 3, 10, 99 winsorised by a fifth are 2, 2, 3, 10, 10.
func TestWinsorisedMean(t *testing.T) {
	m, values := Microaggregate{Aggregate: Winsorised, Trim: 0.2}, []float64{99, 1, 3, 2, 10}
	if got := m.value(values, nil); got != 27.0/5 {
		t.Errorf("mean %v", got)
	}
	if got := m.value(values, []float64{2, 1, 1, 1, 1}); got != 37.0/6 {
		t.Errorf("weighted mean %v", got)
	}
}
