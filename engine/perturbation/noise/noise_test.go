package noise_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/noise"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

func kinds() []string { return noise.New().Params()[1].Choices(nil, nil) }

// correlated returns n records of three correlated variables.
func correlated(n int) *microdata.Dataset {
	stream := rand.New(rand.NewPCG(1, 2))
	v := map[string][]float64{}
	for range n {
		a, b, c := stream.NormFloat64(), stream.NormFloat64(), stream.NormFloat64()
		v["x"] = append(v["x"], 50+10*a)
		v["y"] = append(v["y"], -3+2*a+b)
		v["z"] = append(v["z"], math.Exp(0.5*b+0.5*c))
	}
	return golden.Named(v, "x", "y", "z")
}

type failing interface {
	Helper()
	Fatal(args ...any)
}

func apply(t failing, m *noise.Noise, d *microdata.Dataset, seed uint64) method.Output {
	t.Helper()
	if m.Variables == nil {
		for _, column := range d.Columns() {
			m.Variables = append(m.Variables, column.Name())
		}
	}
	out, err := golden.Apply(m, d, seed)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func of(name string, percent float64) *noise.Noise {
	m := noise.New()
	m.Decimals = numeric.Computed
	m.Method, m.Percent = name, percent
	return m
}

// added returns the noise that was added.
func added(before, after *microdata.Dataset) [][]float64 {
	x, y := golden.Values(before), golden.Values(after)
	for j := range x {
		for i := range x[j] {
			x[j][i] = y[j][i] - x[j][i]
		}
	}
	return x
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %v, want %v ± %v", what, got, want, tolerance)
	}
}

// Tolerances are five standard errors of 40,000 draws: 5/√n for means with standard deviation 1, 5/√(2n) for
// standard deviations of normal draws.
const (
	many      = 40_000
	ofMean    = 0.025
	ofSpread  = 0.018
	ofProduct = 0.03 // correlations
)

func TestIndependentNoise(t *testing.T) {
	d := correlated(many)
	sd := []float64{}
	for _, x := range golden.Values(d) {
		sd = append(sd, stat.StandardDeviation(x))
	}
	for _, name := range []string{noise.Additive, noise.Uniform, noise.AdditiveZero} {
		e := added(d, apply(t, of(name, 50), d, 7).Data)
		for j := range e {
			near(t, name+": mean of the noise in sd", stat.Mean(e[j])/(0.5*sd[j]), 0, ofMean)
			near(t, name+": spread of the noise in sd", stat.StandardDeviation(e[j])/(0.5*sd[j]), 1, ofSpread)
			most := 0.0
			for _, x := range e[j] {
				most = max(most, math.Abs(x)/(0.5*sd[j]))
			}
			if bounded := most <= math.Sqrt(3)+1e-9; bounded != (name == noise.Uniform) {
				t.Errorf("%s: the greatest noise is %v standard deviations", name, most)
			}
		}
		r := stat.Correlation(append(e, golden.Values(d)...))
		near(t, name+": correlation of noise", r[0][1], 0, ofProduct)
		near(t, name+": correlation of noise with values", r[0][3], 0, ofProduct)
	}
}

func TestMultiplicativeNoise(t *testing.T) {
	d := correlated(many)
	after := golden.Values(apply(t, of(noise.Multiplicative, 20), d, 7).Data)
	var e []float64
	for i, x := range golden.Values(d)[0] {
		e = append(e, after[0][i]/x-1)
	}
	near(t, "mean", stat.Mean(e)/0.2, 0, ofMean)
	near(t, "spread", stat.StandardDeviation(e)/0.2, 1, ofSpread)
	for _, x := range golden.Values(apply(t, of(noise.Multiplicative, 200), d, 7).Data)[2] {
		if x < 0 {
			t.Fatal("a positive value became negative")
		}
	}
}

