package prepare_test

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/preparation/prepare"
)

// The sample consists of records of the source in their order, whole households if asked for, in the requested
// number, and weights are divided by the sampling fraction.
func TestSample(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawFile(rt, t)
		if f.scenario.Weight = "income"; !column(rt, f.data, "income").Numeric() {
			return // a weight without any value is an error
		}
		m := &prepare.Sample{Unit: prepare.UnitRecords}
		units := f.data.Len()
		households := microdata.NewHouseholds(column(rt, f.data, "hid"))
		if f.scenario.Household != "" && rapid.Bool().Draw(rt, "households") {
			m.Unit, units = prepare.UnitHouseholds, households.Len()
		}
		var want int
		if rapid.Bool().Draw(rt, "by count") {
			if units == 0 {
				return // a count needs at least one unit
			}
			count := rapid.IntRange(1, min(50, units)).Draw(rt, "count")
			m.Count, want = &count, count
		} else {
			share := rapid.Float64Range(0.0001, 1).Draw(rt, "share")
			m.Share, want = &share, min(units, max(1, int(math.Round(share*float64(units)))))
		}
		out := f.apply(rt, m, rapid.Uint64().Draw(rt, "seed"))
		taken, members := map[int]bool{}, map[int]int{}
		for record := range out.Data.Len() {
			source := out.Data.SourceRecord(record)
			if record > 0 && source <= out.Data.SourceRecord(record-1) {
				rt.Fatalf("record %d stands after %d", source, out.Data.SourceRecord(record-1))
			}
			taken[source] = true
			members[households.Of(source)]++
			for _, before := range f.data.Columns() {
				after := column(rt, out.Data, before.Name())
				if before.Name() != "income" {
					if after.Text(record) != before.Text(source) {
						rt.Fatalf("record %d is not %d of the source", record, source)
					}
					continue
				}
				weight := before.Float(source) * float64(units) / float64(want)
				if math.IsNaN(weight) != after.Missing(record) || math.Abs(after.Float(record)-weight) > 1e-9*math.Abs(weight) {
					rt.Fatalf("weight %v became %v, want %v", before.Float(source), after.Float(record), weight)
				}
			}
		}
		if m.Unit == prepare.UnitRecords {
			if len(taken) != want {
				rt.Fatalf("%d records drawn, want %d", len(taken), want)
			}
			return
		}
		if len(members) != want {
			rt.Fatalf("%d households drawn, want %d", len(members), want)
		}
		for household, count := range members {
			if count != households.Members(household) {
				rt.Fatalf("%d of %d members of a household", count, households.Members(household))
			}
		}
	})
}

// Every record and every household is drawn equally often, and the weights of the sample add up to those of the
// file on average.
func TestSampleIsUniform(t *testing.T) {
	const files, n, want = 3000, 12, 4
	var ids, weights []string
	for i := range n {
		ids, weights = append(ids, strconv.Itoa(1+i/3*5)), append(weights, strconv.Itoa(i+1))
	}
	data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "hid", ids), golden.Column(t, "w", weights)})
	if err != nil {
		t.Fatal(err)
	}
	f := file{data: data, scenario: microdata.NewScenario()}
	f.scenario.Household, f.scenario.Weight = "hid", "w"
	for unit, count := range map[string]int{prepare.UnitRecords: want, prepare.UnitHouseholds: 1} {
		drawn, sum := make([]int, n), 0.0
		share := float64(count) / map[string]float64{prepare.UnitRecords: n, prepare.UnitHouseholds: 4}[unit]
		for seed := range uint64(files) {
			out := f.apply(t, &prepare.Sample{Unit: unit, Count: &count}, seed)
			for record := range out.Data.Len() {
				drawn[out.Data.SourceRecord(record)]++
				sum += column(t, out.Data, "w").Float(record)
			}
		}
		for record, times := range drawn { // five standard deviations of a binomial distribution
			if mean := files * share; math.Abs(float64(times)-mean) > 5*math.Sqrt(mean*(1-share)) {
				t.Errorf("%s: record %d was drawn %d times of %d", unit, record, times, files)
			}
		}
		if mean := sum / files; math.Abs(mean-78) > 3 { // the standard error of either is below 0.6
			t.Errorf("%s: weights of the samples add up to %v on average, those of the file to 78", unit, mean)
		}
	}
}

func TestSampleRefuses(t *testing.T) {
	f := file{data: one(t, golden.Column(t, "a", []string{"x", "y", "z"})), scenario: microdata.NewScenario()}
	share, count, many, nothing, whole, less := 0.5, 1, 4, 0.0, 1.01, -0.1
	for want, m := range map[string]*prepare.Sample{
		"only one of share and count":               {Share: &share, Count: &count, Unit: prepare.UnitRecords},
		"no household variable":                     {Unit: prepare.UnitHouseholds},
		`"share" is 0; it must be at least 0.0001`:  {Share: &nothing, Unit: prepare.UnitRecords},
		`"share" is -0.1; it must be at least`:      {Share: &less, Unit: prepare.UnitRecords},
		`"share" is 1.01; it must be at most 1`:     {Share: &whole, Unit: prepare.UnitRecords},
		`"count" is 4, but the file has only 3 rec`: {Count: &many, Unit: prepare.UnitRecords},
	} {
		_, err := method.Apply(t.Context(), m, method.Input{Data: f.data, Scenario: &f.scenario}, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	f.scenario.Weight = "a"
	if _, err := (&prepare.Sample{Unit: prepare.UnitRecords}).Apply(t.Context(),
		method.Input{Data: f.data, Scenario: &f.scenario}, nil); !errors.Is(err, method.ErrInput) {
		t.Errorf("a weight of text: %v", err)
	}
	f.scenario.Weight = ""
	out := f.apply(t, &prepare.Sample{Unit: prepare.UnitRecords}, 1)
	if out.Data.Len() != 1 || !strings.Contains(strings.Join(out.Report.Warnings, ";"), "totals by 3") {
		t.Errorf("%d records, warnings %q", out.Data.Len(), out.Report.Warnings)
	}
}
