package pram_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/pram"
)

// table returns a dataset of columns written as words; "." is missing.
func table(t testing.TB, columns ...[2]string) *microdata.Dataset {
	t.Helper()
	var made []*microdata.Column
	for _, column := range columns {
		cells := strings.Fields(column[1])
		for i := range cells {
			if cells[i] == "." {
				cells[i] = ""
			}
		}
		made = append(made, golden.Column(t, column[0], cells))
	}
	data, err := microdata.NewDataset(made)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func decoded(t testing.TB, text string) *pram.PRAM {
	t.Helper()
	var params map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &params); err != nil {
		t.Fatal(err)
	}
	m := pram.New()
	if err := method.Decode(m, params); err != nil {
		t.Fatal(err)
	}
	return m
}

func applied(t testing.TB, data *microdata.Dataset, scenario microdata.Scenario, seed uint64,
	text string) method.Output {
	t.Helper()
	out, err := decoded(t, text).Apply(t.Context(), method.Input{Data: data, Scenario: &scenario, Seed: seed}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func text(t testing.TB, data *microdata.Dataset, variable string) []string {
	t.Helper()
	column, ok := data.Column(variable)
	if !ok {
		t.Fatalf("no variable %s", variable)
	}
	cells := make([]string, column.Len())
	for i := range cells {
		cells[i] = column.Text(i)
	}
	return cells
}

// The example of the documentation of the methods: T = (110, 90) with (.9 .1; .1 .9) has the expectation (108,
// 92).
func TestExpectation(t *testing.T) {
	data := table(t, [2]string{"x", strings.Repeat("a ", 110) + strings.Repeat("b ", 90)})
	out := applied(t, data, microdata.NewScenario(), 7, `{"variables":["x"],"matrix":[[0.9,0.1],[0.1,0.9]]}`)
	s := out.Report.PRAM[0].Strata[0]
	if diff := cmp.Diff([]float64{108, 92}, s.Expected, approximately(1e-12)); diff != "" {
		t.Errorf("expected frequencies (-want +got):\n%s", diff)
	}
	if s.Before[0] != 110 || s.After[0]+s.After[1] != 200 || s.Changed != s.Transitions[0][1]+s.Transitions[1][0] {
		t.Errorf("account %+v", s)
	}
	total, after := 0, map[string]int{}
	was := text(t, data, "x")
	for i, cell := range text(t, out.Data, "x") {
		after[cell]++
		if cell != was[i] {
			total++
		}
	}
	if after["a"] != s.After[0] || total != out.Report.Changed || total == 0 {
		t.Errorf("%v and %d changes in the data, %v and %d in the report", after, total, s.After, out.Report.Changed)
	}
}

func approximately(tolerance float64) cmp.Option {
	return cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= tolerance })
}

func TestMissingAndSuppressedStay(t *testing.T) {
	data := table(t, [2]string{"x", "a b . a b c a . b c"})
	column, _ := data.Column("x")
	cells := microdata.NewBits(10)
	cells.Set(0)
	cells.Set(9)
	data = data.With(column.Suppress(cells))
	out := applied(t, data, microdata.NewScenario(), 3, `{"variables":["x"],"form":"equal","pd":0}`)
	after, _ := out.Data.Column("x")
	for record, missing := range []bool{true, false, true, false, false, false, false, true, false, true} {
		if after.Missing(record) != missing {
			t.Errorf("record %d: missing %v", record, after.Missing(record))
		}
		if after.Suppressed().Has(record) != cells.Has(record) {
			t.Errorf("record %d: mark of suppression lost or made", record)
		}
		if !missing && after.Text(record) == column.Text(record) {
			t.Errorf("record %d stayed although the probability to stay is 0", record)
		}
	}
	if out.Report.Changed != 6 || out.Report.PRAM[0].Records != 6 {
		t.Errorf("report %+v", out.Report)
	}
}

