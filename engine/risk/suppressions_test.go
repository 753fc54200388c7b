package risk_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// smallKeys draws a few records of a few key variables with some missing cells.
func smallKeys(t *rapid.T) *microdata.Dataset {
	n := rapid.IntRange(1, 12).Draw(t, "records")
	columns := make([]*microdata.Column, rapid.IntRange(1, 4).Draw(t, "variables"))
	for i := range columns {
		c := &microdata.Categories{Levels: []microdata.Level{{Label: "a", Value: math.NaN()},
			{Label: "b", Value: math.NaN()}}, Codes: microdata.NewCodes(n, 2)}
		for r := range n {
			c.Codes.Set(r, uint32(rapid.IntRange(0, 2).Draw(t, "code")))
		}
		columns[i] = microdata.NewCategorical(string(rune('p'+i)), microdata.Category, c)
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// frequencyAfter suppresses one cell and recounts the file.
func frequencyAfter(t *rapid.T, data *microdata.Dataset, record, variable int, rule microdata.Rule,
	alpha float64) float64 {
	cells := microdata.NewBits(data.Len())
	cells.Set(record)
	columns := append([]*microdata.Column(nil), data.Columns()...)
	columns[variable] = columns[variable].Suppress(cells)
	table, err := keys.New(context.Background(), columns, nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := table.Frequencies(context.Background(), rule, alpha)
	if err != nil {
		t.Fatal(err)
	}
	return f.Sample[table.Key(record)]
}

// The predicted effect of suppressing a cell equals the actual one.
func TestSuppressionsEqualSuppressing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := smallKeys(t)
		scenario := microdata.NewScenario()
		scenario.Rule = rapid.SampledFrom(microdata.Rules()).Draw(t, "rule")
		scenario.Alpha = rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "alpha")
		for _, column := range data.Columns() {
			scenario.Keys = append(scenario.Keys, column.Name())
		}
		a, err := risk.Of(context.Background(), measure.NewVersion(data, &scenario, nil))
		if err != nil {
			t.Fatal(err)
		}
		record := rapid.IntRange(0, data.Len()-1).Draw(t, "record")
		last := math.MaxInt
		for _, b := range a.Suppressions(record) {
			want := [3]float64{
				frequencyAfter(t, data, record, b.Variable, scenario.Rule, scenario.Alpha),
				frequencyAfter(t, data, record, b.Variable, microdata.RuleConservative, 0),
				frequencyAfter(t, data, record, b.Variable, microdata.RuleOwnCategory, 0),
			}
			if got := [3]float64{b.Scenario, float64(b.Conservative), float64(b.OwnCategory)}; got != want {
				t.Fatalf("a blank in variable %d of record %d gives f %v, not %v", b.Variable, record, want, got)
			}
			if b.Conservative > last {
				t.Fatal("the best protection does not come first")
			}
			last = b.Conservative
		}
	})
}

func TestSameKeySizes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := smallKeys(t)
		scenario := microdata.NewScenario()
		for _, column := range data.Columns() {
			scenario.Keys = append(scenario.Keys, column.Name())
		}
		a, err := risk.Of(context.Background(), measure.NewVersion(data, &scenario, nil))
		if err != nil {
			t.Fatal(err)
		}
		record := rapid.IntRange(0, data.Len()-1).Draw(t, "record")
		var want []int
		for other := range data.Len() {
			same := other != record
			for _, column := range data.Columns() {
				same = same && column.Text(other) == column.Text(record)
			}
			if same {
				want = append(want, other)
			}
		}
		got := a.Table().SameKey(record, 5)
		if len(got) != min(5, len(want)) {
			t.Fatalf("records %v share the key, not %v", want, got)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("records %v share the key, not %v", want, got)
			}
		}
	})
}

// Each key pattern has its first row and the highest household risk of its records.
func TestKeysOfRecords(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		file := drawHouseholds(rt, t)
		a := assess(t, file.data, &file.scenario)
		first, err := a.Table().FirstRows(context.Background())
		if err != nil {
			rt.Fatal(err)
		}
		highest, err := a.HouseholdRiskOfKeys(context.Background())
		if err != nil {
			rt.Fatal(err)
		}
		for key := range first {
			row, most := -1, 0.0
			for other := range a.Records {
				if int(a.Table().Key(other)) != key {
					continue
				}
				if row < 0 {
					row = other
				}
				most = max(most, a.HouseholdRiskOf(other))
			}
			if int(first[key]) != row || highest[key] != most {
				rt.Fatalf("key %d: row %d and risk %v, want %d and %v", key, first[key], highest[key], row, most)
			}
		}
	})
}
