package synthesis_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/synthesis"
)

// joint returns the variables x and y (skewed) with the predictor p, all correlated.
func joint(n int) *microdata.Dataset {
	stream := rand.New(rand.NewPCG(3, 4))
	v := map[string][]float64{}
	for range n {
		a, b, c := stream.NormFloat64(), stream.NormFloat64(), stream.NormFloat64()
		v["x"], v["y"], v["p"] = append(v["x"], 50+10*a), append(v["y"], math.Exp(0.5*a+0.7*b)), append(v["p"], a-b+c)
	}
	return golden.Named(v, "x", "y", "p")
}

func of(how string, similarity ...float64) *synthesis.Generate {
	m := synthesis.New()
	m.Decimals = numeric.Computed
	m.Variables, m.Method = []string{"x", "y"}, how
	if how != synthesis.Normal {
		m.Predictors = []string{"p"}
	}
	if len(similarity) > 0 {
		m.Similarity = similarity
	}
	return m
}

// Means and covariances, including those with the predictors, are preserved up to rounding, and so are linear
// dependencies, for any data.
func TestExactKinds(outer *testing.T) {
	rapid.Check(outer, func(t *rapid.T) {
		n := rapid.IntRange(14, 50).Draw(t, "n")
		v := map[string][]float64{}
		var groups []string
		for range n {
			a, b, c := float64(rapid.IntRange(0, 50).Draw(t, "a")), float64(rapid.IntRange(-9, 9).Draw(t,
				"b")), float64(rapid.IntRange(0, 4).Draw(t, "c"))
			v["a"], v["b"], v["sum"], v["constant"] = append(v["a"], a+c), append(v["b"], b), append(v["sum"],
				a+c+2*b), append(v["constant"], 0.1)
			v["p"], v["follows"] = append(v["p"], c), append(v["follows"], 3-2*c)
			groups = append(groups, strconv.Itoa(int(c)/2)+"g")
		}
		d, err := golden.Named(v, "a", "constant", "b", "sum", "follows", "p").Append(golden.Column(outer, "g", groups))
		if err != nil {
			t.Fatal(err)
		}
		m := synthesis.New()
		m.Decimals = numeric.Computed
		m.Variables, m.Predictors = []string{"a", "constant", "b", "sum", "follows"}, []string{"p", "g"}
		if rapid.Bool().Draw(t, "hybrid") {
			m.Method, m.Similarity = synthesis.Hybrid, []float64{rapid.Float64Range(0, 0.99).Draw(t, "similarity")}
		}
		out, err := golden.Apply(m, d, rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		names := append([]string{"p"}, m.Variables...)
		x, y := golden.Values(d, names...), golden.Values(out.Data, names...)
		was, is := stat.Covariance(x), stat.Covariance(y)
		for i := range x {
			if math.Abs(stat.Mean(x[i])-stat.Mean(y[i])) > 1e-9 {
				t.Fatalf("mean %v of %s became %v", stat.Mean(x[i]), names[i], stat.Mean(y[i]))
			}
			for j := range x {
				if math.Abs(was[i][j]-is[i][j]) > 1e-8*(1+math.Sqrt(was[i][i]*was[j][j])) {
					t.Fatalf("covariance %v of %s and %s became %v", was[i][j], names[i], names[j], is[i][j])
				}
			}
		}
		for i := range n {
			if math.Abs(y[1][i]+2*y[3][i]-y[4][i]) > 1e-6 || y[2][i] != 0.1 || math.Abs(y[5][i]-x[5][i]) > 1e-9 {
				t.Fatalf("record %d: %v + 2 %v is not %v, %v is not 0.1, or %v is not %v", i, y[1][i], y[3][i], y[4][i], y[2][i],
					y[5][i], x[5][i])
			}
		}
	})
}

// The share of the residual that hybrid data keep is exactly the similarity.
func TestSimilarity(t *testing.T) {
	d := joint(400)
	for _, similarity := range [][]float64{{0.3}, {0.9}, {0.55, 0.6}} {
		out, err := golden.Apply(of(synthesis.Hybrid, similarity...), d, 5)
		if err != nil {
			t.Fatal(err)
		}
		before, after, p := golden.Values(d, "x", "y"), golden.Values(out.Data, "x", "y"), golden.Values(d, "p")[0]
		for j := range before {
			want := similarity[min(j, len(similarity)-1)]
			v := stat.Covariance([][]float64{before[j], after[j], p})
			partial := (v[0][1] - v[0][2]*v[1][2]/v[2][2]) / (v[0][0] - v[0][2]*v[0][2]/v[2][2])
			if math.Abs(partial-want) > 1e-9 {
				t.Errorf("similarity %v of variable %d, want %v", partial, j, want)
			}
		}
	}
	out, err := golden.Apply(of(synthesis.IPSO), d, 5)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range golden.Values(d, "x", "y") {
		for record, y := range golden.Values(out.Data, "x", "y")[i] {
			if x[record] == y {
				t.Fatalf("a value of record %d stays", record)
			}
		}
	}
}

// The means and covariances of normal draws are those of the file up to five standard errors of 40,000 draws: 5/√n
// of a standard deviation, 5 √(2/n) of a variance.
func TestNormalDraws(t *testing.T) {
	const n = 40_000
	d := joint(n)
	out, err := golden.Apply(of(synthesis.Normal), d, 11)
	if err != nil {
		t.Fatal(err)
	}
	x, y := golden.Values(d, "x", "y"), golden.Values(out.Data, "x", "y")
	was, is := stat.Covariance(x), stat.Covariance(y)
	for i := range x {
		if math.Abs(stat.Mean(x[i])-stat.Mean(y[i])) > 5/math.Sqrt(n)*math.Sqrt(was[i][i]) {
			t.Errorf("mean %v became %v", stat.Mean(x[i]), stat.Mean(y[i]))
		}
		for j := range x {
			if math.Abs(was[i][j]-is[i][j]) > 5*math.Sqrt(2.0/n)*math.Sqrt(was[i][i]*was[j][j]) {
				t.Errorf("covariance %v became %v", was[i][j], is[i][j])
			}
		}
	}
	if r := stat.Correlation([][]float64{x[0], y[0]})[0][1]; math.Abs(r) > 5/math.Sqrt(n) {
		t.Errorf("draws and values are correlated: %v", r)
	}
	if origins := out.Data.Origins(); origins["x"]&microdata.Synthetic == 0 || origins["p"] != 0 {
		t.Errorf("origins %v", origins)
	}
}

func TestSeeds(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	d := joint(17_000)
	for _, how := range []string{synthesis.Normal, synthesis.IPSO, synthesis.Hybrid} {
		runtime.GOMAXPROCS(1)
		one, err := golden.Apply(of(how), d, 7)
		if err != nil {
			t.Fatal(err)
		}
		runtime.GOMAXPROCS(4)
		two, _ := golden.Apply(of(how), d, 7)
		other, _ := golden.Apply(of(how), d, 8)
		if one.Data.Hash() != two.Data.Hash() || one.Data.Hash() == other.Data.Hash() {
			t.Errorf("%s: the seed does not decide alone", how)
		}
	}
}

// Missing values stay missing; strata keep their own means.
func TestStrata(t *testing.T) {
	nan := math.NaN()
	d, err := golden.Named(map[string][]float64{"x": {1, 2, 3, 9, nan, 100, 300, 500, 900, 5},
		"y": {1, 2, 4, 3, 4, 1, 5, 2, 7, nan}}, "x", "y").
		Append(golden.Column(t, "s", strings.Fields("a a a a a b b b b b")))
	if err != nil {
		t.Fatal(err)
	}
	m := synthesis.New()
	m.Decimals = numeric.Computed
	m.Variables, m.Strata = []string{"x", "y"}, []string{"s"}
	out, err := golden.Apply(m, d, 1)
	if err != nil {
		t.Fatal(err)
	}
	got := golden.Values(out.Data, "x", "y")
	if !math.IsNaN(got[0][4]) || got[1][4] != 4 || got[0][9] != 5 || !math.IsNaN(got[1][9]) {
		t.Errorf("incomplete records changed: %v", got)
	}
	if a, b := stat.Mean(got[0][:4]), stat.Mean(got[0][5:9]); math.Abs(a-3.75) > 1e-12 || math.Abs(b-450) > 1e-9 {
		t.Errorf("means of the strata %v, %v", a, b)
	}
}

func TestRefusals(t *testing.T) {
	d := joint(50)
	for what, test := range map[string]struct {
		m    *synthesis.Generate
		d    *microdata.Dataset
		want string
		kind error
	}{
		"one record":  {of(synthesis.Normal), d.Select([]uint32{1}), "1 record", method.ErrInput},
		"no record":   {of(synthesis.IPSO), d.Select(nil), "0 records", method.ErrInput},
		"few records": {of(synthesis.IPSO), d.Select([]uint32{1, 2, 3}), "need at least 4", method.ErrInput},
		"infinite": {of(synthesis.IPSO),
			golden.Named(map[string][]float64{"x": {1, math.Inf(1), 2}, "y": {1, 2, 4}, "p": {1, 5, 2}}, "x", "y", "p"),
			"infinite", method.ErrInput},
		"both sides": {&synthesis.Generate{Variables: []string{"x"}, Predictors: []string{"x"}, Method: synthesis.IPSO}, d,
			"variables to synthesise", method.ErrParam},
		"one":       {of(synthesis.Hybrid, 1), d, "below 1", method.ErrParam},
		"too many":  {of(synthesis.Hybrid, 0.1, 0.2, 0.3), d, "3 numbers for 2", method.ErrParam},
		"different": {of(synthesis.Hybrid, 0, 0.99), d, "more similar similarities", method.ErrInput},
	} {
		if _, err := golden.Apply(test.m, test.d, 1); !errors.Is(err, test.kind) ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func BenchmarkGenerate(b *testing.B) {
	d := generated.Survey(b, 100_000, 7, "income", "expend", "savings", "age", "region")
	scenario := microdata.NewScenario()
	m := synthesis.New()
	m.Decimals = numeric.Computed
	m.Variables, m.Predictors = []string{"income", "expend", "savings"}, []string{"age", "region"}
	for b.Loop() {
		if _, err := m.Apply(b.Context(), method.Input{Data: d, Scenario: &scenario, Seed: 1}, nil); err != nil {
			b.Fatal(err)
		}
	}
}