func TestConditionKeepsTheOthers(t *testing.T) {
	data := table(t, [2]string{"educ", "none low high low none high high low"}, [2]string{"age", "3 40 50 12 . 16 15 70"})
	out := applied(t, data, microdata.NewScenario(), 3,
		`{"variables":["educ"],"form":"equal","pd":0,"condition":{"variable":"age","above":15}}`)
	was, is := text(t, data, "educ"), text(t, out.Data, "educ")
	for record, changes := range []bool{false, true, true, false, false, true, false, true} {
		if (was[record] != is[record]) != changes {
			t.Errorf("record %d: %s became %s", record, was[record], is[record])
		}
	}
	v := out.Report.PRAM[0]
	if diff := cmp.Diff([]string{"high", "low"}, v.Strata[0].Levels); diff != "" {
		t.Errorf("levels of those who may change: %s", diff)
	}
	if v.Records != 4 || v.Kept != 4 || v.Condition != "age > 15" {
		t.Errorf("report %+v", v)
	}
	named := applied(t, data, microdata.NewScenario(), 3,
		`{"variables":["age"],"form":"equal","pd":0,"condition":{"variable":"educ","levels":["low"]}}`)
	if named.Report.Changed != 3 {
		t.Errorf("%d changed by a condition on categories, want 3", named.Report.Changed)
	}
}

func TestStrataHaveTheirOwnMatrices(t *testing.T) {
	data := table(t, [2]string{"x", "a b a b a b c d c d c c e e a b"}, [2]string{"s", "1 1 1 1 1 1 2 2 2 2 2 2 3 3 . ."})
	out := applied(t, data, microdata.NewScenario(), 9, `{"variables":["x"],"form":"equal","pd":0,"strata":["s"]}`)
	v := out.Report.PRAM[0]
	var names []string
	for _, s := range v.Strata {
		names = append(names, fmt.Sprintf("%s: %s", s.Stratum, strings.Join(s.Levels, " ")))
	}
	if diff := cmp.Diff([]string{"missing: a b", "1: a b", "2: c d"}, names); diff != "" {
		t.Errorf("strata (-want +got):\n%s", diff)
	}
	if v.Changed != 14 || v.Kept != 2 {
		t.Errorf("%d changed, %d kept", v.Changed, v.Kept)
	}
	want := strings.Fields("b a b a b a d c d c d d e e b a")
	if diff := cmp.Diff(want, text(t, out.Data, "x")); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
}

// Members of a household with the same value share a draw.
func TestHouseholdsStayAlike(t *testing.T) {
	var x, household strings.Builder
	for h := range 400 {
		for range 1 + h%4 {
			fmt.Fprintf(&x, "%c ", 'a'+h%3)
			fmt.Fprintf(&household, "%d ", h)
		}
	}
	data := table(t, [2]string{"x", x.String()}, [2]string{"h", household.String()})
	scenario := microdata.NewScenario()
	scenario.Household, scenario.SameForHousehold = "h", []string{"x"}
	out := applied(t, data, scenario, 5, `{"variables":["x"],"form":"equal","pd":0.5}`)
	of, is := text(t, data, "h"), text(t, out.Data, "x")
	for record := 1; record < len(is); record++ {
		if of[record] == of[record-1] && is[record] != is[record-1] {
			t.Fatalf("record %d differs from its household", record+1)
		}
	}
	s := out.Report.PRAM[0].Strata[0]
	squares := 0
	for _, square := range s.Together {
		squares += square
	}
	if squares != 100*(1+4+9+16) {
		t.Errorf("squared sizes sum to %d", squares)
	}
	// A condition has to hold for all members.
	data = table(t, [2]string{"x", "a a b b a a"}, [2]string{"h", "1 1 2 2 3 3"}, [2]string{"c", "y n y y y y"})
	out = applied(t, data, scenario, 5,
		`{"variables":["x"],"form":"equal","pd":0,"condition":{"variable":"c","levels":["y"]}}`)
	if got := strings.Join(text(t, out.Data, "x"), " "); got != "a a a a b b" || out.Report.PRAM[0].Kept != 2 ||
		len(out.Report.Warnings) > 0 {
		t.Errorf("values %s, %d kept, warnings %q", got, out.Report.PRAM[0].Kept, out.Report.Warnings)
	}
	// If strata divide households, the report says so.
	var pairs strings.Builder
	for h := range 150 {
		fmt.Fprintf(&pairs, "%d %d ", h, h)
	}
	data = table(t, [2]string{"x", strings.Repeat("a a b b c c ", 50)}, [2]string{"h", pairs.String()},
		[2]string{"c", strings.Repeat("y n ", 150)})
	out = applied(t, data, scenario, 5, `{"variables":["x"],"form":"equal","pd":0.2,"strata":["c"]}`)
	if !strings.Contains(strings.Join(out.Report.Warnings, " "), "the members had one value and now have several") {
		t.Errorf("warnings %q", out.Report.Warnings)
	}
}

