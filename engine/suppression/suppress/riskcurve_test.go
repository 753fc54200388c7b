package suppress

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// At every threshold the curve agrees with the method.
func TestRiskCurve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomInput(t)
		if rapid.Bool().Draw(t, "households") {
			in = randomHouseholds(t)
		}
		variable := rapid.IntRange(0, len(in.Scenario.Keys)-1).Draw(t, "variable")
		columns, err := keyColumns(in)
		if err != nil {
			t.Fatal(err)
		}
		table, err := keys.New(t.Context(), columns, nil)
		if err != nil {
			t.Fatal(err)
		}
		assessment, err := risk.Assess(t.Context(), table, nil, risk.OptionsOf(in.Scenario))
		if err != nil {
			t.Fatal(err)
		}
		curve, err := NewRiskCurve(assessment, in, variable)
		if err != nil {
			t.Fatal(err)
		}
		threshold := rapid.Float64Range(0, 1).Draw(t, "threshold")
		if rapid.Bool().Draw(t, "exactly") {
			threshold = rapid.SampledFrom(curve.Thresholds()).Draw(t, "risk")
		}
		checkCurve(t, curve, assessment, in, &AboveRisk{Variable: in.Scenario.Keys[variable], Threshold: threshold})
	})
}

// The population above a threshold equals the sum over the records.
func TestPopulationOfARiskCurve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomInput(t)
		columns, err := keyColumns(in)
		if err != nil {
			t.Fatal(err)
		}
		weights := make([]float64, in.Data.Len())
		for record := range weights {
			weights[record] = float64(1 + record%4)
		}
		table, err := keys.New(t.Context(), columns, weights)
		if err != nil {
			t.Fatal(err)
		}
		assessment, err := risk.Assess(t.Context(), table, nil, risk.OptionsOf(in.Scenario))
		if err != nil {
			t.Fatal(err)
		}
		curve, err := NewRiskCurve(assessment, in, 0)
		if err != nil {
			t.Fatal(err)
		}
		threshold, want := rapid.SampledFrom(append([]float64{-1, 1}, curve.Thresholds()...)).Draw(t, "threshold"), 0.0
		for record, weight := range weights {
			if above(assessment.Risk(record), threshold) {
				want += weight
			}
		}
		if got := curve.Population(threshold); got != want {
			t.Fatalf("a population of %v, by all records %v", got, want)
		}
	})
}

func checkCurve(t *rapid.T, curve *RiskCurve, assessment *risk.Assessment, in method.Input, m *AboveRisk) {
	records, cells := curve.Above(m.Threshold)
	wantRecords := 0
	for record := range in.Data.Len() {
		if above(assessment.Risk(record), m.Threshold) {
			wantRecords++
		}
	}
	if wantCells := cellsAbove(in, assessment, m); records != wantRecords || cells != wantCells {
		t.Fatalf("%d records and %d cells, by all records %d and %d", records, cells, wantRecords, wantCells)
	}
	out, err := m.Apply(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if out.Report.Above != records || out.Report.Total != cells {
		t.Fatalf("%d records and %d cells, the step says %d and %d", records, cells, out.Report.Above, out.Report.Total)
	}
}

// cellsAbove counts the suppressed cells record by record and, if the variable is the same for all members of a
// household, for the other members too.
func cellsAbove(in method.Input, assessment *risk.Assessment, m *AboveRisk) int {
	column, _ := in.Data.Column(m.Variable)
	household, known := in.Data.Column(in.Scenario.Household)
	shared := known && slices.Contains(in.Scenario.SameForHousehold, m.Variable)
	together := func(a, b int) bool {
		return a == b || shared && !household.Missing(a) && household.Text(a) == household.Text(b)
	}
	cells := 0
	for record := range in.Data.Len() {
		for other := range in.Data.Len() {
			if together(record, other) && !column.Missing(record) && !column.Missing(other) &&
				above(assessment.Risk(other), m.Threshold) {
				cells++
				break
			}
		}
	}
	return cells
}

func BenchmarkRiskCurve(b *testing.B) {
	in := generated.SurveyInput(b, 1_000_000)
	assessment, err := risk.Assess(b.Context(), inputTable(b, in), nil, risk.OptionsOf(in.Scenario))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("make", func(b *testing.B) {
		for b.Loop() {
			if _, err := NewRiskCurve(assessment, in, 0); err != nil {
				b.Fatal(err)
			}
		}
	})
	curve, err := NewRiskCurve(assessment, in, 0)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("ask", func(b *testing.B) {
		for b.Loop() {
			curve.Above(0.05)
		}
	})
}
