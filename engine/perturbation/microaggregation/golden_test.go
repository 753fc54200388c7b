package microaggregation_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/microaggregation"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// reference is the part of a golden file that the results of microaggregation are compared with.
type reference struct {
	Numeric struct {
		Variables []string `json:"numVars"`
		Cases     []struct {
			Method    string               `json:"method"`
			Size      int                  `json:"aggr"`
			SSE       float64              `json:"sse_percent"`
			Means     map[string]float64   `json:"column_means"`
			Deviation map[string]float64   `json:"column_sds"`
			FirstRows map[string][]float64 `json:"first_rows"`
		} `json:"microaggregation"`
	} `json:"numeric"`
}

func apply(t *testing.T, m *microaggregation.Microaggregate, data *microdata.Dataset) method.Output {
	t.Helper()
	scenario := microdata.NewScenario()
	out, err := method.Apply(t.Context(), m, method.Input{Data: data, Scenario: &scenario}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func isNear(got, want float64) bool { return math.Abs(got-want) <= 1e-8*math.Max(math.Abs(want), 1e-6) }

// The masked values, first rows, means and losses equal those of sdcMicro, with and without incomplete records
// among the complete ones.
func TestReference(t *testing.T) {
	for _, name := range []string{"testdata", "survey", "Tarragona", "CASCrefmicrodata", "EIA"} {
		var want reference
		golden.Shared(t, name, &want)
		all := golden.Data(t, name)
		data := golden.Complete(t, all, want.Numeric.Variables)
		for _, c := range want.Numeric.Cases {
			t.Run(fmt.Sprintf("%s %s %d", name, c.Method, c.Size), func(t *testing.T) {
				m := microaggregation.New()
				m.Decimals = numeric.Computed
				m.Variables, m.Method, m.Size = want.Numeric.Variables, c.Method, c.Size
				out := apply(t, m, data)
				if !isNear(out.Report.Groups.SSEPercent, c.SSE) {
					t.Errorf("loss %v, want %v", out.Report.Groups.SSEPercent, c.SSE)
				}
				for _, column := range golden.Columns(out.Data, m.Variables...) {
					for row, x := range c.FirstRows[column.Name()] {
						if !isNear(column.Float(row), x) {
							t.Fatalf("%s of record %d is %v, want %v", column.Name(), row+1, column.Float(row), x)
						}
					}
					checkMoments(t, column, c.Means[column.Name()], c.Deviation[column.Name()])
				}
				if with := apply(t, m, all); c.Method != microaggregation.Simple &&
					with.Report.Groups.SSEPercent != out.Report.Groups.SSEPercent {
					t.Errorf("with incomplete records the loss is %v, without %v", with.Report.Groups.SSEPercent,
						out.Report.Groups.SSEPercent)
				}
			})
		}
	}
}

func checkMoments(t *testing.T, column *microdata.Column, mean, deviation float64) {
	t.Helper()
	values := column.Floats()
	if got := stat.Mean(values); !isNear(got, mean) {
		t.Errorf("mean of %s is %v, want %v", column.Name(), got, mean)
	}
	if got := stat.StandardDeviation(values); !isNear(got, deviation) {
		t.Errorf("standard deviation of %s is %v, want %v", column.Name(), got, deviation)
	}
}