func TestErrors(t *testing.T) {
	data := table(t, [2]string{"x", "a b a b"}, [2]string{"one", "a a a a"}, [2]string{"none", ". . . ."},
		[2]string{"w", "1 2 3 4"},
		[2]string{"h", "1 1 2 2"})
	scenario := microdata.NewScenario()
	scenario.Weight, scenario.Household = "w", "h"
	tests := map[string]struct {
		is  error
		say string
	}{
		`{"variables":["x","x"]}`: {method.ErrParam,
			`names "x" twice`},
		`{"variables":["y"]}`: {method.ErrParam,
			`no variable "y"`},
		`{"variables":["w"]}`: {method.ErrParam,
			"is the weight"},
		`{"variables":["h"]}`: {method.ErrParam,
			"household IDs"},
		`{"variables":["one"]}`: {method.ErrInput,
			"only one category"},
		`{"variables":["x"],"form":"band"}`: {method.ErrInput,
			"have no order"},
		`{"variables":["x"],"form":"matrix"}`: {method.ErrParam,
			`"matrix" is missing`},
		`{"variables":["x"],"form":"equal","matrix":[[1]]}`: {method.ErrParam,
			"belongs to the form matrix"},
		`{"variables":["x"],"matrix":[[0.9,0.1],[0.1,0.8]]}`: {method.ErrParam,
			`row "b" sums to 0.9`},
		`{"variables":["x"],"matrix":[[0.9,0.1],[1]]}`: {method.ErrParam,
			`row "b" has 1 cells`},
		`{"variables":["x"],"matrix":[[1.1,-0.1],[0,1]]}`: {method.ErrParam,
			"between 0 and 1"},
		`{"variables":["x"],"matrix":[[1]]}`: {method.ErrParam,
			"has 1 row; x has 2 categories"},
		`{"variables":["x"],"matrix":[[0.9,0.1],[0.1,0.9]],"levels":["a","q"]}`: {method.ErrParam,
			`no category "q"`},
		`{"variables":["x"],"matrix":[[1]],"levels":["a"]}`: {method.ErrParam,
			`no row for the category "b"`},
		`{"variables":["x"],"forbid":[["a","q"]]}`: {method.ErrParam,
			`no category "q"`},
		`{"variables":["x"],"forbid":[["a","a"]]}`: {method.ErrParam,
			"both ends"},
		`{"variables":["x"],"condition":{"variable":"x","above":1}}`: {method.ErrParam,
			"not ordered"},
		`{"variables":["x"],"condition":{"variable":"w","above":4}}`: {method.ErrInput,
			"fewer than two categories"},
		`{"variables":["x"],"condition":{"variable":"x","levels":["9"]}}`: {method.ErrParam,
			`no category "9"`},
		`{"variables":["x"],"strata":["q"]}`: {method.ErrParam,
			`no variable "q"`},
		`{"variables":["x"],"form":"matrix","matrix":[[0.9,0.1],[0.1,0.9]],"forbid":[["a","b"]]}`: {method.ErrParam,
			"write zeros"},
	}
	for text, want := range tests {
		_, err := decoded(t, text).Apply(t.Context(), method.Input{Data: data, Scenario: &scenario}, nil)
		if !errors.Is(err, want.is) || err == nil || !strings.Contains(err.Error(), want.say) {
			t.Errorf("%s: error %v, want one that says %s", text, err, want.say)
		}
	}
}