func TestZerosStayZero(t *testing.T) {
	d := golden.Named(map[string][]float64{"x": {0, 1, 0, 5, 0}}, "x")
	after := golden.Values(apply(t, of(noise.AdditiveZero, 50), d, 1).Data)[0]
	if after[0] != 0 || after[2] != 0 || after[4] != 0 || after[1] == 1 || after[3] == 5 {
		t.Errorf("%v", after)
	}
}

// Correlated noise makes the covariance (1 + c) V; the methods of Kim and Brand preserve it. The tolerance is that
// of 40,000 draws, averaged over ten.
func TestCovariances(t *testing.T) {
	d := correlated(many)
	v, means := stat.Covariance(golden.Values(d)), stat.Means(golden.Values(d))
	for name, factor := range map[string]float64{noise.Correlated: 1.5, noise.Brand: 1, noise.Kim: 1} {
		m := of(name, 50)
		m.Delta = 0.5
		x := golden.Values(apply(t, m, d, 11).Data)
		got, center := stat.Covariance(x), stat.Means(x)
		for i := range v {
			near(t, name+": mean", center[i], means[i], ofMean*math.Sqrt(v[i][i]))
			for j := range v {
				near(t, name+": covariance", got[i][j], factor*v[i][j], 2*ofProduct*math.Sqrt(v[i][i]*v[j][j]))
			}
		}
	}
	m, err := stat.NewMCD(t.Context(), golden.Values(d))
	if err != nil {
		t.Fatal(err)
	}
	got := stat.Covariance(added(d, apply(t, of(noise.Robust, 30), d, 3).Data))
	for i := range got {
		for j := range got {
			want := m.Covariance[i][j]
			near(t, "robust: covariance of the noise", got[i][j], 0.3*want,
				ofProduct*0.3*math.Sqrt(m.Covariance[i][i]*m.Covariance[j][j]))
		}
	}
}

// The exact methods preserve means and covariances up to rounding, for any data: constants, linearly dependent
// variables, few records.
func TestExactKinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(12, 60).Draw(t, "n")
		v := map[string][]float64{}
		for range n {
			a, b := float64(rapid.IntRange(0, 50).Draw(t, "a")), float64(rapid.IntRange(-9, 9).Draw(t, "b"))
			v["a"], v["b"], v["sum"], v["constant"] = append(v["a"], a), append(v["b"], b), append(v["sum"],
				a+2*b), append(v["constant"], 4)
		}
		d := golden.Named(v, "a", "constant", "b", "sum")
		m := of(rapid.SampledFrom([]string{noise.Restricted, noise.ROMM}).Draw(t, "kind"),
			rapid.Float64Range(1, 500).Draw(t, "percent"))
		m.P = rapid.Float64Range(0, 10).Draw(t, "p")
		out := apply(t, m, d, rapid.Uint64().Draw(t, "seed"))
		x, y := golden.Values(d), golden.Values(out.Data)
		was, is := stat.Covariance(x), stat.Covariance(y)
		for i := range x {
			if math.Abs(stat.Mean(x[i])-stat.Mean(y[i])) > 1e-9*60 {
				t.Fatalf("mean %v became %v", stat.Mean(x[i]), stat.Mean(y[i]))
			}
			for j := range x {
				if math.Abs(was[i][j]-is[i][j]) > 1e-8*(1+math.Sqrt(was[i][i]*was[j][j])) {
					t.Fatalf("covariance %v became %v", was[i][j], is[i][j])
				}
			}
		}
		for i := range n { // linear dependencies are preserved
			if math.Abs(y[0][i]+2*y[2][i]-y[3][i]) > 1e-7 || y[1][i] != 4 {
				t.Fatalf("record %d: %v + 2 %v is not %v, or %v is not 4", i, y[0][i], y[2][i], y[3][i], y[1][i])
			}
		}
	})
}

