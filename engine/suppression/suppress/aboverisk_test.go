package suppress

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// assess returns the assessment of the data under the input's scenario.
func assess(t testing.TB, data *microdata.Dataset, scenario *microdata.Scenario) *risk.Assessment {
	t.Helper()
	weights, err := scenario.Weights(data)
	if err != nil {
		t.Fatal(err)
	}
	table, err := keys.New(context.Background(), golden.Columns(data, scenario.Keys...), weights)
	if err != nil {
		t.Fatal(err)
	}
	assessment, err := risk.Assess(context.Background(), table, nil, risk.OptionsOf(scenario))
	if err != nil {
		t.Fatal(err)
	}
	return assessment
}

// Figures are those of sdcMicro 5.8.1.
func TestAboveRisk(t *testing.T) {
	for _, name := range []string{"testdata", "francdat"} {
		t.Run(name, func(t *testing.T) {
			var file struct {
				Case struct {
					KeyVars      []string                      `json:"keyVars"`
					Weight       string                        `json:"weight"`
					Var          string                        `json:"var"`
					Threshold    float64                       `json:"threshold"`
					Suppressions map[string]int                `json:"suppressions"`
					Expected     float64                       `json:"expected_reidentifications"`
					After        struct{ K2, K3, K5, K10 int } `json:"violators_after"`
				} `json:"localsupp"`
			}
			golden.Shared(t, name, &file)
			c := &file.Case
			scenario := microdata.NewScenario()
			scenario.Keys, scenario.Weight = c.KeyVars, c.Weight
			in := method.Input{Data: golden.Data(t, name), Scenario: &scenario}
			out, err := (&AboveRisk{Variable: c.Var, Threshold: c.Threshold}).Apply(t.Context(), in, nil)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]int{}
			for _, cells := range out.Report.Cells {
				got[cells.Name] = cells.Count
			}
			if diff := cmp.Diff(c.Suppressions, got); diff != "" {
				t.Errorf("cells (-want +got):\n%s", diff)
			}
			after := golden.Columns(out.Data, c.KeyVars...)
			for k, want := range map[int]int{2: c.After.K2, 3: c.After.K3, 5: c.After.K5, 10: c.After.K10} {
				if n := golden.Violators(after, microdata.RuleDefault, 1, k); n != want {
					t.Errorf("%d violators of k = %d, want %d", n, k, want)
				}
			}
			if out.Report.K != 2 || out.Report.Left.Default != c.After.K2 {
				t.Errorf("%d violators of k = %d left, want %d of 2", out.Report.Left.Default, out.Report.K, c.After.K2)
			}
			if got := assess(t, out.Data, &scenario).Expected; math.Abs(got/c.Expected-1) > 1e-8 {
				t.Errorf("expected re-identifications %v, want %v", got, c.Expected)
			}
		})
	}
}