// A variable without any value, such as a question that was not asked, does not change.
func TestNoValues(t *testing.T) {
	data := table(t, [2]string{"x", "a b a b"}, [2]string{"none", ". . . ."})
	scenario := microdata.NewScenario()
	out, err := decoded(t, `{"variables":["none"]}`).Apply(t.Context(), method.Input{Data: data, Scenario: &scenario}, nil)
	if err != nil || !out.Report.ChangesNothing() || out.Data.Hash() != data.Hash() ||
		!slices.Contains(out.Report.Warnings, "none has no value in any record") {
		t.Errorf("%+v, error %v", out.Report, err)
	}
}

func TestSameSeedSameBytes(t *testing.T) {
	data := generated.Survey(t, 40_000, 1, "region", "educ", "age", "hid")
	scenario := microdata.NewScenario()
	scenario.Household, scenario.SameForHousehold = "hid", []string{"region"}
	const params = `{"variables":["region","educ"],"strata":["age"],"condition":{"variable":"age","below":60}}`
	var first method.Output
	for i, processors := range []int{1, 2, 7} {
		before := runtime.GOMAXPROCS(processors)
		out := applied(t, data, scenario, 11, params)
		runtime.GOMAXPROCS(before)
		if i == 0 {
			first = out
			continue
		}
		if out.Data.Hash() != first.Data.Hash() {
			t.Errorf("%d processors give other data", processors)
		}
		if diff := cmp.Diff(first.Report, out.Report); diff != "" {
			t.Errorf("%d processors give another report:\n%s", processors, diff)
		}
	}
	if other := applied(t, data, scenario, 12, params); other.Data.Hash() == first.Data.Hash() {
		t.Error("another seed gave the same data")
	}
	alone := applied(t, data, scenario, 11, strings.Replace(params, `"region",`, "", 1))
	if diff := cmp.Diff(text(t, first.Data, "educ"), text(t, alone.Data, "educ")); diff != "" {
		t.Error("a variable is drawn otherwise when another one is drawn with it")
	}
}

// Transitions follow the matrix: a chi-squared test over all rows and many draws, at a level at which a correct
// program fails once in ten million seeds.
func TestTransitionsFollowTheMatrix(t *testing.T) {
	data := generated.Survey(t, 60_000, 1, "region", "marital")
	for _, params := range []string{
		`{"variables":["region"]}`,
		`{"variables":["marital"],"form":"equal","pd":0.3}`,
		`{"variables":["marital"],"forbid":[["married","single"]],"diagonal":"exact","alpha":1}`,
	} {
		sum, freedom := 0.0, 0
		for seed := range uint64(5) {
			s := applied(t, data, microdata.NewScenario(), seed+1, params).Report.PRAM[0].Strata[0]
			for k, row := range s.Matrix {
				cells := -1
				for j, p := range row {
					expected := p * float64(s.Before[k])
					if p == 0 && s.Transitions[k][j] > 0 {
						t.Errorf("%s: an impossible transition happened", params)
					}
					if expected < 5 {
						continue
					}
					difference := float64(s.Transitions[k][j]) - expected
					sum += difference * difference / expected
					cells++
				}
				freedom += max(0, cells)
			}
		}
		limit := float64(freedom) + 5.2*math.Sqrt(2*float64(freedom)) + 9
		if freedom < 50 || sum > limit {
			t.Errorf("%s: chi-squared %.1f with %d degrees of freedom, limit %.1f", params, sum, freedom, limit)
		}
	}
}

