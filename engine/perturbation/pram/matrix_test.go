package pram

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	_ "github.com/sdcdesk/sdcdesk/house/longtests"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

const tolerance = 1e-12

func shares(counts []int) []float64 {
	sum := 0
	for _, count := range counts {
		sum += count
	}
	t := make([]float64, len(counts))
	for i, count := range counts {
		t[i] = float64(count) / float64(sum)
	}
	return t
}

// checkStochastic checks that rows sum to 1 and that the shares are preserved.
func checkStochastic(t *rapid.T, rows [][]float64, shares []float64) {
	after := make([]float64, len(rows))
	for k, row := range rows {
		sum := 0.0
		for j, p := range row {
			if p < 0 || p > 1+tolerance {
				t.Fatalf("probability %v", p)
			}
			sum += p
			after[j] += shares[k] * p
		}
		if math.Abs(sum-1) > tolerance {
			t.Fatalf("row %d sums to %v", k, sum)
		}
	}
	for j := range after {
		if math.Abs(after[j]-shares[j]) > tolerance {
			t.Fatalf("share %d becomes %v from %v", j, after[j], shares[j])
		}
	}
}

// naive computes alpha PQ + (1-alpha) I by the definition.
func naive(counts []int, d []float64, alpha float64) [][]float64 {
	n, t := len(counts), shares(counts)
	p, q, r := square(n), square(n), square(n)
	for k := range n {
		for j := range n {
			p[k][j] = (1 - d[k]) / float64(n-1)
		}
		p[k][k] = d[k]
	}
	for k := range n {
		sum := 0.0
		for i := range n {
			sum += p[i][k] * t[i]
		}
		for j := range n {
			q[k][j] = p[j][k] * t[j] / sum
		}
	}
	for k := range n {
		for j := range n {
			for m := range n {
				r[k][j] += alpha * p[k][m] * q[m][j]
			}
		}
		r[k][k] += 1 - alpha
	}
	return r
}

func drawnCounts(t *rapid.T) []int {
	return rapid.SliceOfN(rapid.IntRange(1, 100_000), 2, 12).Draw(t, "counts")
}

func TestInvariantMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := drawnCounts(t)
		m := New()
		m.PD, m.Alpha = rapid.Float64Range(0, 1).Draw(t, "pd"), rapid.Float64Range(0, 1).Draw(t, "alpha")
		m.Diagonal = rapid.SampledFrom([]string{DiagonalDrawn, DiagonalExact}).Draw(t, "diagonal")
		d := m.diagonals(len(counts), rand.New(rand.NewPCG(1, uint64(counts[0]))))
		for _, x := range d {
			if x < m.PD || x > 1 || m.Diagonal == DiagonalExact && x != m.PD {
				t.Fatalf("diagonal %v with pd %v", x, m.PD)
			}
		}
		rows := invariant(counts, d, m.Alpha)
		checkStochastic(t, rows, shares(counts))
		want := naive(counts, d, m.Alpha)
		for k := range rows {
			for j := range rows {
				if math.Abs(rows[k][j]-want[k][j]) > tolerance {
					t.Fatalf("cell %d %d is %v, by the definition %v", k, j, rows[k][j], want[k][j])
				}
			}
		}
	})
}

// By hand: t = (.5, .5), d = (.8, .8): Q = P, PQ = (.68 .32; .32 .68), and the matrix is the average of PQ and I.
func TestInvariantMatrixByHand(t *testing.T) {
	rows := invariant([]int{50, 50}, []float64{0.8, 0.8}, 0.5)
	want := [][]float64{{0.84, 0.16}, {0.16, 0.84}}
	if diff := cmp.Diff(want, rows,
		cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < tolerance })); diff != "" {
		t.Errorf("matrix (-want +got):\n%s", diff)
	}
}

func TestForbiddenTransitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := drawnCounts(t)
		n := len(counts)
		labels, places := make([]string, n), make([]int, n)
		for i := range labels {
			labels[i], places[i] = string(rune('a'+i)), i
		}
		m := New()
		m.PD, m.Alpha = rapid.Float64Range(0, 1).Draw(t, "pd"), rapid.Float64Range(0, 1).Draw(t, "alpha")
		m.Diagonal = DiagonalExact
		free, _, err := m.matrix(labels, places, counts, nil)
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, n).Draw(t, "pairs") {
			a := rapid.IntRange(0, n-1).Draw(t, "a")
			b := (a + rapid.IntRange(1, n-1).Draw(t, "step")) % n
			m.Forbid = append(m.Forbid, [2]string{labels[a], labels[b]})
		}
		rows, low, err := m.matrix(labels, places, counts, nil)
		if err != nil {
			t.Fatal(err)
		}
		checkStochastic(t, rows, shares(counts))
		mean, was := 0.0, 0.0
		for k, row := range rows {
			mean += row[k] / float64(n)
			was += free[k][k] / float64(n)
			for j, p := range row {
				if m.Forbid.Has(labels[k], labels[j]) && p != 0 {
					t.Fatalf("forbidden transition with probability %v", p)
				}
			}
		}
		if low == "" && math.Abs(mean-was) > 2e-9 || low != "" && mean < was {
			t.Fatalf("mean diagonal %v, want %v (%s)", mean, was, low)
		}
	})
}

func TestSpread(t *testing.T) {
	m := New()
	m.Form, m.PD, m.Band = FormBand, 0.6, 1
	same := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < tolerance })
	want := [][]float64{{0.6, 0.4, 0, 0}, {0.2, 0.6, 0.2, 0}, {0, 0.2, 0.6, 0.2}, {0, 0, 0.4, 0.6}}
	if diff := cmp.Diff(want, m.spread([]int{1, 2, 3, 4}, nil), same); diff != "" {
		t.Errorf("band (-want +got):\n%s", diff)
	}
	// A category without records between two others keeps its position.
	want = [][]float64{{1, 0, 0}, {0, 0.6, 0.4}, {0, 0.4, 0.6}}
	if diff := cmp.Diff(want, m.spread([]int{1, 3, 4}, nil), same); diff != "" {
		t.Errorf("band with a gap (-want +got):\n%s", diff)
	}
	m.Form = FormEqual
	want = [][]float64{{0.6, 0, 0.4}, {0, 0.6, 0.4}, {0.2, 0.2, 0.6}}
	forbidden := [][]bool{{false, true, false}, {true, false, false}, {false, false, false}}
	if diff := cmp.Diff(want, m.spread([]int{1, 2, 3}, forbidden), same); diff != "" {
		t.Errorf("equal with a forbidden pair (-want +got):\n%s", diff)
	}
}

// From T* = (107, 93) and (.9 .1; .1 .9), T is estimated as (108.75, 91.25). The variance is by the formula for T
// = (110, 90): 200 * .09 / .8^2 each.
func TestEstimate(t *testing.T) {
	s := method.PRAMStratum{Levels: []string{"a", "b"}, Matrix: [][]float64{{0.9, 0.1}, {0.1, 0.9}},
		Before: []int{110, 90}, After: []int{107, 93}}
	if err := estimate(t.Context(), &s); err != nil {
		t.Fatal(err)
	}
	same := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })
	error := math.Sqrt(200 * 0.09 / 0.64)
	for what, pair := range map[string][2][]float64{
		"expected": {{108, 92}, s.Expected}, "estimate": {{108.75, 91.25}, s.Estimate}, "errors": {{error, error}, s.Errors},
	} {
		if diff := cmp.Diff(pair[0], pair[1], same); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	s.Matrix = [][]float64{{0.5, 0.5}, {0.5, 0.5}}
	if err := estimate(t.Context(), &s); err != nil || !s.Singular || s.Estimate != nil || s.Errors != nil {
		t.Errorf("a singular matrix gave %+v, error %v", s, err)
	}
}

// The errors equal those of the definition, A Var(T*) A'.
func TestErrorsByTheDefinition(t *testing.T) {
	counts := []int{400, 35, 120}
	rows := invariant(counts, []float64{0.8, 0.9, 0.7}, 1)
	s := method.PRAMStratum{Levels: []string{"a", "b", "c"}, Matrix: rows, Before: counts, After: counts}
	if err := estimate(t.Context(), &s); err != nil {
		t.Fatal(err)
	}
	variance := square(3)
	for k, p := range rows {
		for i := range 3 {
			for j := range 3 {
				variance[i][j] -= float64(counts[k]) * p[i] * p[j]
				if i == j {
					variance[i][j] += float64(counts[k]) * p[i]
				}
			}
		}
	}
	inverse := inverted(rows)
	for i := range 3 {
		sum := 0.0
		for a := range 3 {
			for b := range 3 {
				sum += inverse.At(a, i) * variance[a][b] * inverse.At(b, i)
			}
		}
		if math.Abs(math.Sqrt(sum)-s.Errors[i]) > 1e-9 {
			t.Errorf("standard error %d is %v, by the definition %v", i, s.Errors[i], math.Sqrt(sum))
		}
	}
}