func TestAboveRiskErrors(t *testing.T) {
	in := table(t, "A3S", "A3M", "A3M", "A3S", "A3W")
	for name, m := range map[string]*AboveRisk{
		"no variable":   {Threshold: 0.1},
		"no key":        {Variable: "z", Threshold: 0.1},
		"threshold":     {Variable: "a", Threshold: 1.1},
		"not a number":  {Variable: "a", Threshold: math.NaN()},
		"below nothing": {Variable: "a", Threshold: -0.1},
	} {
		if _, err := m.Apply(t.Context(), in, nil); !errors.Is(err, method.ErrParam) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	in.Scenario.Keys = nil
	if _, err := NewAboveRisk().Apply(t.Context(), in, nil); err == nil {
		t.Error("no error without key variables")
	}
}

func TestAboveRiskAboveAll(t *testing.T) {
	in := table(t, "A3S", "A3M", "A3M", "A3S", "A3W")
	out, err := (&AboveRisk{Variable: "c", Threshold: 1}).Apply(t.Context(), in, nil)
	if err != nil || !out.Report.ChangesNothing() || out.Data.Hash() != in.Data.Hash() {
		t.Errorf("report %+v, error %v", out.Report, err)
	}
}

// Risks that differ only in the last digits, as between machines, are equal.
func TestLastDigitsOfARiskAreNotCompared(t *testing.T) {
	for _, threshold := range []float64{0.05, 0.1, 1.0 / 3, 0.125, 1e-7, 1} {
		next := threshold
		for range 8 {
			next = math.Nextafter(next, 2)
		}
		if above(next, threshold) || above(threshold, next) {
			t.Errorf("%v is not as high as %v", next, threshold)
		}
		if !above(threshold*(1+1e-11), threshold) || above(threshold, threshold*(1+1e-11)) {
			t.Errorf("%v is no higher than %v", threshold*(1+1e-11), threshold)
		}
	}
	if !above(1e-300, 0) || above(0, 0) {
		t.Error("0 is not the lowest risk")
	}
}

// With an importance the key variables lose cells one after the other, least important first, as separate steps
// would do. No variable loses cells once no record is above the threshold.
func TestAboveRiskByImportance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomInput(t)
		if rapid.Bool().Draw(t, "households") {
			in = randomHouseholds(t)
		}
		names := in.Scenario.Keys
		m := &AboveRisk{Threshold: rapid.Float64Range(0, 0.6).Draw(t, "threshold"), Importance: map[string]int{}}
		for place, name := range rapid.Permutation(names).Draw(t, "importance") {
			m.Importance[name] = place + 1
		}
		out, err := method.Apply(t.Context(), m, in, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, cells, rest := in, 0, map[string]int{}
		for place := len(names); place > 0; place-- {
			for name := range m.Importance {
				if m.Importance[name] != place {
					continue
				}
				step, err := method.Apply(t.Context(), &AboveRisk{Variable: name, Threshold: m.Threshold}, want, nil)
				if err != nil {
					t.Fatal(err)
				}
				want.Data, rest[name] = step.Data, step.Report.Total
				cells += step.Report.Total
			}
		}
		touched := map[int]bool{}
		for v, name := range names {
			got, _ := out.Data.Column(name)
			wanted, _ := want.Data.Column(name)
			was, _ := in.Data.Column(name)
			for record := range in.Data.Len() {
				if got.Text(record) != wanted.Text(record) || got.Missing(record) != wanted.Missing(record) {
					t.Fatalf("record %d has another %s than by single steps", record, name)
				}
				touched[record] = touched[record] || got.Missing(record) && !was.Missing(record)
			}
			if got := out.Report.Cells[v].Count; got != rest[name] {
				t.Fatalf("%d cells of %s, want %d", got, name, rest[name])
			}
		}
		records := 0
		for record := range touched {
			if touched[record] {
				records++
			}
		}
		if out.Report.Total != cells || out.Report.Touched != records {
			t.Fatalf("%d cells of %d records, want %d of %d", out.Report.Total, out.Report.Touched, cells, records)
		}
	})
}

// By hand: of (a, x) three times, (a, y) and (b, x), the last two are unique. Without h the first of them is
// compatible with three others, and the second is still unique until it also loses g; and vice versa.
func TestImportanceDecidesWhatGoes(t *testing.T) {
	data := golden.Parse(t, strings.NewReader("g,h\na,x\na,x\na,x\na,y\nb,x\n"), "g", "h")
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"g", "h"}
	for _, c := range []struct {
		importance map[string]int
		g, h       int
	}{{map[string]int{"g": 1, "h": 2}, 1, 2}, {map[string]int{"g": 2, "h": 1}, 2, 1}} {
		out, err := method.Apply(t.Context(), &AboveRisk{Threshold: 0.6, Importance: c.importance},
			method.Input{Data: data, Scenario: &scenario}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if cells := out.Report.Cells; cells[0].Count != c.g || cells[1].Count != c.h {
			t.Errorf("%v takes %v", c.importance, cells)
		}
		if want := "3 cells suppressed; 2 records above the threshold, 0 still"; out.Report.Effect != want {
			t.Errorf("%q, want %q", out.Report.Effect, want)
		}
	}
	_, err := method.Apply(t.Context(), &AboveRisk{Threshold: 0.6}, method.Input{Data: data, Scenario: &scenario}, nil)
	if !errors.Is(err, method.ErrParam) {
		t.Errorf("without variable and importance: %v", err)
	}
}
