package linkage

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// leastSum returns the minimum sum of distances over all assignments.
func leastSum(n int, distance func(row, column int) float64) float64 {
	var from func(row int, taken uint) float64
	from = func(row int, taken uint) float64 {
		if row == n {
			return 0
		}
		least := math.Inf(1)
		for column := range n {
			if taken>>column&1 == 0 {
				least = min(least, distance(row, column)+from(row+1, taken|1<<column))
			}
		}
		return least
	}
	return from(0, 0)
}

// The sum is minimal for small files, with and without many equal distances.
func TestAssignIsLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, values := rapid.IntRange(1, 7).Draw(t, "n"), rapid.IntRange(1, 1000).Draw(t, "values")
		distances := rapid.SliceOfN(rapid.IntRange(0, values), n*n, n*n).Draw(t, "distances")
		distance := func(row, column int) float64 { return float64(distances[row*n+column]) }
		of, err := assign(context.Background(), n, distance, nil)
		if err != nil {
			t.Fatal(err)
		}
		sum, seen := 0.0, map[int]bool{}
		for row, column := range of {
			if seen[column] {
				t.Fatalf("column %d is given twice: %v", column, of)
			}
			seen[column] = true
			sum += distance(row, column)
		}
		if want := leastSum(n, distance); sum != want {
			t.Fatalf("the sum is %v, could be %v", sum, want)
		}
	})
}

// Dual prices prove that larger assignments are optimal.
func TestAssignIsProven(t *testing.T) {
	for _, n := range []int{40, 300} {
		draw := rand.New(rand.NewPCG(7, uint64(n)))
		distances := make([]float64, n*n)
		for i := range distances {
			distances[i] = math.Floor(1000 * draw.ExpFloat64())
		}
		distance := func(row, column int) float64 { return distances[row*n+column] }
		of, err := assign(context.Background(), n, distance, nil)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for row, column := range of {
			sum += distance(row, column)
		}
		if bound := dualBound(n, distance); math.Abs(sum-bound) > 1e-6 {
			t.Errorf("n = %d: the sum is %v, the least %v", n, sum, bound)
		}
	}
}

// dualBound returns the minimum sum by the Hungarian method, in O(n³) time.
func dualBound(n int, distance func(row, column int) float64) float64 {
	rows, columns, rowOf := make([]float64, n+1), make([]float64, n+1), make([]int, n+1)
	for row := 1; row <= n; row++ {
		rowOf[0] = row
		least, way, used := make([]float64, n+1), make([]int, n+1), make([]bool, n+1)
		for j := range least {
			least[j] = math.Inf(1)
		}
		at := 0
		for rowOf[at] != 0 {
			used[at] = true
			delta, next := math.Inf(1), 0
			for j := 1; j <= n; j++ {
				if used[j] {
					continue
				}
				if slack := distance(rowOf[at]-1, j-1) - rows[rowOf[at]] - columns[j]; slack < least[j] {
					least[j], way[j] = slack, at
				}
				if least[j] < delta {
					delta, next = least[j], j
				}
			}
			for j := range used {
				if used[j] {
					rows[rowOf[j]] += delta
					columns[j] -= delta
				} else {
					least[j] -= delta
				}
			}
			at = next
		}
		for at != 0 {
			rowOf[at], at = rowOf[way[at]], way[at]
		}
	}
	sum := 0.0
	for j := 1; j <= n; j++ {
		sum += distance(rowOf[j]-1, j-1)
	}
	return sum
}

func oneToOne(t tester, m *OneToOne, was, now *microdata.Dataset) measure.Entry {
	t.Helper()
	scenario := microdata.NewScenario()
	in := measure.Input{Original: measure.NewVersion(was, &scenario, nil), Current: measure.NewVersion(now, &scenario, nil)}
	entry, err := OneToOneSpec().Compute(t.Context(), in, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	return entry
}

// By hand: masked 1.4 and 1.6 are both nearest to 2, although they belong to its neighbours; one-to-one linkage
// finds both. If two masked records are equal, each link is correct with probability one half.
func TestOneToOneByHand(t *testing.T) {
	for _, c := range []struct {
		was, now []float64
		want     float64
	}{
		{[]float64{1, 2, 9}, []float64{1.9, 2.6, 9}, 1},
		{[]float64{1, 2, 9}, []float64{1.5, 1.5, 9}, (0.5 + 0.5 + 1) / 3},
		{[]float64{1, 2, 3}, []float64{3, 2, 1}, 1.0 / 3},
		{[]float64{5, 5, 5, 5}, []float64{7, 7, 7, 7}, 0.25},
	} {
		was := golden.Named(map[string][]float64{"x": c.was}, "x")
		now := golden.Named(map[string][]float64{"x": c.now}, "x")
		for _, distance := range []string{Euclid, Manhattan, Mahalanobis, Gower} {
			entry := oneToOne(t, &OneToOne{Variables: []string{"x"}, Distance: distance, Block: 100}, was, now)
			if got := entry.Value("linkage_one_to_one", 0).Number; !near(got, c.want) {
				t.Errorf("%v masked as %v by %s: %v found, want %v", c.was, c.now, distance, got, c.want)
			}
		}
	}
}

// Distances follow their definitions.
func TestDistances(t *testing.T) {
	was := golden.Named(map[string][]float64{"x": {0, 2, 10, 4}, "y": {3, 3, 3, -1}}, "x", "y")
	now := golden.Named(map[string][]float64{"x": {1, 2, 8, 5}, "y": {1, 2, 3, 3}}, "x", "y")
	pairs, err := numeric.NewPairs(t.Context(), was, now, []string{"x", "y"})
	if err != nil {
		t.Fatal(err)
	}
	m := &OneToOne{Distance: Gower}
	s := m.sides(measure.Input{}, pairs, nil)
	if got, want := s.distance(0, 1), (1.0/10+2.0/4)/2; !near(got, want) {
		t.Errorf("Gower: %v, want %v", got, want)
	}
	// x is 7 for all and 8 now: |8-7| is used unscaled, y is divided by its range 3-1, and the mean of both is the
	// distance.
	was, now = golden.Named(map[string][]float64{"x": {7, 7, 7}, "y": {1, 2, 3}}, "x", "y"), golden.Named(map[string][]float64{"x": {8, 8, 8},
		"y": {1, 2, 3}}, "x", "y")
	entry := oneToOne(t, &OneToOne{Variables: []string{"x", "y"}, Distance: Gower, Block: 100}, was, now)
	if got := entry.Value("distance_own", 0).Number; !near(got, (1.0+0)/2) {
		t.Errorf("Gower of a constant: %v, want 0.5", got)
	}
	m.Distance = Mahalanobis
	s = m.sides(measure.Input{}, pairs, nil)
	// by hand: means 4 and 2, variances 56/3 and 4, covariance 0
	if got, want := s.distance(0, 1), math.Sqrt(1/(56.0/3)+4.0/4); !near(got, want) {
		t.Errorf("Mahalanobis: %v, want %v", got, want)
	}
}

// A single numeric variable is linked by rank, which has the minimum sum.
func TestOrderIsLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(t, "n")
		values := rapid.SliceOfN(rapid.Float64Range(-9, 9), 2*n, 2*n).Draw(t, "values")
		s := &sides{n: n, numbers: 1, width: 1, masked: values[:n], known: values[n:], squared: true}
		of, _, err := s.link(context.Background(), n, nil)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i, k := range of {
			sum += s.distance(i, k)
		}
		if want := leastSum(n, s.distance); !near(sum, want) {
			t.Fatalf("the sum is %v, could be %v", sum, want)
		}
	})
}

