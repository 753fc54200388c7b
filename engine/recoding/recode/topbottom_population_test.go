package recode_test

import (
	"context"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// The threshold is the highest value with at least the given population above it, and the lowest with at least
// that population below.
func TestThresholdsByPopulation(outer *testing.T) {
	rapid.Check(outer, func(t *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(t, "n")
		var cells, weights []string
		for range n {
			cells = append(cells, rapid.SampledFrom([]string{"1", "2", "2.5", "9", "10", "100", ""}).Draw(t, "x"))
			weights = append(weights, strconv.Itoa(rapid.IntRange(1, 9).Draw(t, "w")))
		}
		data, err := microdata.NewDataset([]*microdata.Column{golden.Column(outer, "x", append(cells, "3")),
			golden.Column(outer, "w", append(weights, "2"))})
		if err != nil {
			t.Fatal(err)
		}
		scenario := microdata.NewScenario()
		if rapid.Bool().Draw(t, "weighted") {
			scenario.Weight = "w"
		}
		x, w := data.Columns()[0], data.Columns()[1]
		beyond := func(threshold, sign float64) float64 {
			sum := 0.0
			for row := range x.Len() {
				if sign*x.Float(row) > sign*threshold {
					if sum++; scenario.Weight != "" {
						sum += w.Float(row) - 1
					}
				}
			}
			return sum
		}
		sign := rapid.SampledFrom([]float64{1, -1}).Draw(t, "side")
		population := float64(rapid.IntRange(1, 60).Draw(t, "population"))
		want := math.Inf(-1)
		for _, value := range []float64{1, 2, 2.5, 3, 9, 10, 100} {
			occurs := false
			for row := range x.Len() {
				occurs = occurs || x.Float(row) == value
			}
			if occurs && beyond(value, sign) >= population {
				want = max(want, sign*value)
			}
		}
		m := &recode.TopBottom{Variable: "x", Replacement: recode.ReplaceByThreshold}
		if sign > 0 {
			m.TopPopulation = &population
		} else {
			m.BottomPopulation = &population
		}
		out, err := method.Apply(context.Background(), m, method.Input{Data: data, Scenario: &scenario}, nil)
		if math.IsInf(want, -1) {
			if !errors.Is(err, method.ErrInput) {
				t.Fatalf("error %v, though nothing has so many beyond it", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		after, _ := out.Data.Column("x")
		for row := range x.Len() {
			was := x.Float(row)
			if sign*was > want {
				was = sign * want
			}
			if got := after.Float(row); got != was && !math.IsNaN(was) {
				t.Fatalf("%v became %v, want %v", x.Float(row), got, was)
			}
		}
	})
}

func TestPopulationOfCategoriesAndRefusals(t *testing.T) {
	educ := apply(t, &recode.Order{Variable: "x", Levels: []string{"none", "primary", "secondary", "tertiary"}},
		dataset(t, "none", "primary", "secondary", "tertiary", "secondary")).Data
	out := apply(t, &recode.TopBottom{Variable: "x", TopPopulation: number(2), Replacement: recode.ReplaceByThreshold},
		educ)
	if got := strings.Join(texts(out.Data, "x"), " "); got != "none primary secondary+ secondary+ secondary+" {
		t.Error(got)
	}
	for want, m := range map[string]*recode.TopBottom{
		"give one of them": {Top: number(3), TopPopulation: number(1)},
		"too small":        {TopPopulation: number(3), BottomPopulation: number(3)},
		"smaller number":   {BottomPopulation: number(7)},
	} {
		m.Variable, m.Replacement = "x", recode.ReplaceByThreshold
		scenario := microdata.NewScenario()
		_, err := method.Apply(t.Context(), m, method.Input{Data: dataset(t, "1", "2", "3", "4", ""), Scenario: &scenario},
			nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	m := &recode.TopBottom{Variable: "x", TopPopulation: number(1), Replacement: recode.ReplaceByThreshold}
	scenario := microdata.NewScenario()
	if _, err := method.Apply(t.Context(), m, method.Input{Data: dataset(t, "a", "b"), Scenario: &scenario},
		nil); err == nil || !strings.Contains(err.Error(), "no order") {
		t.Errorf("no order: %v", err)
	}
}
