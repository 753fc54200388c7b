package combinations_test

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/suppression/combinations"
)

func riskyCells(m *combinations.RiskyCells, data *microdata.Dataset, names ...string) (measure.Values, error) {
	scenario := microdata.NewScenario()
	scenario.Keys = names
	v := measure.NewVersion(data, &scenario, nil)
	return m.Compute(context.Background(), measure.Input{Original: v, Current: v}, nil)
}

// The counts are those of sdcMicro. Its row marital x educ of the survey also counts cells with missing codes.
func TestRiskyCellsSharedGolden(t *testing.T) {
	for _, name := range []string{"testdata", "survey"} {
		var file struct {
			Cells struct {
				KeyVars   []string `json:"keyVars"`
				MaxDim    int      `json:"max_dim"`
				Threshold []int
				Table     []struct {
					Dim1, Dim2, Dim3 *string
					Cells            string `json:"unsafe_cells"`
				}
			} `json:"risky_cells"`
		}
		golden.Shared(t, name, &file)
		data := golden.Data(t, name)
		if name == "survey" {
			data = generated.AgesCut(t, data)
		}
		want := file.Cells
		values, err := riskyCells(&combinations.RiskyCells{MaxDim: want.MaxDim, Thresholds: want.Threshold}, data,
			want.KeyVars...)
		if err != nil {
			t.Fatal(err)
		}
		rows := values.Tables[0].Rows
		if len(rows) != len(want.Table) {
			t.Fatalf("%s: %d combinations, want %d", name, len(rows), len(want.Table))
		}
		for i, row := range want.Table {
			cells := row.Cells
			dims := ""
			for d, dim := range []*string{row.Dim1, row.Dim2, row.Dim3} {
				if dim != nil {
					dims += *dim + " "
				}
				if d < want.MaxDim && (dim == nil) != (rows[i][d] == "") || dim != nil && rows[i][d] != *dim {
					t.Fatalf("%s: row %d is %v, want %s", name, i, rows[i], dims)
				}
			}
			if name == "survey" && dims == "marital educ " {
				if cells != "3" {
					t.Errorf("the reference has %s here", cells)
				}
				cells = "0"
			}
			if got := fmt.Sprint(rows[i][want.MaxDim+1]); got != cells {
				t.Errorf("%s: %s has %s unsafe cells, want %s", name, dims, got, cells)
			}
		}
	}
}

// The number of unsafe combinations of every record equals a naive count.
func TestRiskyCellsRecordByRecord(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		in := generated.Random(rt)
		columns := golden.Columns(in.Data, in.Scenario.Keys...)
		thresholds := rapid.SliceOfN(rapid.IntRange(1, 4), 1, 3).Draw(rt, "thresholds")
		m := &combinations.RiskyCells{MaxDim: 3, Thresholds: thresholds}
		values, err := riskyCells(m, in.Data, in.Scenario.Keys...)
		if err != nil {
			rt.Fatal(err)
		}
		text := func(record int, set uint64) (cell string, complete bool) {
			complete = true
			for v, column := range columns {
				if set>>v&1 == 1 {
					cell += column.Text(record) + "|"
					complete = complete && !column.Missing(record)
				}
			}
			return cell, complete
		}
		unsafe := map[string]bool{}
		in0 := 0
		for record := range in.Data.Len() {
			combined := 0
			for set := uint64(1); set < 1<<len(columns); set++ {
				size := bits.OnesCount64(set)
				own, complete := text(record, set)
				if size > 3 || !complete {
					continue
				}
				count := 0
				for other := range in.Data.Len() {
					if cell, ok := text(other, set); ok && cell == own {
						count++
					}
				}
				if count <= thresholds[min(size, len(thresholds))-1] {
					combined++
					unsafe[fmt.Sprint(set, own)] = true
				}
			}
			if got := values.Records[0](record); got != float64(combined) {
				rt.Fatalf("record %d is in %v unsafe combinations, want %d", record, got, combined)
			}
			if combined > 0 {
				in0++
			}
			e := (&measure.Entry{Spec: combinations.RiskyCellsSpec(), Values: values}).Explain(
				measure.FigureKey{Column: "unsafe_combinations", Record: record})
			if e.Value != fmt.Sprint(combined) || len(e.Values) != min(combined, 11)+1 {
				rt.Fatalf("record %d: %+v", record, e)
			}
		}
		if int(values.Numbers[0].Number) != len(unsafe) || int(values.Numbers[1].Number) != in0 {
			rt.Fatalf("%v and %v, want %d cells and %d records", values.Numbers[0].Number, values.Numbers[1].Number, len(unsafe),
				in0)
		}
	})
}

// With levels 1, 2 and 2 a combination has the most identifying variable and one or both of the others; with a
// single level each variable is a combination.
func TestRiskyCellsByLevel(t *testing.T) {
	in := generated.Rows(t, "abc", "abd", "xyz")
	m := &combinations.RiskyCells{MaxDim: 3, Levels: map[string]int{"a": 1, "b": 2, "c": 2}}
	values, err := riskyCells(m, in.Data, "a", "b", "c")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(values.Tables[0].Rows); got != "[[a b 1 1] [a c 1 3]]" {
		t.Errorf("by level: %s", got)
	}
	for _, bad := range []*combinations.RiskyCells{{MaxDim: 1, Thresholds: []int{1, 2}}, {MaxDim: 2, Thresholds: []int{0}},
		{MaxDim: 2, Thresholds: []int{-1, 3}},
		{MaxDim: 3, Thresholds: []int{1, 2}, Levels: map[string]int{"a": 1}}} {
		if _, err := riskyCells(bad, in.Data, "a", "b", "c"); !errors.Is(err, method.ErrParam) ||
			strings.Contains(err.Error(), "\"combinations\"") {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// BenchmarkRiskyCells counts all combinations of up to three of ten key variables.
func BenchmarkRiskyCells(b *testing.B) {
	names := append(generated.Keys(), "occup", "relig", "health")
	for _, rows := range []int{100_000, 1_000_000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			data := generated.Survey(b, rows, 7, names...)
			for b.Loop() {
				if _, err := riskyCells(&combinations.RiskyCells{MaxDim: 3, Thresholds: []int{5, 5, 5}}, data,
					names...); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
