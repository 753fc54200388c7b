package shuffle

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// many is the number of records for which correlations are compared: five standard errors of a correlation are
// 5/√n = 0.035.
const (
	many      = 20_000
	tolerance = 0.035
)

// joint returns the responses a (skewed) and b, a numeric predictor p and a category g, all correlated.
func joint(t testing.TB, n int) *microdata.Dataset {
	t.Helper()
	stream := rand.New(rand.NewPCG(1, 2))
	text := make([][]string, 4)
	for range n {
		u, v, w := stream.NormFloat64(), stream.NormFloat64(), stream.NormFloat64()
		group := "low"
		if u+w > 0.5 {
			group = "high"
		}
		for j, cell := range []string{number(math.Exp(u + 0.5*v)), number(u - v + w), number(3*u + w), group} {
			text[j] = append(text[j], cell)
		}
	}
	return dataset(t, text, "a", "b", "p", "g")
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', 6, 64) }

func dataset(t testing.TB, text [][]string, names ...string) *microdata.Dataset {
	t.Helper()
	var columns []*microdata.Column
	for j, name := range names {
		columns = append(columns, golden.Column(t, name, text[j]))
	}
	d, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// cells returns the numbers of a variable; for a category, its codes.
func cells(d *microdata.Dataset, name string) []float64 {
	column, _ := d.Column(name)
	var out []float64
	for row := range column.Len() {
		if column.Numeric() {
			out = append(out, column.Float(row))
		} else {
			out = append(out, float64(column.Categories().Codes.At(row)))
		}
	}
	return out
}

func of(how string) *Shuffle {
	m := New()
	m.Decimals = numeric.Computed
	m.Responses, m.Predictors, m.Method = []string{"a", "b"}, []string{"p", "g"}, how
	return m
}

func rankCorrelations(d *microdata.Dataset) stat.Matrix {
	var ranks [][]float64
	for _, name := range []string{"a", "b", "p", "g"} {
		ranks = append(ranks, stat.Ranks(cells(d, name)))
	}
	return stat.Correlation(ranks)
}

// Marginals are preserved exactly and rank correlations closely; values move to other records.
func TestShuffling(t *testing.T) {
	d := joint(t, many)
	was := rankCorrelations(d)
	for _, how := range []string{DataShuffling, Normal} {
		out, err := golden.Apply(of(how), d, 7)
		if err != nil {
			t.Fatal(err)
		}
		is := rankCorrelations(out.Data)
		for i := range was {
			for j := range was {
				if how == Normal && (i == 0 || j == 0) {
					continue // a is skewed: its covariances are not those of ranks
				}
				limit := tolerance
				if i == 3 || j == 3 {
					limit = 0.07 // with two categories the formula for normal scores is an approximation
				}
				if math.Abs(was[i][j]-is[i][j]) > limit {
					t.Errorf("%s: rank correlation %d, %d was %v, is %v", how, i, j, was[i][j], is[i][j])
				}
			}
		}
		for _, name := range []string{"a", "b"} {
			before, after := cells(d, name), cells(out.Data, name)
			// The order is drawn again: the remaining correlation is due to the predictors alone.
			r := stat.Correlation([][]float64{stat.Ranks(before), stat.Ranks(after)})[0][1]
			if r > 0.9 {
				t.Errorf("%s: %s is hardly shuffled: %v", how, name, r)
			}
			slices.Sort(before)
			slices.Sort(after)
			if !slices.Equal(before, after) {
				t.Errorf("%s: %s has other values", how, name)
			}
		}
		if out.Data.Origins()["a"] != microdata.Perturbed || out.Data.Origins()["p"] != 0 {
			t.Errorf("origins %v", out.Data.Origins())
		}
	}
}

// mlm orders by the linear prediction, which with a single predictor is the order of the predictor.
func TestLinearPrediction(t *testing.T) {
	d := joint(t, 500)
	out, err := golden.Apply(&Shuffle{Responses: []string{"a"}, Predictors: []string{"p"}, Method: Linear}, d, 1)
	if err != nil {
		t.Fatal(err)
	}
	if r := stat.Correlation([][]float64{stat.Ranks(cells(out.Data, "a")), stat.Ranks(cells(d, "p"))})[0][1]; r < 1-1e-12 {
		t.Errorf("rank correlation with the predictor is %v", r)
	}
}

func TestSeeds(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	d := joint(t, many)
	for _, how := range []string{DataShuffling, Normal, Linear} {
		runtime.GOMAXPROCS(1)
		one, err := golden.Apply(of(how), d, 7)
		if err != nil {
			t.Fatal(err)
		}
		runtime.GOMAXPROCS(4)
		two, _ := golden.Apply(of(how), d, 7)
		if one.Data.Hash() != two.Data.Hash() {
			t.Errorf("%s depends on the number of processors", how)
		}
		if other, _ := golden.Apply(of(how), d, 8); how != Linear && other.Data.Hash() == one.Data.Hash() {
			t.Errorf("%s does not depend on the seed", how)
		}
	}
}

// Equal predictors and singular correlations are accepted; missing values stay missing.
func TestEdges(t *testing.T) {
	text := make([][]string, 3)
	for i := range 60 {
		x := strconv.Itoa(i * i % 37)
		for j, cell := range []string{strconv.Itoa(i * 7 % 41), x, x} {
			text[j] = append(text[j], cell)
		}
	}
	text[0][3], text[1][8] = "", ""
	d := dataset(t, text, "a", "p", "q")
	out, err := golden.Apply(&Shuffle{Responses: []string{"a"}, Predictors: []string{"p", "q"}, Method: DataShuffling}, d,
		1)
	if err != nil {
		t.Fatal(err)
	}
	before, after := cells(d, "a"), cells(out.Data, "a")
	if !math.IsNaN(after[3]) || after[8] != before[8] {
		t.Errorf("incomplete records changed: %v, %v", after[3], after[8])
	}
	if !strings.Contains(strings.Join(out.Report.Warnings, ";"), "determined by others") {
		t.Errorf("warnings %v", out.Report.Warnings)
	}
	for what, test := range map[string]struct {
		m    *Shuffle
		want string
		kind error
	}{
		"both sides": {&Shuffle{Responses: []string{"a"}, Predictors: []string{"a"}, Method: DataShuffling},
			"response as well", method.ErrParam},
		"one of mvn": {&Shuffle{Responses: []string{"a"}, Predictors: []string{"p"}, Method: Normal}, "at least two",
			method.ErrParam},
		"none": {&Shuffle{Responses: []string{"a"}, Method: DataShuffling}, "empty", method.ErrParam},
	} {
		if _, err := golden.Apply(test.m, d, 1); !errors.Is(err, test.kind) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := golden.Apply(&Shuffle{Responses: []string{"a"}, Predictors: []string{"p"}, Method: DataShuffling},
		d.Select([]uint32{0, 1}), 1); !errors.Is(err, method.ErrInput) {
		t.Errorf("two records: %v", err)
	}
}

func BenchmarkShuffle(b *testing.B) {
	d := joint(b, 100_000)
	for b.Loop() {
		if _, err := golden.Apply(of(DataShuffling), d, 1); err != nil {
			b.Fatal(err)
		}
	}
}

// A predictor with a single category carries no information: values are shuffled all the same.
func TestPredictorOfOneCategory(t *testing.T) {
	m := New()
	m.Decimals = numeric.Computed
	m.Responses, m.Predictors = []string{"a"}, []string{"g"}
	for _, how := range []string{DataShuffling, Linear} {
		m.Method = how
		out, err := golden.Apply(m,
			dataset(t, [][]string{strings.Fields("1 2 3 4 5 6 7 8"), strings.Fields("u u u u u u u u")}, "a", "g"), 3)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Sorted(slices.Values(cells(out.Data, "a"))); !slices.Equal(got, []float64{1, 2, 3, 4, 5, 6, 7, 8}) {
			t.Errorf("%s: %v", how, got)
		}
	}
}

// By hand: the first of four ranks is at the normal quantile of 1/8, and the scores of two variables with a rank
// correlation of 0.6 have the correlation 2 sin(0.6 pi / 6).
func TestScores(t *testing.T) {
	z, ranks, err := scores(t.Context(), [][]float64{{5, 7, 8, 9}, {2, 1, 9, 3}})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(z[0][0]+1.1503493803760079) > 1e-12 || math.Abs(z[1][0]+0.31863936396437514) > 1e-12 {
		t.Errorf("scores %v", z)
	}
	m := model{Estimates: &Estimates{Correlation: Default}}
	r, err := m.joint(t.Context(), z, ranks)
	if err != nil {
		t.Fatal(err)
	}
	if want := 2 * math.Sin(0.6*math.Pi/6); math.Abs(r[0][1]-want) > 1e-12 {
		t.Errorf("correlation %v, want %v", r[0][1], want)
	}
}