func TestNarrateAndNothing(t *testing.T) {
	data := table(t, [2]string{"x", "a b a b"})
	out := applied(t, data, microdata.NewScenario(), 1, `{"variables":["x"],"alpha":0}`)
	if !out.Report.ChangesNothing() || out.Data.Hash() != data.Hash() {
		t.Errorf("alpha 0 changed something: %+v", out.Report)
	}
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"x"}
	m := decoded(t, `{"variables":["x"],"form":"equal","pd":0,"condition":{"variable":"x","levels":["a","b"]}}`)
	out, err := m.Apply(t.Context(), method.Input{Data: data, Scenario: &scenario, Seed: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = "Values of x were randomised with known probabilities (PRAM), in some of the records only."
	if got := m.Narrate(&out.Report); got != want {
		t.Errorf("sentence %q", got)
	}
	if !strings.Contains(strings.Join(out.Report.Warnings, " "), "no longer apply: x is a key variable") {
		t.Errorf("warnings %q", out.Report.Warnings)
	}
}

// A second application with the seed of the first draws other numbers: the estimates from both are correct, and no
// step undoes another.
func TestTheSameSeedTwice(t *testing.T) {
	cells := make([]string, 4000)
	for i := range cells {
		cells[i] = string("ab"[i%2])
	}
	data := table(t, [2]string{"x", strings.Join(cells, " ")})
	const params = `{"variables":["x"],"form":"equal","pd":0.5}`
	first := applied(t, data, microdata.NewScenario(), 7, params)
	second := applied(t, first.Data, microdata.NewScenario(), 7, params)
	other := applied(t, first.Data, microdata.NewScenario(), 8, params)
	differ := func(a, b *microdata.Dataset) (count int) {
		x, y := a.Columns()[0], b.Columns()[0]
		for record := range x.Len() {
			if x.Text(record) != y.Text(record) {
				count++
			}
		}
		return count
	}
	// Each application changes half of the values independently, so that half of them differ in the end.
	for name, after := range map[string]*microdata.Dataset{"the same seed": second.Data, "another seed": other.Data} {
		if got := differ(data, after); got < 1800 || got > 2200 {
			t.Errorf("%s: %d of 4,000 values differ from the source after two draws", name, got)
		}
	}
	if again := applied(t, first.Data, microdata.NewScenario(), 7, params); again.Data.Hash() != second.Data.Hash() {
		t.Error("the second application is not the same when it is made again")
	}
}

// Members of a household with the same value share a draw, so that a group of g contributes g² to the variance.
// With two categories that change with probability p, the standard error of both is √(Σ g² p (1-p)) / (1-2p), and
// so is the standard deviation of the estimates over many draws.
func TestStandardErrorsOfHouseholds(t *testing.T) {
	var x, household strings.Builder
	squares := 0.0
	for h := range 120 {
		for range 1 + h%5 {
			fmt.Fprintf(&x, "%c ", 'a'+h%2)
			fmt.Fprintf(&household, "%d ", h)
		}
		size := 1 + h%5
		squares += float64(size * size)
	}
	data := table(t, [2]string{"x", x.String() + "a a b"}, [2]string{"h", household.String() + "a a a"})
	squares += 2*2 + 1 // the last household has two groups
	scenario := microdata.NewScenario()
	scenario.Household, scenario.SameForHousehold = "h", []string{"x"}
	const p = 0.2
	want := math.Sqrt(squares*p*(1-p)) / (1 - 2*p)
	sum, square := 0.0, 0.0
	const draws = 2000
	for seed := range uint64(draws) {
		out := applied(t, data, scenario, seed+1, `{"variables":["x"],"form":"equal","pd":0.8}`)
		s := out.Report.PRAM[0].Strata[0]
		for _, got := range s.Errors {
			if math.Abs(got-want) > 1e-9*want {
				t.Fatalf("standard errors %v, want %v", s.Errors, want)
			}
		}
		sum += s.Estimate[0]
		square += s.Estimate[0] * s.Estimate[0]
	}
	mean := sum / draws
	if spread := math.Sqrt(square/draws - mean*mean); math.Abs(spread/want-1) > 0.06 { // four standard errors
		t.Errorf("the estimates of %d draws spread by %v, the standard error is %v", draws, spread, want)
	}
}
