package pages

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// smallKeys draws a few records of a few key variables, some cells missing.
func smallKeys(t *rapid.T) *microdata.Dataset {
	n := rapid.IntRange(1, 12).Draw(t, "records")
	columns := make([]*microdata.Column, rapid.IntRange(1, 4).Draw(t, "variables"))
	for i := range columns {
		c := &microdata.Categories{Levels: []microdata.Level{{Label: "a", Value: math.NaN()}, {Label: "b", Value: math.NaN()}}, Codes: microdata.NewCodes(n, 2)}
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

// frequencyAfter suppresses one cell and counts the file anew.
func frequencyAfter(t *rapid.T, data *microdata.Dataset, record, variable int, rule microdata.Rule, alpha float64) float64 {
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

// What blanking a cell would give equals what it gives.
func TestBlanksEqualSuppressing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := smallKeys(t)
		scenario := microdata.NewScenario()
		scenario.Rule = rapid.SampledFrom(microdata.Rules()).Draw(t, "rule")
		scenario.Alpha = rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "alpha")
		for _, column := range data.Columns() {
			scenario.Keys = append(scenario.Keys, column.Name())
		}
		version, err := viewtest.Measured(data, &scenario)
		if err != nil {
			t.Fatal(err)
		}
		record := rapid.IntRange(0, data.Len()-1).Draw(t, "record")
		last := math.MaxInt
		for _, b := range blanks(version.Assessment, record, scenario.Keys) {
			variable := int(b.variable[0] - 'p')
			want := [3]float64{
				frequencyAfter(t, data, record, variable, scenario.Rule, scenario.Alpha),
				frequencyAfter(t, data, record, variable, microdata.RuleConservative, 0),
				frequencyAfter(t, data, record, variable, microdata.RuleOwnCategory, 0),
			}
			if got := [3]float64{b.scenario, float64(b.conservative), float64(b.ownCategory)}; got != want {
				t.Fatalf("a blank in %s of record %d gives f %v, not %v", b.variable, record, want, got)
			}
			if b.conservative > last {
				t.Fatal("the best protection does not come first")
			}
			last = b.conservative
		}
	})
}

func TestSharing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := smallKeys(t)
		scenario := microdata.NewScenario()
		for _, column := range data.Columns() {
			scenario.Keys = append(scenario.Keys, column.Name())
		}
		version, err := viewtest.Measured(data, &scenario)
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
		got := sharing(version.Assessment, record, 5)
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
