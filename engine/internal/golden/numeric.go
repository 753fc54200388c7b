package golden

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// NumericCase is one microaggregation of a golden file and what was measured of it.
type NumericCase struct {
	Method      string             `json:"method"`
	Size        int                `json:"aggr"`
	SSEPercent  float64            `json:"sse_percent"`
	IL1         float64            `json:"il1"`
	IL1s        float64            `json:"il1s"`
	Eigen       float64            `json:"eigen"`
	ILCorrel    float64            `json:"il_correl"`
	ILVariables float64            `json:"il_variables"`
	Interval    map[string]float64 `json:"interval_risk"` // by "k0.05"
}

// NumericCases calls f with every case of the golden files, as a test of its own,
// with the variables and the complete records of the data.
func NumericCases(t *testing.T, f func(t *testing.T, data *microdata.Dataset, variables []string, c NumericCase)) {
	for _, name := range []string{"testdata", "survey", "Tarragona", "CASCrefmicrodata", "EIA"} {
		t.Run(name, func(t *testing.T) {
			var want struct {
				Numeric struct {
					Variables []string      `json:"numVars"`
					Cases     []NumericCase `json:"microaggregation"`
				} `json:"numeric"`
			}
			Shared(t, name, &want)
			data := Complete(t, Data(t, name), want.Numeric.Variables)
			for _, c := range want.Numeric.Cases {
				t.Run(c.Method+" "+string(rune('0'+c.Size%10)), func(t *testing.T) { f(t, data, want.Numeric.Variables, c) })
			}
		})
	}
}

// Complete returns the records without a missing value in the variables.
func Complete(tb testing.TB, data *microdata.Dataset, names []string) *microdata.Dataset {
	tb.Helper()
	var rows []uint32
	columns := Columns(data, names...)
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

// Numbers returns the dataset of the variables a, b, c and so on.
func Numbers(tb interface {
	Helper()
	Fatal(args ...any)
}, variables [][]float64) *microdata.Dataset {
	tb.Helper()
	columns := make([]*microdata.Column, len(variables))
	for j, values := range variables {
		var err error
		if columns[j], err = microdata.NewNumeric(string(rune('a'+j)), microdata.Number, &microdata.Numbers{Values: values, Uniform: microdata.OddSpelling, Odd: nil}); err != nil {
			tb.Fatal(err)
		}
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// Masked returns n records of three skewed variables a, b and c, and the same with
// noise of a tenth of their spread.
func Masked(tb testing.TB, n int) (original, masked *microdata.Dataset) {
	tb.Helper()
	draw := rand.New(rand.NewPCG(1, 2))
	x, y := make([][]float64, 3), make([][]float64, 3)
	for j := range x {
		x[j], y[j] = make([]float64, n), make([]float64, n)
		for i := range n {
			x[j][i] = 100 * math.Exp(draw.NormFloat64())
			y[j][i] = x[j][i] + 20*draw.NormFloat64()
		}
	}
	return Numbers(tb, x), Numbers(tb, y)
}