func TestThresholds(t *testing.T) {
	row := newThresholds([]float64{0.25, 0.5, 0, 0.25}, 1, []uint32{1, 2, 3, 4})
	for draw, want := range map[uint64]uint32{1 << 62: 1, 3<<61 - 1: 1, 3 << 61: 4, 1<<63 - 1: 4} {
		if got := row.to[row.find(draw)]; draw >= row.stay && got != want {
			t.Errorf("draw %d gives %d, want %d", draw, got, want)
		}
	}
	if row.stay != 1<<62 {
		t.Errorf("the threshold to stay is %d", row.stay)
	}
	if certain := newThresholds([]float64{1, 0}, 0, []uint32{1, 2}); certain.stay != drawCount {
		t.Error("what is certain to stay can change")
	}
}

func TestCompose(t *testing.T) {
	first := method.PRAMVariable{Variable: "x", Strata: []method.PRAMStratum{{Levels: []string{"a", "b", "c"},
		Matrix: [][]float64{{0.8, 0.2, 0}, {0.1, 0.9, 0}, {0.5, 0, 0.5}}, Before: []int{10, 20, 1}, After: []int{11, 20, 0}}}}
	next := method.PRAMVariable{Variable: "x", Strata: []method.PRAMStratum{{Levels: []string{"a", "b"},
		Matrix: [][]float64{{0.5, 0.5}, {0.25, 0.75}}, Before: []int{11, 20}, After: []int{9, 22}}}}
	composed, err := Compose(t.Context(), []method.PRAMVariable{first, next})
	if err != nil {
		t.Fatal(err)
	}
	s := composed.Strata[0]
	want := [][]float64{{0.45, 0.55, 0}, {0.275, 0.725, 0}, {0.25, 0.25, 0.5}}
	same := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < tolerance })
	if diff := cmp.Diff(want, s.Matrix, same); diff != "" {
		t.Errorf("product (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{9, 22, 0}, s.After); diff != "" || s.Before[2] != 1 || s.Transitions != nil ||
		s.Estimate == nil {
		t.Errorf("stratum %+v", s)
	}
	for reason, change := range map[string]func(v *method.PRAMVariable){
		"categories were changed": func(v *method.PRAMVariable) { v.Strata[0].Levels[0] = "q" },
		"different strata": func(v *method.PRAMVariable) {
			v.Strata[0].Stratum = microdata.Combination{{Variable: "region", Label: "north"}}
		},
		"different conditions": func(v *method.PRAMVariable) { v.Condition = "age > 15" },
	} {
		other := next
		other.Strata = []method.PRAMStratum{next.Strata[0]}
		other.Strata[0].Levels = append([]string(nil), next.Strata[0].Levels...)
		change(&other)
		if _, err := Compose(t.Context(), []method.PRAMVariable{first, other}); err == nil ||
			!strings.Contains(err.Error(), reason) {
			t.Errorf("error %v, want one that says %s", err, reason)
		}
	}
	// Fewer records than before under the same condition are other records.
	first.Condition, next.Condition = "age > 15", "age > 15"
	if _, err := Compose(t.Context(), []method.PRAMVariable{first, next}); err != nil {
		t.Errorf("the same records: error %v", err)
	}
	all := next.Strata[0]
	next.Strata = []method.PRAMStratum{{Levels: []string{"a"}, Matrix: [][]float64{{1}}, Before: []int{11},
		After: []int{11}}}
	if _, err := Compose(t.Context(), []method.PRAMVariable{first, next}); !errors.Is(err, ErrCompose) {
		t.Errorf("without a category: error %v", err)
	}
	next.Strata[0] = all
	next.Strata[0].Before = []int{11, 19}
	if _, err := Compose(t.Context(), []method.PRAMVariable{first, next}); !errors.Is(err, ErrCompose) ||
		!strings.Contains(err.Error(), "other records") {
		t.Errorf("fewer records: error %v", err)
	}
}
