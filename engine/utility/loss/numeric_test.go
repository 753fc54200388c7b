package loss_test

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/microaggregation"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
	"github.com/sdcdesk/sdcdesk/engine/utility/loss"
)

// tester is the common interface of *testing.T and *rapid.T.
type tester interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Context() context.Context
}

func compute(t tester, spec measure.Spec, m measure.Measure, was, now *microdata.Dataset) measure.Entry {
	t.Helper()
	scenario := microdata.NewScenario()
	in := measure.Input{Original: measure.NewVersion(was, &scenario, nil),
		Current: measure.NewVersion(now, &scenario, nil)}
	entry, err := spec.Compute(t.Context(), in, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	return entry
}

func value(t tester, e *measure.Entry, name, part string) *measure.Value {
	t.Helper()
	v := measure.Set{*e}.Like(e.Spec.Name, &measure.Value{Name: name, Part: part})
	if v == nil {
		t.Fatalf("there is no %s %s", name, part)
	}
	return v
}

func near(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*math.Max(math.Abs(want), 1e-6)
}

// The losses equal those of sdcMicro for every microaggregation that it was run for. eigen of the Census data is
// not compared because the matrix is singular there.
func TestReference(t *testing.T) {
	golden.NumericCases(t, func(t *testing.T, was *microdata.Dataset, variables []string, c golden.NumericCase) {
		m := microaggregation.New()
		m.Variables, m.Method, m.Size, m.Decimals = variables, c.Method, c.Size, numeric.Computed
		scenario := microdata.NewScenario()
		out, err := method.Apply(t.Context(), m, method.Input{Data: was, Scenario: &scenario}, nil)
		if err != nil {
			t.Fatal(err)
		}
		entry := compute(t, loss.Spec(), &loss.Numeric{Variables: variables}, was, out.Data)
		singular := strings.Contains(t.Name(), "CASC")
		for _, want := range []struct {
			name              string
			number, tolerance float64
		}{{"il1", c.IL1, 1e-8}, {"il1s", c.IL1s, 1e-8}, {"sse_percent", c.SSEPercent, 1e-8}, {"eigen", c.Eigen, 1e-6},
			{"il_correl", c.ILCorrel, 1e-6}, {"il_variables", c.ILVariables, 1e-8}} {
			got := value(t, &entry, want.name, "")
			if singular && (want.name == "eigen" || want.name == "il_correl") {
				if got.Text() != "the correlation matrix has no inverse" {
					t.Errorf("%s of a singular matrix is %v", want.name, got.Text())
				}
				continue
			}
			if !near(got.Number, want.number, want.tolerance) {
				t.Errorf("%s is %v, want %v", want.name, got.Text(), want.number)
			}
		}
	})
}

// byDefinition returns the correlation loss of three variables, with the diagonals of the inverses computed by
// cofactors.
func byDefinition(was, now [][]float64) float64 {
	var of [2][3]float64
	for side, x := range [][][]float64{was, now} {
		r := func(i, j int) float64 {
			var ij, ii, jj float64
			a, b := stat.Mean(x[i]), stat.Mean(x[j])
			for k := range x[i] {
				ij, ii, jj = ij+(x[i][k]-a)*(x[j][k]-b), ii+(x[i][k]-a)*(x[i][k]-a), jj+(x[j][k]-b)*(x[j][k]-b)
			}
			return ij / math.Sqrt(ii*jj)
		}
		length := 0.0
		for i := range 3 { // the determinant is the same for all and cancels in the division by the length
			of[side][i] = 1 - r((i+1)%3, (i+2)%3)*r((i+1)%3, (i+2)%3)
			length += of[side][i] * of[side][i]
		}
		for i := range 3 {
			of[side][i] /= math.Sqrt(length)
		}
	}
	return math.Sqrt(stat.SquaredDistance(of[0][:], of[1][:]) / 2)
}

// Computed by hand, by the formulas: a changes, b does not.
func TestByHand(t *testing.T) {
	was := golden.Numbers(t, [][]float64{{1, 2, 3, 0}, {2, 0, 4, 2}})
	now := golden.Numbers(t, [][]float64{{2, 2, 3, 1}, {2, 0, 4, 2}})
	two := compute(t, loss.Spec(), &loss.Numeric{Variables: []string{"a", "b"}}, was, now)
	one := compute(t, loss.Spec(), &loss.Numeric{Variables: []string{"a"}}, was, now)
	for _, want := range []struct {
		entry      *measure.Entry
		name, part string
		number     float64
	}{
		{&one, "il1", "", 100}, {&one, "il1_per_cell", "", 100.0 / 3}, {&one, "il1_zeros", "", 1},
		{&one, "il1s", "", 2 / math.Sqrt(2*5.0/3)}, {&one, "il1s_per_cell", "", 2 / math.Sqrt(2*5.0/3) / 4},
		{&one, "sse_percent", "", 40}, {&two, "sse_percent", "", 20}, {&two, "il1_per_cell", "", 100.0 / 6},
		{&two, "il1_zeros", "", 2},
		{&one, "mean_square_error", "numbers", 0.5}, {&one, "mean_absolute_error", "numbers", 0.5},
		{&one, "mean_variation", "numbers", 1.0 / 3},
		{&one, "mean_square_error", "means", 0.25}, {&one, "mean_variation", "means", 1.0 / 3},
		{&one, "mean_variation", "variances", 0.6}, {&two, "mean_variation", "variances", 0.3},
		// covariances: a with itself 5/3 to 2/3, a with b 2/3 to 2/3, b with itself
		{&two, "mean_variation", "covariances", 0.2}, {&two, "mean_absolute_error", "covariances", 1.0 / 3},
		// correlations: 2/3 / sqrt(5/3 8/3) to 2/3 / sqrt(2/3 8/3)
		{&two, "mean_absolute_error", "correlations", 2.0/3/math.Sqrt(16.0/9) - 2.0/3/math.Sqrt(40.0/9)},
		{&one, "il_variables", "", 0.25}, {&two, "il_variables", "", 0.125},
		{&one, "il", "", 100 * (1.0/3 + 1.0/3 + 0.6 + 0.6) / 5},
	} {
		if got := value(t, want.entry, want.name, want.part).Number; math.Abs(got-want.number) > 1e-12 {
			t.Errorf("%s %s is %v, want %v", want.name, want.part, got, want.number)
		}
	}
	// The diagonal of the inverse of a two by two correlation matrix has both elements 1/(1 - r²). Divided by its
	// length it is the same for every r, and the loss is 0.
	if got := value(t, &two, "il_correl", ""); math.Abs(got.Number) > 1e-15 || !strings.Contains(got.Title, "0 for any two variables") {
		t.Errorf("of two variables the %s is %s", got.Title, got.Text())
	}
	if got := value(t, &one, "il_correl", ""); !math.IsNaN(got.Number) || got.Text() != "needs two variables" {
		t.Errorf("of one variable the correlation loss is %s", got.Text())
	}
	before, after := []float64{1, 1, -1, -1, 0, 0}, []float64{1, 0, -1, -1, 0, 1}
	other, third := []float64{1, -1, 1, -1, 0, 0}, []float64{0, 0, 0, 0, 1, -1}
	three := compute(t, loss.Spec(), &loss.Numeric{Variables: []string{"a", "b", "c"}},
		golden.Numbers(t, [][]float64{before, other, third}), golden.Numbers(t, [][]float64{after, other, third}))
	if got, want := value(t, &three, "il_correl", "").Number, byDefinition(
		[][]float64{before, other, third}, [][]float64{after, other, third}); math.Abs(got-want) > 1e-12 || want < 0.01 {
		t.Errorf("of three variables the correlation loss is %v, want %v", got, want)
	}
	if got := value(t, &one, "mean_absolute_error", "correlations"); got.Text() != "–" {
		t.Errorf("of one variable there are no correlations to be off by %v", got.Number)
	}
	// The components of two variables are (1, 1) and (1, -1) divided by the root of 2, with the eigenvalues 1 + r
	// and 1 - r.
	r, s := 2.0/3/math.Sqrt(40.0/9), 2.0/3/math.Sqrt(16.0/9)
	d := func(f func(r float64) float64) float64 { return math.Abs(f(r) - f(s)) }
	first := d(func(r float64) float64 { return math.Sqrt((1 + r) / 2) })
	second := d(func(r float64) float64 { return math.Sqrt((1 - r) / 2) })
	want := 2 * ((1+r)/2*first + (1-r)/2*second) / 4
	if got := value(t, &two, "mean_absolute_error", "factors").Number; math.Abs(got-want) > 1e-12 {
		t.Errorf("correlations with components: %v, want %v", got, want)
	}
	square := 2 * ((1+r)/2*first*first + (1-r)/2*second*second) / 4
	if got := value(t, &two, "mean_square_error", "factors").Number; math.Abs(got-square) > 1e-12 {
		t.Errorf("squares of correlations with components: %v, want %v", got, square)
	}
	// a score coefficient is the correlation divided by the eigenvalue
	first, second = d(func(r float64) float64 { return 1 / math.Sqrt(2*(1+r)) }), d(func(r float64) float64 {
		return 1 /
			math.Sqrt(2*(1-r))
	})
	want = 2 * ((1+r)/2*first + (1-r)/2*second) / 4
	if got := value(t, &two, "mean_absolute_error", "scores").Number; math.Abs(got-want) > 1e-12 {
		t.Errorf("score coefficients: %v, want %v", got, want)
	}
	want = d(func(r float64) float64 { return (1 + r) / 2 })
	if got := value(t, &two, "mean_absolute_error", "communalities").Number; math.Abs(got-want) > 1e-12 {
		t.Errorf("communalities: %v, want %v", got, want)
	}
	// current and original: means, standard deviations, quartiles, losses
	sd, sdNow := math.Sqrt(5.0/3), math.Sqrt(2.0/3)
	checkRow(t, two.Values.Tables[0].Rows[0], "a", 2.0, 1.5, sdNow, sd, 1.75, 0.75, 2.0, 1.5, 2.25, 2.25, 100.0/3,
		2/(math.Sqrt2*sd)/4, 0.25, 3.0/math.Sqrt(2*5))
	checkRow(t, two.Values.Tables[1].Rows[0], "a", "b", s, r, s-r, 2.0/3, 2.0/3)
}

// checkRow compares the cells of a row.
func checkRow(t *testing.T, row []any, want ...any) {
	t.Helper()
	for c, cell := range want {
		if x, ok := cell.(float64); ok && math.Abs(row[c].(float64)-x) <= 1e-12 {
			continue
		}
		if row[c] != cell {
			t.Errorf("cell %d of the row of %v is %v, want %v", c, want[0], row[c], cell)
		}
	}
}

// A component with the opposite sign is the same component: a, which is nearly uncorrelated with b and c, has a
// small positive correlation with them before and a small negative one after.
func TestSignOfComponents(t *testing.T) {
	b, c := []float64{1, 2, 3, 4, 5, 6, 7, 8}, []float64{1, 3, 2, 4, 5, 7, 6, 8}
	was := golden.Numbers(t, [][]float64{{1, -1, -1, 1, 1, -1, -1, 1.2}, b, c})
	now := golden.Numbers(t, [][]float64{{1.2, -1, -1, 1, 1, -1, -1, 1}, b, c})
	e := compute(t, loss.Spec(), &loss.Numeric{Variables: []string{"a", "b", "c"}}, was, now)
	if got := value(t, &e, "mean_absolute_error", "factors").Number; !(got < 0.05) {
		t.Errorf("correlations with components are off by %v", got)
	}
}

// Missing cells, constant variables and files with hardly any record give valid results, and every number can be
// encoded.
func TestPlainAnswers(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	was := golden.Numbers(t, [][]float64{{1, nan, nan, 2}, {5, 5, 5, 5}})
	now := golden.Numbers(t, [][]float64{{1, nan, 3, 3}, {5, inf, 5, 5}})
	e := compute(t, loss.Spec(), &loss.Numeric{Variables: []string{"a"}}, was, now)
	if got := value(t, &e, "il_variables", "").Number; got != (1+0.5)/4 {
		t.Errorf("variable loss %v", got)
	}
	e = compute(t, loss.Spec(), &loss.Numeric{Variables: []string{"a", "b"}}, was, now)
	if v := value(t, &e, "eigen", ""); v.Text() != "the correlation matrix has no inverse" {
		t.Errorf("eigenvalues of a constant: %v", v.Text())
	}
	if v := value(t, &e, "records", ""); v.Number != 2 {
		t.Errorf("%v records", v.Number)
	}
	// ten times 0.1 does not add up to 1, but the values are constant
	tenth, a, b := slices.Repeat([]float64{0.1}, 10), []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, []float64{1, 2, 3, 4, 5, 6,
		7, 8, 9, 11}
	was, now = golden.Numbers(t, [][]float64{a, tenth}), golden.Numbers(t,
		[][]float64{b, append(slices.Clone(tenth[1:]), 0.2)})
	two, one := compute(t, loss.Spec(), &loss.Numeric{Variables: []string{"a", "b"}}, was, now), compute(t, loss.Spec(),
		&loss.Numeric{Variables: []string{"a"}}, was, now)
	for _, name := range []string{"il1s", "il1s_per_cell", "sse_percent"} {
		if got, want := value(t, &two, name, "").Number, value(t, &one, name, "").Number; got != want {
			t.Errorf("%s beside a constant is %v, want %v", name, got, want)
		}
	}
	if v := value(t, &two, "il_correl", ""); !math.IsNaN(v.Number) {
		t.Errorf("correlation loss beside a constant: %v", v.Number)
	}
	for _, values := range [][]float64{{}, {1}, {0, 0}} {
		few := golden.Numbers(t, [][]float64{values, values})
		for _, spec := range []measure.Spec{loss.Spec()} {
			e := compute(t, spec, &loss.Numeric{Variables: []string{"a", "b"}}, few, few)
			if _, err := json.Marshal(e.Values); err != nil {
				t.Errorf("%d records: %v", len(values), err)
			}
		}
	}
	if e := compute(t, loss.Spec(), &loss.Numeric{}, was,
		now); e.NotApplicable != `there are no numeric key variables; set the parameter "variables"` {
		t.Errorf("without variables: %q", e.NotApplicable)
	}
}
