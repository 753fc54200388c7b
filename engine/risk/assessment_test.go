package risk_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	_ "github.com/sdcdesk/sdcdesk/house/longtests"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

func guideScenario() *microdata.Scenario {
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Weight = []string{"Residence", "Gender", "Educ", "Lstat"}, "Weight"
	return &scenario
}

func surveyScenario() *microdata.Scenario {
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}
	scenario.Weight, scenario.Household = "weight", "hid"
	return &scenario
}

// TestGuideRisks checks table 1 of the SDC Practice Guide.
func TestGuideRisks(t *testing.T) {
	a := assess(t, golden.Data(t, "guide10"), guideScenario())
	for record, want := range []float64{0.005424520, 0.005424520, 0.025096439, 0.012563425, 0.028247279,
		0.012563425, 0.029010932, 0.025096439, 0.007403834, 0.007403834} {
		if got := a.Risk(record); math.Abs(got-want) > 5e-10 {
			t.Errorf("record %d: %.9f, want %.9f", record+1, got, want)
		}
	}
	if math.Abs(a.Expected-0.1582346) > 5e-8 || math.Abs(a.Global-0.01582346) > 5e-9 {
		t.Errorf("expected %v, global %v", a.Expected, a.Global)
	}
	if value, needed := a.Threshold(0.01); !needed || math.Abs(value-0.007403834) > 5e-10 {
		t.Errorf("threshold %v, needed %v", value, needed)
	}
	if value, needed := a.Threshold(0.02); needed || value != 0 {
		t.Errorf("threshold %v, needed %v for a target that holds", value, needed)
	}
	if value, needed := a.Threshold(1e-9); !needed || value != 0 {
		t.Errorf("threshold %v, needed %v for a target out of reach", value, needed)
	}
	if got := a.AboveMain(); got != 0 {
		t.Errorf("%d records with outlying risk", got)
	}
}

func TestExplanation(t *testing.T) {
	a := assess(t, golden.Data(t, "guide10"), guideScenario())
	want := risk.Explanation{Identical: 1, Rule: microdata.RuleDefault, Alpha: 1, Sample: 1, Population: 215,
		P: 1.0 / 215, Formula: risk.FormulaOne, Risk: a.Risk(2)}
	if diff := cmp.Diff(want, a.Explain(2)); diff != "" {
		t.Error(diff)
	}
	for _, record := range []int{0, 17, 4999} {
		a := assess(t, golden.Data(t, "survey"), surveyScenario())
		e := a.Explain(record)
		f := float64(e.Identical+e.Complete) + e.Alpha*float64(e.Incomplete)
		if f != e.Sample || e.Risk != risk.Individual(e.Sample, e.Population, false) {
			t.Errorf("record %d: %+v", record, e)
		}
	}
}

// drawn is a small random file with its scenario.
type drawn struct {
	data     *microdata.Dataset
	scenario microdata.Scenario
}

func drawHouseholds(t *rapid.T, tb testing.TB) drawn {
	n := rapid.IntRange(1, 60).Draw(t, "records")
	cells := func(name string, from, to int, missing bool, form string) *microdata.Column {
		texts := make([]string, n)
		for i := range texts {
			if !missing || rapid.IntRange(0, 4).Draw(t, name+" missing") > 0 {
				texts[i] = fmt.Sprintf(form, rapid.IntRange(from, to).Draw(t, name))
			}
		}
		return golden.Column(tb, name, texts)
	}
	form := rapid.SampledFrom([]string{"%d", "h%d"}).Draw(t, "identifiers")
	columns := []*microdata.Column{
		cells("hid", 1, 20, rapid.Bool().Draw(t, "some without"), form),
		cells("a", 1, 3, true, "%d"), cells("b", 1, 3, true, "x%d"), cells("w", 1, 500, false, "%d.5"),
	}
	if rapid.Bool().Draw(t, "together") {
		texts := make([]string, n)
		for i, last := range slices.Sorted(slices.Values(rapid.SliceOfN(rapid.IntRange(0, 30), n, n).Draw(t, "hids"))) {
			if last > 0 {
				texts[i] = fmt.Sprintf(form, last)
			}
		}
		columns[0] = golden.Column(tb, "hid", texts)
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Weight, scenario.Household = []string{"a", "b"}, "w", "hid"
	scenario.Rule = rapid.SampledFrom(microdata.Rules()).Draw(t, "rule")
	scenario.Alpha = rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "alpha")
	return drawn{data, scenario}
}