// Categories differ by 0 or 1; a category with another label now is a different one.
func TestCategoriesOfGower(t *testing.T) {
	none := math.NaN()
	was := &microdata.Categories{Codes: microdata.CodesOf([]uint32{1, 2, 0, 3}), Levels: []microdata.Level{{Label: "a", Value: none}, {Label: "b", Value: none}, {Label: "c", Value: none}}}
	now := &microdata.Categories{Codes: microdata.CodesOf([]uint32{2, 1, 0, 1}), Levels: []microdata.Level{{Label: "b or c", Value: none}, {Label: "a", Value: none}}}
	before, after := equalCodes(was, now, []uint32{0, 1, 2, 3})
	if got := fmt.Sprint(before, after); got != "[2 -2 0 -3] [2 1 0 1]" {
		t.Error(got)
	}
}

// Numbers and categories together: each has an equal share of the distance.
func TestGowerOfBoth(t *testing.T) {
	data := generated.Survey(t, 60, 7, "region", "income")
	scenario := microdata.NewScenario()
	version := measure.NewVersion(data, &scenario, nil)
	pairs, err := numeric.NewPairs(t.Context(), data, data, []string{"income"})
	if err != nil {
		t.Fatal(err)
	}
	m := &OneToOne{Distance: Gower}
	s := m.sides(measure.Input{Original: version, Current: version}, pairs, []string{"region"})
	income, region := pairs.Original[0], data.Columns()[0]
	for i, row := range pairs.Rows {
		for k, other := range pairs.Rows {
			want := math.Abs(income[i]-income[k]) / (slices.Max(income) - slices.Min(income)) / 2
			if region.Text(int(row)) != region.Text(int(other)) {
				want += 0.5
			}
			if got := s.distance(i, k); !near(got, want) {
				t.Fatalf("records %d and %d: %v, want %v", row, other, got, want)
			}
		}
	}
}

// Blocks contain each record once, the same number of both files.
func TestBlocksOfLinks(t *testing.T) {
	n := 2003
	draw := rand.New(rand.NewPCG(1, 2))
	s := &sides{n: n, numbers: 2, width: 2, squared: true}
	for range 2 * n {
		x := math.Floor(draw.NormFloat64() * 1e6)
		s.known, s.masked = append(s.known, x), append(s.masked, x+0.25)
	}
	of, blocks, err := s.link(t.Context(), 600, nil)
	if err != nil || blocks != 4 {
		t.Fatal(blocks, err)
	}
	seen, right := map[int]bool{}, 0.0
	for i, p := range s.right(of) {
		seen[of[i]] = true
		right += p
	}
	if len(seen) != n || right < 0.98*float64(n) {
		t.Errorf("%d records are linked, %v to their own, of %d", len(seen), right, n)
	}
}

// BenchmarkOneToOne links the maximum number of records of a block.
func BenchmarkOneToOne(b *testing.B) {
	n := 5000
	draw := rand.New(rand.NewPCG(1, 2))
	was, now := map[string][]float64{}, map[string][]float64{}
	for _, name := range []string{"x", "y", "z"} {
		for range n {
			value := draw.NormFloat64()
			was[name], now[name] = append(was[name], value), append(now[name], value+0.3*draw.NormFloat64())
		}
	}
	before, after := golden.Named(was, "x", "y", "z"), golden.Named(now, "x", "y", "z")
	for b.Loop() {
		entry := oneToOne(b, &OneToOne{Variables: []string{"x", "y", "z"}, Distance: Euclid, Block: n}, before, after)
		b.ReportMetric(entry.Value("linkage_one_to_one", 0).Number, "found")
	}
}
