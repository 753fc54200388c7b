package golden

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// NumericCase is a microaggregation in a golden file, with its figures.
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

// NumericCases runs f as a subtest for every case in the golden files, with the variables and the complete records
// of the data. Short tests use one file.
func NumericCases(t *testing.T, f func(t *testing.T, data *microdata.Dataset, variables []string, c NumericCase)) {
	names := []string{"testdata", "survey", "Tarragona", "CASCrefmicrodata", "EIA"}
	if testing.Short() {
		names = names[:1]
	}
	for _, name := range names {
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

// Numbers returns a dataset with the variables a, b, c and so on.
func Numbers(tb interface{ Helper() }, variables [][]float64) *microdata.Dataset {
	tb.Helper()
	return Lettered('a', variables...)
}

// Lettered returns a dataset with numeric variables named by consecutive letters.
func Lettered(first rune, variables ...[]float64) *microdata.Dataset {
	byName, names := map[string][]float64{}, make([]string, len(variables))
	for j, values := range variables {
		names[j] = string(first + rune(j))
		byName[names[j]] = values
	}
	return Named(byName, names...)
}

// Named returns a dataset with numeric variables, in the order of names.
func Named(variables map[string][]float64, names ...string) *microdata.Dataset {
	columns := make([]*microdata.Column, len(names))
	for j, name := range names {
		columns[j] = microdata.NewNumeric(name, microdata.Number,
			&microdata.Numbers{Values: variables[name], Decimals: 3})
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		panic(err)
	}
	return data
}

// Values returns the values of the named variables, or of all numeric variables.
func Values(data *microdata.Dataset, names ...string) [][]float64 {
	columns := Columns(data, names...)
	if len(names) == 0 {
		columns = data.Columns()
	}
	out := make([][]float64, len(columns))
	for j, column := range columns {
		for row := 0; column.Numeric() && row < column.Len(); row++ {
			out[j] = append(out[j], column.Float(row))
		}
	}
	return out
}

// Apply applies a method to data without roles.
func Apply(m method.Applier, data *microdata.Dataset, seed uint64) (method.Output, error) {
	scenario := microdata.NewScenario()
	return m.Apply(context.Background(), method.Input{Data: data, Scenario: &scenario, Seed: seed}, nil)
}

// Masked returns n records of three skewed variables a, b and c, and the same with noise of a tenth of their
// standard deviation.
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