func TestOnlyOutliers(t *testing.T) {
	d := correlated(2000)
	out := apply(t, of(noise.Outliers, 50), d, 5)
	x, e := golden.Values(d), added(d, out.Data)
	most := make([]float64, len(x))
	for j := range x {
		most[j] = stat.Quantile(x[j], 0.99)
	}
	touched := 0
	for i := range e[0] {
		above := false
		for j := range x {
			above = above || x[j][i] > most[j]
		}
		if changed := e[0][i] != 0; changed {
			touched++
		} else if above {
			t.Fatalf("record %d is above a quantile and stays", i)
		}
	}
	if touched < 60 || touched > 400 {
		t.Errorf("%d of 2,000 records are outlying", touched)
	}
	many := make([]float64, 200)
	many[7] = 100
	if out := apply(t, of(noise.Outliers, 50), golden.Named(map[string][]float64{"x": many}, "x"),
		5); out.Report.Changed != 1 || !strings.Contains(out.Report.Warnings[0], "no robust distance") {
		t.Errorf("report %+v", out.Report)
	}
}

// The same seed gives the same bytes on any number of processors, another seed gives others. Applied a second
// time, the same seed does not add the same amounts.
func TestSeeds(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	d := correlated(17_000)
	for _, name := range kinds() {
		runtime.GOMAXPROCS(1)
		one := apply(t, of(name, 50), d, 9)
		runtime.GOMAXPROCS(4)
		two := apply(t, of(name, 50), d, 9)
		if one.Data.Hash() != two.Data.Hash() {
			t.Errorf("%s depends on the number of processors", name)
		}
		if other := apply(t, of(name, 50), d, 10); other.Data.Hash() == one.Data.Hash() {
			t.Errorf("%s does not depend on the seed", name)
		}
		if one.Data.Origins()["x"] != microdata.Perturbed {
			t.Errorf("%s: origins %v", name, one.Data.Origins())
		}
	}
	once := apply(t, of(noise.Additive, 50), d, 9).Data
	twice := apply(t, of(noise.Additive, 50), once, 9).Data
	r := stat.Correlation([][]float64{added(d, once)[0], added(once, twice)[0]})
	near(t, "correlation of the noise of two steps with one seed", r[0][1], 0, 0.04)
}

// Missing values stay missing, and each stratum has its own means and covariances.
func TestStrata(t *testing.T) {
	nan := math.NaN()
	x := golden.Named(map[string][]float64{"x": {1, 2, 3, nan, 100, 300, 500, 5}, "y": {1, 2, 4, 4, 1, 5, 2, nan}}, "x",
		"y")
	s := golden.Column(t, "s", strings.Fields("a a a a b b b b"))
	d, err := x.Append(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range kinds() {
		if name == noise.Robust {
			continue // needs more records
		}
		m := of(name, 20)
		m.Variables, m.Strata = []string{"x", "y"}, []string{"s"}
		out := apply(t, m, d, 1)
		got := golden.Values(out.Data)[:2]
		if !math.IsNaN(got[0][3]) || got[1][3] != 4 || got[0][7] != 5 || !math.IsNaN(got[1][7]) {
			t.Errorf("%s: incomplete records changed: %v", name, got)
		}
		if name == noise.Restricted || name == noise.ROMM {
			near(t, name+": mean of a", stat.Mean(got[0][:3]), 2, 1e-12)
			near(t, name+": sd of b", stat.StandardDeviation(got[0][4:7]), 200, 1e-9)
		}
	}
}

func TestRefusals(t *testing.T) {
	scenario := microdata.NewScenario()
	for what, test := range map[string]struct {
		kind string
		x    []float64
		want string
	}{
		"one record":  {noise.Additive, []float64{1}, "the file has 1 record"},
		"no records":  {noise.Additive, nil, "the file has 0 records"},
		"infinite":    {noise.Additive, []float64{1, 2, math.Inf(-1)}, "infinite in 1 record"},
		"mostly zero": {noise.Robust, []float64{0, 0, 0, 0, 0, 1, 2}, "robust covariance"},
	} {
		m := of(test.kind, 50)
		m.Variables = []string{"x"}
		_, err := m.Apply(t.Context(), method.Input{Data: golden.Named(map[string][]float64{"x": test.x}, "x"),
			Scenario: &scenario}, nil)
		if !errors.Is(err, method.ErrInput) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", what, err, test.want)
		}
	}
	d := golden.Named(map[string][]float64{"x": {3, 3, 3}}, "x")
	for _, name := range kinds() {
		if name == noise.Robust || name == noise.Multiplicative {
			continue
		}
		if out := apply(t, of(name, 50), d, 1); !out.Report.ChangesNothing() {
			t.Errorf("%s changes a constant: %+v", name, out.Report)
		}
	}
}