func TestHouseholdRiskEqualsDefinition(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := drawHouseholds(rt, t)
		a := assess(t, h.data, &h.scenario)
		ids, _ := h.data.Column("hid")
		expected, highest := 0.0, 0.0
		for i := range h.data.Len() {
			safe := 1 - a.Risk(i)
			for j := range h.data.Len() {
				if i != j && !ids.Missing(i) && ids.Text(i) == ids.Text(j) {
					safe *= 1 - a.Risk(j)
				}
			}
			if math.Abs(a.HouseholdRiskOf(i)-(1-safe)) > 1e-12 {
				rt.Fatalf("record %d: %v, want %v", i, a.HouseholdRiskOf(i), 1-safe)
			}
			expected += 1 - safe
			highest = max(highest, 1-safe)
		}
		if math.Abs(a.Households.Expected-expected) > 1e-9 || math.Abs(a.Households.Highest-highest) > 1e-12 {
			rt.Fatalf("sum %v, want %v; highest %v, want %v", a.Households.Expected, expected, a.Households.Highest, highest)
		}
	})
}

func TestFiguresEqualDefinitions(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := drawHouseholds(rt, t)
		a := assess(t, h.data, &h.scenario)
		risks := make([]float64, h.data.Len())
		for i := range risks {
			risks[i] = a.Risk(i)
		}
		if got, want := a.AboveMain(), aboveMain(risks); got != want {
			rt.Fatalf("%d above the main part, want %d of %v", got, want, risks)
		}
		target := rapid.Float64Range(0, 1).Draw(rt, "target")
		got, needed := a.Threshold(target)
		if want, wanted := threshold(risks, target); got != want || needed != wanted {
			rt.Fatalf("threshold %v, %v; want %v, %v of %v", got, needed, want, wanted, risks)
		}
		limit := rapid.IntRange(0, 70).Draw(rt, "limit")
		if diff := cmp.Diff(atRisk(a, limit, 3), a.RecordsAtRisk(limit, 3)); diff != "" {
			rt.Fatal(diff)
		}
	})
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

func aboveMain(risks []float64) int {
	centre := median(risks)
	deviations := make([]float64, len(risks))
	for i, r := range risks {
		deviations[i] = math.Abs(r - centre)
	}
	above := 0
	for _, r := range risks {
		if r > centre+2*1.4826*median(deviations) && r > 0.1 {
			above++
		}
	}
	return above
}

func threshold(risks []float64, target float64) (value float64, needed bool) {
	capped := func(at float64) float64 {
		sum := 0.0
		for _, r := range risks {
			sum += min(r, at)
		}
		return sum
	}
	limit := target * float64(len(risks))
	if capped(1) < limit {
		return 0, false
	}
	for _, r := range risks {
		if capped(r) < limit {
			value = max(value, r)
		}
	}
	return value, true
}

func atRisk(a *risk.Assessment, limit, k int) []int {
	var records []int
	for i := range a.Records {
		if a.Violates(i, k) {
			records = append(records, i)
		}
	}
	slices.SortStableFunc(records, func(x, y int) int {
		switch {
		case a.Risk(x) > a.Risk(y):
			return -1
		case a.Risk(x) < a.Risk(y):
			return 1
		default:
			return 0
		}
	})
	records = records[:min(limit, len(records))]
	if len(records) == 0 {
		return nil
	}
	return records
}

// figures returns all figures of an assessment that must not depend on how they were computed.
func figures(a *risk.Assessment) []any {
	value, needed := a.Threshold(0.01)
	return []any{a.Violators, a.Expected, a.Global, a.Households.Expected, a.Households.Highest, a.Raised,
		a.AboveMain(), value, needed, a.HighestRisk(), a.RecordsAtRisk(50, 3)}
}

