package risk_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

func worstCase(tb testing.TB, m measure.Measure, v *measure.Version) map[string]float64 {
	tb.Helper()
	values, err := m.Compute(context.Background(), measure.Input{Original: v, Current: v}, nil)
	if err != nil {
		tb.Fatal(err)
	}
	numbers := map[string]float64{}
	for _, n := range values.Numbers {
		numbers[n.Name] = n.Number
	}
	numbers["last"] = values.Records[0](v.Data().Len() - 1)
	return numbers
}

// For the ten records of the guide, the upper quartile of the risks is between the third and the fourth highest,
// which are both 0.025096439.
func TestWorstCaseOfTheGuide(t *testing.T) {
	v := measure.NewVersion(golden.Data(t, "guide10"), guideScenario(), nil)
	got := worstCase(t, &risk.WorstCase{Risk: 0.0251, Quantile: 0.75}, v)
	for name, want := range map[string]float64{"highest": 1.0 / 152, "population_uniques": 0, "above_risk": 2,
		"above_quantile": 2, "last": 1.0 / 262} {
		if math.Abs(got[name]-want) > 1e-12 {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	if math.Abs(got["quantile"]-0.025096439) > 5e-10 {
		t.Errorf("quantile %v", got["quantile"])
	}
}

// A key pattern whose only record has weight 1 is unique in the population.
func TestPopulationUniques(t *testing.T) {
	data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "a", []string{"x", "y", "y"}),
		golden.Column(t, "w", []string{"1", "1", "0.5"})})
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Weight = []string{"a"}, "w"
	got := worstCase(t, risk.WorstCaseSpec().New(), measure.NewVersion(data, &scenario, nil))
	if got["population_uniques"] != 1 || got["highest"] != 1 || got["last"] != 0.5 {
		t.Errorf("%v", got)
	}
}

// Key patterns whose weights have the same sum have the same risk, however the sums are rounded.
func TestWorstCaseOfThirds(t *testing.T) {
	key := golden.Column(t, "key", []string{"a", "b", "a", "b", "a", "b", "c"})
	weight := microdata.NewNumeric("w", microdata.Number, &microdata.Numbers{Values: []float64{100.0 / 3, 50, 100.0 / 3, 25, 100.0 / 3, 25, 1e6},
		Decimals: microdata.Shortest})
	data, err := microdata.NewDataset([]*microdata.Column{key, weight})
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Weight = []string{"key"}, "w"
	got := worstCase(t, &risk.WorstCase{Risk: 0.5, Quantile: 0.3}, measure.NewVersion(data, &scenario, nil))
	if n := got["above_quantile"]; n != 0 {
		t.Errorf("%v records have a higher risk than others of the same", n)
	}
}

func TestWorstCaseRecordByRecord(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := drawHouseholds(rt, t)
		h.scenario.Household = ""
		a := assess(t, h.data, &h.scenario)
		m := &risk.WorstCase{Risk: rapid.Float64Range(0, 0.5).Draw(rt, "risk"),
			Quantile: rapid.Float64Range(0, 1).Draw(rt, "quantile")}
		got := worstCase(t, m, measure.NewVersion(h.data, &h.scenario, nil))
		var risks []float64
		highest, ones, above := 0.0, 0.0, 0.0
		for record := range h.data.Len() {
			f, F := a.Frequency(record)
			F = math.Max(f, F)
			highest = math.Max(highest, 1/F)
			if F == 1 {
				ones++
			}
			if a.Risk(record) > m.Risk {
				above++
			}
			risks = append(risks, a.Risk(record))
		}
		slices.Sort(risks)
		lowered, records := 0.0, 0
		for _, r := range risks {
			lowered += math.Min(r, m.Risk)
			if r > m.Risk {
				records++
			}
		}
		if n, sum := a.Distribution().Above(m.Risk); n != records ||
			math.Abs(a.Distribution().Lowered(m.Risk)-lowered) > 1e-9 ||
			math.Abs(sum-float64(n)*m.Risk+lowered-a.Expected) > 1e-9 {
			rt.Fatalf("%d records above %v with %v, %v lowered; want %d and %v", n, m.Risk, sum,
				a.Distribution().Lowered(m.Risk), records, lowered)
		}
		place := m.Quantile * float64(len(risks)-1)
		low := int(place)
		quantile := risks[low]
		if low+1 < len(risks) {
			quantile += (risks[low+1] - risks[low]) * (place - float64(low))
		}
		if got["highest"] != highest || got["population_uniques"] != ones || got["above_risk"] != above ||
			math.Abs(got["quantile"]-quantile) > 1e-12 {
			rt.Fatalf("%v, want %v, %v, %v, %v", got, highest, ones, above, quantile)
		}
	})
}