// Noise can be added to weights as long as all of them stay positive.
func TestWeights(t *testing.T) {
	d := golden.Named(map[string][]float64{"w": {100, 250, 400, 120}}, "w")
	scenario := microdata.NewScenario()
	scenario.Weight = "w"
	m := of(noise.Multiplicative, 5)
	m.Variables = []string{"w"}
	out, err := m.Apply(t.Context(), method.Input{Data: d, Scenario: &scenario, Seed: 4}, nil)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, w := range golden.Values(out.Data)[0] {
		sum += w
	}
	if w, err := scenario.Weights(out.Data); err != nil || len(w) != 4 || out.Report.Changed != 4 {
		t.Errorf("weights %v, %v", w, err)
	}
	if want := "the sum of the weights is " + wording.Amount(sum) + ", before " +
		wording.Amount(870); out.Report.Warnings[0] != want {
		t.Errorf("warnings %q, want %q", out.Report.Warnings, want)
	}
	m = of(noise.Additive, 500)
	m.Variables = []string{"w"}
	if _, err := m.Apply(t.Context(), method.Input{Data: d, Scenario: &scenario, Seed: 4},
		nil); !errors.Is(err, method.ErrInput) || !strings.Contains(err.Error(), "0 or negative") {
		t.Errorf("much noise: %v", err)
	}
}

