package microaggregation_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microaggregation"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// reference is the part of a golden file that microaggregation is compared with.
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

// dropped returns the records without a missing value in the variables.
func dropped(t *testing.T, data *microdata.Dataset, names []string) *microdata.Dataset {
	t.Helper()
	var rows []uint32
	columns := golden.Columns(data, names...)
	for row := range data.Len() {
		sum := 0.0
		for _, column := range columns {
			sum += column.Float(row)
		}
		if !math.IsNaN(sum) {
			rows = append(rows, uint32(row))
		}
	}
	return data.Select(rows)
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

// The masked values, first rows, means and losses of sdcMicro, with the incomplete
// records left out and with them in between.
func TestReference(t *testing.T) {
	for _, name := range []string{"testdata", "survey", "Tarragona", "CASCrefmicrodata", "EIA"} {
		var want reference
		golden.Shared(t, name, &want)
		all := golden.Data(t, name)
		data := dropped(t, all, want.Numeric.Variables)
		for _, c := range want.Numeric.Cases {
			t.Run(fmt.Sprintf("%s %s %d", name, c.Method, c.Size), func(t *testing.T) {
				m := microaggregation.New()
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
					checkMean(t, column, c.Means[column.Name()])
				}
				if with := apply(t, m, all); c.Method != microaggregation.Simple && with.Report.Groups.SSEPercent != out.Report.Groups.SSEPercent {
					t.Errorf("with incomplete records the loss is %v, without %v", with.Report.Groups.SSEPercent, out.Report.Groups.SSEPercent)
				}
			})
		}
	}
}

func checkMean(t *testing.T, column *microdata.Column, want float64) {
	t.Helper()
	sum := 0.0
	for row := range column.Len() {
		sum += column.Float(row)
	}
	if !isNear(sum/float64(column.Len()), want) {
		t.Errorf("mean of %s is %v, want %v", column.Name(), sum/float64(column.Len()), want)
	}
}
