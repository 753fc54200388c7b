package suppress

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// At every threshold the curve says what the method then does.
func TestRiskCurve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomInput(t)
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
		curve := NewRiskCurve(assessment, variable)
		threshold := rapid.Float64Range(0, 1).Draw(t, "threshold")
		if rapid.Bool().Draw(t, "exactly") {
			threshold = rapid.SampledFrom(curve.Thresholds()).Draw(t, "risk")
		}
		checkCurve(t, curve, assessment, in, &AboveRisk{Variable: in.Scenario.Keys[variable], Threshold: threshold})
	})
}

func checkCurve(t *rapid.T, curve *RiskCurve, assessment *risk.Assessment, in method.Input, m *AboveRisk) {
	records, cells := curve.Above(m.Threshold)
	column, _ := in.Data.Column(m.Variable)
	wantRecords, wantCells := 0, 0
	for record := range in.Data.Len() {
		if assessment.Risk(record) > m.Threshold {
			wantRecords++
			if !column.Missing(record) {
				wantCells++
			}
		}
	}
	if records != wantRecords || cells != wantCells {
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

func BenchmarkRiskCurve(b *testing.B) {
	in := syntheticSurvey(b, 1_000_000)
	assessment, err := risk.Assess(b.Context(), keyTable(b, in), nil, risk.OptionsOf(in.Scenario))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("make", func(b *testing.B) {
		for b.Loop() {
			NewRiskCurve(assessment, 0)
		}
	})
	curve := NewRiskCurve(assessment, 0)
	b.Run("ask", func(b *testing.B) {
		for b.Loop() {
			curve.Above(0.05)
		}
	})
}