func TestSameOnAnyNumberOfProcessorsAndRegrouped(t *testing.T) {
	data, scenario := golden.Data(t, "survey"), surveyScenario()
	scenario.Alpha = 0.3
	many := assess(t, data, scenario)
	before := runtime.GOMAXPROCS(1)
	one := assess(t, data, scenario)
	runtime.GOMAXPROCS(before)
	if diff := cmp.Diff(figures(one), figures(many)); diff != "" {
		t.Error(diff)
	}
	age, _ := data.Column("age")
	from := age.Categories()
	mapping := make([]uint32, len(from.Levels)+1)
	levels := make([]microdata.Level, 10)
	for code := 1; code < len(mapping); code++ {
		mapping[code] = uint32(code-1)/10 + 1
	}
	for i := range levels {
		levels[i] = microdata.Level{Label: fmt.Sprint("class ", i), Value: math.NaN()}
	}
	table, err := many.Table().Regroup(context.Background(), 3, len(levels), mapping)
	if err != nil {
		t.Fatal(err)
	}
	regrouped, err := risk.Assess(context.Background(), table, many.HouseholdIndex(), risk.OptionsOf(scenario))
	if err != nil {
		t.Fatal(err)
	}
	recoded := assess(t, data.With(age.Regroup(age, levels, mapping, true)), scenario)
	if diff := cmp.Diff(figures(recoded), figures(regrouped)); diff != "" {
		t.Error(diff)
	}
}

func TestWithoutWeights(t *testing.T) {
	scenario := guideScenario()
	scenario.Weight = ""
	a := assess(t, golden.Data(t, "guide10"), scenario)
	for record := range a.Records {
		f, F := a.Frequency(record)
		if f != F || a.Risk(record) != 1/f || a.Explain(record).Formula != risk.FormulaWhole {
			t.Errorf("record %d: f %v, F %v, risk %v", record, f, F, a.Risk(record))
		}
	}
	if a.Raised != 0 || a.HouseholdRiskOf(3) != a.Risk(3) {
		t.Errorf("%d raised, household risk %v", a.Raised, a.HouseholdRiskOf(3))
	}
}

func TestPopulationBelowSample(t *testing.T) {
	columns := []*microdata.Column{golden.Column(t, "a", []string{"x", "x", "y"})}
	table, err := keys.New(context.Background(), columns, []float64{0.5, 0.25, 7})
	if err != nil {
		t.Fatal(err)
	}
	a, err := risk.Assess(context.Background(), table, nil, risk.Options{Rule: microdata.RuleDefault, Alpha: 1,
		K: []int{2}})
	if err != nil {
		t.Fatal(err)
	}
	if a.Raised != 2 || a.Risk(0) != 0.5 || !a.Explain(0).Raised || a.Explain(0).P != 1 {
		t.Errorf("%d raised, risk %v: %+v", a.Raised, a.Risk(0), a.Explain(0))
	}
}

func TestOptionErrors(t *testing.T) {
	ctx := context.Background()
	column := golden.Column(t, "a", []string{"x", "x", "y"})
	table, err := keys.New(ctx, []*microdata.Column{column}, nil)
	if err != nil {
		t.Fatal(err)
	}
	good := risk.Options{Rule: microdata.RuleDefault, Alpha: 1, K: []int{2}}
	bad := good
	bad.K = []int{3, 1}
	if _, err := risk.Assess(ctx, table, nil, bad); !errors.Is(err, risk.ErrOptions) {
		t.Errorf("k 1: %v", err)
	}
	other := microdata.NewHouseholds(golden.Column(t, "h", []string{"1"}))
	if _, err := risk.Assess(ctx, table, other, good); !errors.Is(err, risk.ErrOptions) {
		t.Errorf("households of another file: %v", err)
	}
	bad = good
	bad.Rule = ""
	if _, err := risk.Assess(ctx, table, nil, bad); !errors.Is(err, keys.ErrRule) {
		t.Errorf("no rule: %v", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := risk.Assess(ended, table, nil, good); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestNoRecords(t *testing.T) {
	table, err := keys.New(context.Background(), []*microdata.Column{golden.Column(t, "a", nil)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	households := microdata.NewHouseholds(golden.Column(t, "h", nil))
	a, err := risk.Assess(context.Background(), table, households, risk.Options{Rule: microdata.RuleDefault, K: []int{2}})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(a.Expected, a.Global, a.Violators, a.AboveMain(), a.RecordsAtRisk(5, 2),
		a.HighestRisk()); got != "0 0 [{2 0 0 0}] 0 [] 0" {
		t.Error(got)
	}
}
