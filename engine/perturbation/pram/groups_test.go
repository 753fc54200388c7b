package pram_test

import (
	"math"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/pram"
)

// What is drawn for rows that stand for several records has the law of PRAM of the records: over many seeds
// transitions have the mean and the variance that their chances give, and no cell of a row its own.
func TestRowsAreDrawnByTheirMatrix(t *testing.T) {
	survey := generated.Survey(t, 3000, 5, "region", "sex", "weight")
	data := generated.GroupBy(survey, "weight", "region", "sex").Dataset(t, survey, "weight")
	scenario := microdata.NewScenario()
	m := pram.New()
	m.Variables, m.Form, m.PD = []string{"region"}, pram.FormEqual, 0.7
	const seeds = 600
	var sums, squares [][]float64
	var matrix [][]float64
	var before []int
	for seed := range uint64(seeds) {
		out, err := method.Apply(t.Context(), m, method.Input{Data: data, Scenario: &scenario, Seed: seed + 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		s := &out.Report.PRAM[0].Strata[0]
		if matrix, before = s.Matrix, s.Before; sums == nil {
			sums, squares = make([][]float64, len(matrix)), make([][]float64, len(matrix))
			for k := range sums {
				sums[k], squares[k] = make([]float64, len(matrix)), make([]float64, len(matrix))
			}
		}
		for k, row := range s.Transitions {
			for j, count := range row {
				apart := float64(count) - float64(before[k])*matrix[k][j]
				sums[k][j], squares[k][j] = sums[k][j]+apart, squares[k][j]+apart*apart
			}
		}
		column, _ := out.Data.Column("region")
		if out.Data.Records() != 3000 || column.Origin() != microdata.Drawn || column.Source().Hash() == column.Hash() {
			t.Fatalf("seed %d: %d records", seed, out.Data.Records())
		}
	}
	for k := range sums {
		for j, p := range matrix[k] {
			variance := float64(before[k]) * p * (1 - p)
			if mean := sums[k][j] / seeds; math.Abs(mean) > 4.5*math.Sqrt(variance/seeds) {
				t.Errorf("from %d to %d there are %v more than expected", k, j, mean)
			}
			if got := squares[k][j] / seeds; math.Abs(got/variance-1) > 5*math.Sqrt(2.0/seeds)*math.Sqrt(1+1/variance) {
				t.Errorf("from %d to %d the variance is %v, want %v", k, j, got, variance)
			}
		}
	}
}

// Members of households that draw together, and numbers of records, are not told by groups.
func TestWhatGroupsDoNotDraw(t *testing.T) {
	survey := generated.Survey(t, 300, 5, "region", "sex", "weight")
	data := generated.GroupBy(survey, "weight", "region", "sex").Dataset(t, survey, "weight")
	scenario := microdata.NewScenario()
	m := pram.New()
	m.Variables = []string{"region"}
	if err := m.Condition.Set("record < 100 and sex = female"); err != nil {
		t.Fatal(err)
	}
	if _, err := method.Apply(t.Context(), m, method.Input{Data: data, Scenario: &scenario, Seed: 1}, nil); err == nil {
		t.Error("records were found by their numbers in groups")
	}
	scenario.Household, scenario.SameForHousehold = "hid", []string{"region"}
	if reason := method.OnGroups(m, &scenario); reason == "" {
		t.Error("households draw together in groups")
	}
	if reason := method.OnGroups(pram.New(), &scenario); reason != "" {
		t.Error(reason)
	}
}