func BenchmarkAdditive(b *testing.B) {
	d := generated.Survey(b, 1_000_000, 7, "income", "expend", "savings")
	scenario := microdata.NewScenario()
	m := of(noise.Additive, 20)
	m.Variables = []string{"income", "expend", "savings"}
	for b.Loop() {
		if _, err := m.Apply(b.Context(), method.Input{Data: d, Scenario: &scenario, Seed: 1}, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkROMM(b *testing.B) {
	d := generated.Survey(b, 100_000, 7, "income", "expend", "savings")
	scenario := microdata.NewScenario()
	m := of(noise.ROMM, 20)
	m.Variables = []string{"income", "expend", "savings"}
	for b.Loop() {
		if _, err := m.Apply(b.Context(), method.Input{Data: d, Scenario: &scenario, Seed: 1}, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// Values that noise moves into a range that the file declares missing are counted and reported. If no range is
// declared or no value moves into it, nothing is reported.
func TestValuesDeclaredMissing(t *testing.T) {
	data := correlated(500)
	said := map[string]microdata.Description{
		"x": {MissingRange: &[2]float64{-99, 45}}, // some records are in the range already, and are counted only if they move
		"y": {MissingRange: &[2]float64{1000, 2000}, Missing: []string{"-9"}},
	}
	for name, d := range said {
		column, _ := data.Column(name)
		data = data.With(column.WithDescription(&d))
	}
	out := apply(t, of(noise.Additive, 50), data, 1)
	before, _ := data.Column("x")
	after, _ := out.Data.Column("x")
	count := 0
	for i := range before.Len() {
		if x := after.StoredAsNumbers().Values[i]; x <= 45 && x != before.StoredAsNumbers().Values[i] {
			count++
		}
	}
	warnings := strings.Join(out.Report.Warnings, "; ")
	if want := wording.Counted(count, "value") +
		" of x now lie in the range that the file declares missing"; !strings.Contains(warnings, want) ||
		strings.Contains(warnings, "y now") || strings.Contains(warnings, "z now") {
		t.Errorf("%s; expected %s", warnings, want)
	}
}

// Two records have no other values with the same mean and covariance. This is reported, for the file and for
// strata; three records get other values.
func TestExactKindsNeedThreeRecords(t *testing.T) {
	values := map[string][]float64{"x": {1, 5, 2, 9, 4}, "place": {1, 1, 2, 2, 2}}
	for _, name := range []string{noise.Restricted, noise.ROMM} {
		m := of(name, 50)
		m.P, m.Variables, m.Strata = 1, []string{"x"}, []string{"place"}
		_, err := golden.Apply(m, golden.Named(values, "x", "place"), 3)
		if !errors.Is(err, method.ErrInput) ||
			!strings.Contains(err.Error(), "the stratum 1.000 has 2 records without a missing value; keeping mean and covariance needs at least 3") {
			t.Errorf("%s: error %v", name, err)
		}
		three := map[string][]float64{"x": {1, 5, 2, 9, 4, 7}, "place": {1, 1, 1, 2, 2, 2}}
		if out := apply(t, m, golden.Named(three, "x", "place"), 3); out.Report.Changed != 6 {
			t.Errorf("%s: %d of 6 values changed", name, out.Report.Changed)
		}
	}
}

// Differences by rounding alone are no changes: neither for values of a variable that is constant in a stratum nor
// for any value if no noise is asked for.
func TestRoundingIsNoChange(t *testing.T) {
	values := map[string][]float64{"place": make([]float64, 60)}
	for i := range 60 {
		values["place"][i] = float64(i / 30)
		values["x"] = append(values["x"], float64(i%30)*0.1+0.7)
		values["y"] = append(values["y"], 0.1+float64(i/30)*0.6)
	}
	d := golden.Named(values, "x", "y", "place")
	for _, name := range kinds() {
		m := of(name, 50)
		if name == noise.Robust || name == noise.Multiplicative {
			continue // one has no covariance here, and the other changes constants
		}
		m.Variables, m.Strata = []string{"x", "y"}, []string{"place"}
		out := apply(t, m, d, 3)
		if y := added(d, out.Data)[1]; slices.ContainsFunc(y, func(e float64) bool { return e != 0 }) {
			t.Errorf("%s changes a constant variable by %v", name, y)
		}
		m.Percent, m.Delta, m.P = 0, 0, 0
		if out := apply(t, m, d, 3); out.Report.Changed != 0 {
			t.Errorf("no noise of kind %s: %d values changed", name, out.Report.Changed)
		}
	}
}

// Values whose squares are 0 in double precision get the same noise as a multiple of them.
func TestSmallestNumbers(t *testing.T) {
	d := correlated(300)
	for _, name := range kinds() {
		m := of(name, 50)
		want := golden.Values(apply(t, m, d, 3).Data)
		small := map[string][]float64{}
		for j, variable := range []string{"x", "y", "z"} {
			for _, x := range golden.Values(d)[j] {
				small[variable] = append(small[variable], math.Ldexp(x, -600))
			}
		}
		out := apply(t, m, golden.Named(small, "x", "y", "z"), 3)
		got, plain := golden.Values(out.Data), apply(t, m, d, 3).Report
		for j := range got {
			for i := range got[j] {
				if x := math.Ldexp(got[j][i], 600); math.Abs(x-want[j][i]) > 1e-9*(1+math.Abs(want[j][i])) {
					t.Fatalf("%s: variable %d of record %d is %v times 2^600, of the multiple %v", name, j+1, i+1, x, want[j][i])
				}
			}
		}
		if out.Report.Effect != plain.Effect {
			t.Errorf("%s: %q, of the multiple %q", name, out.Report.Effect, plain.Effect)
		}
	}
}
