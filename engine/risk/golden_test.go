package risk_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// reference has the risk figures of one file for one set of key variables.
type reference struct {
	KeyVars   []string `json:"keyVars"`
	Weight    string   `json:"weight"`
	Household string   `json:"household"`
	Cases     []struct {
		Alpha             float64        `json:"alpha"`
		Global            *float64       `json:"global_risk"`
		Expected          *float64       `json:"expected_reidentifications"`
		Threshold         *float64       `json:"threshold_at_max_global_risk_0.01"`
		Violators         map[string]int `json:"violators"`
		HouseholdGlobal   *float64       `json:"household_risk"`
		HouseholdExpected *float64       `json:"household_expected_reidentifications"`
		Records           struct {
			Risk       []float64 `json:"risk"`
			Sample     []float64 `json:"fk"`
			Population []float64 `json:"Fk"`
			Household  []float64 `json:"hier_risk"`
		} `json:"records"`
	} `json:"cases"`
}

// rightExpected returns the expected re-identifications at alpha 0.5, for which the reference has no valid risk
// because frequencies are not integers.
func rightExpected(name string) (float64, bool) {
	right := map[string]float64{"survey": 84.9451224, "francdat_missing": 0.9742854855}
	value, ok := right[name]
	return value, ok
}

func TestReferenceFigures(t *testing.T) {
	for _, name := range []string{"guide10", "survey"} {
		t.Run(name, func(t *testing.T) {
			var file struct{ Risk reference }
			golden.Reference(t, name+"_risk", &file)
			file.Risk.check(t, name)
		})
	}
}

func TestSharedGoldenFigures(t *testing.T) {
	for _, name := range []string{"guide10", "francdat", "francdat_missing", "testdata", "survey"} {
		t.Run(name, func(t *testing.T) {
			var file struct{ Risk, Risk7 *reference }
			golden.Shared(t, name, &file)
			file.Risk.check(t, name)
			if file.Risk7 != nil {
				file.Risk7.check(t, name)
			}
		})
	}
}

func (r *reference) check(t *testing.T, name string) {
	data := golden.Data(t, name)
	for i := range r.Cases {
		alpha := r.Cases[i].Alpha
		t.Run(fmt.Sprintf("%d variables, alpha %v", len(r.KeyVars), alpha), func(t *testing.T) {
			scenario := microdata.NewScenario()
			scenario.Keys, scenario.Weight, scenario.Household = r.KeyVars, r.Weight, r.Household
			scenario.Alpha, scenario.K = alpha, []int{2, 3, 5, 10}
			r.checkCase(t, name, i, assess(t, data, &scenario))
		})
	}
}

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
	var households *microdata.Households
	if column, ok := data.Column(scenario.Household); ok {
		households = microdata.NewHouseholds(column)
	}
	assessment, err := risk.Assess(context.Background(), table, households, risk.OptionsOf(scenario))
	if err != nil {
		t.Fatal(err)
	}
	return assessment
}

func (r *reference) checkCase(t *testing.T, name string, i int, a *risk.Assessment) {
	c := r.Cases[i]
	for _, v := range a.Violators {
		if want := c.Violators[fmt.Sprint("k", v.K)]; v.Count != want {
			t.Errorf("violators of %d: %d, want %d", v.K, v.Count, want)
		}
	}
	for record := range c.Records.Sample {
		f, F := a.Frequency(record)
		close(t, "f", record, f, c.Records.Sample[record])
		close(t, "F", record, F, c.Records.Population[record])
		if f == math.Trunc(f) {
			close(t, "risk", record, a.Risk(record), c.Records.Risk[record])
		}
	}
	fractions := slices.ContainsFunc(a.KeyFrequencies().Sample, func(f float64) bool { return f != math.Trunc(f) })
	if fractions {
		if want, ok := rightExpected(name); ok {
			if math.Abs(a.Expected-want) > 1e-9*want {
				t.Errorf("expected re-identifications %.12g, want %.12g", a.Expected, want)
			}
		}
		return
	}
	close(t, "global risk", 0, a.Global, *c.Global)
	close(t, "expected re-identifications", 0, a.Expected, *c.Expected)
	value, needed := a.Threshold(0.01)
	if needed != (c.Threshold != nil) {
		t.Errorf("threshold needed: %v", needed)
	} else if needed {
		close(t, "threshold", 0, value, *c.Threshold)
	}
	if r.Household != "" {
		close(t, "household risk", 0, a.Households.Global, *c.HouseholdGlobal)
		close(t, "household expected", 0, a.Households.Expected, *c.HouseholdExpected)
		for record, want := range c.Records.Household {
			close(t, "household risk", record, a.HouseholdRiskOf(record), want)
		}
	}
}

func close(t *testing.T, what string, record int, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-8*math.Abs(want) {
		t.Errorf("%s of record %d: %.12g, want %.12g", what, record+1, got, want)
	}
}
