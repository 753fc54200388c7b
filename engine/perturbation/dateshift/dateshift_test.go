package dateshift_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/dateshift"
)

// visits returns records with two dates. Persons have two records each, and households have two persons.
func visits(t *testing.T, records int) method.Input {
	t.Helper()
	var admission, discharge, person, household []string
	for i := range records {
		day := time.Date(1990, 1, 1+i*7%20000, 0, 0, 0, 0, time.UTC)
		admission = append(admission, day.Format("02.01.2006"))
		discharge = append(discharge, day.AddDate(0, 0, i%9).Format(time.DateOnly)+fmt.Sprintf(" %02d:30", i%24))
		person, household = append(person, fmt.Sprint("p", i/2)), append(household, fmt.Sprint("h", i/4))
		if i%10 == 3 {
			admission[i] = ""
		}
	}
	data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "admission", admission), golden.Column(t, "discharge", discharge),
		golden.Column(t, "person", person), golden.Column(t, "household", household)})
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	return method.Input{Data: data, Scenario: &scenario, Seed: 7}
}

// shifted applies the method and returns the number of days by which each record moved, for both variables. It is
// NaN if a date is missing.
func shifted(t *testing.T, m *dateshift.Shift, in method.Input) (admission, discharge []float64, out method.Output) {
	t.Helper()
	m.Variables = []string{"admission", "discharge"}
	out, err := method.Apply(t.Context(), m, in, nil)
	if err != nil {
		t.Fatal(err)
	}
	moved := func(name, layout string) []float64 {
		before, _ := in.Data.Column(name)
		after, _ := out.Data.Column(name)
		days := make([]float64, in.Data.Len())
		for i := range days {
			was, is := before.Text(i), after.Text(i)
			if was == "" || is == "" {
				if days[i] = math.NaN(); was != is {
					t.Fatalf("%s of record %d was %q and is %q", name, i, was, is)
				}
				continue
			}
			from, failed := time.Parse(layout, was)
			to, err := time.Parse(layout, is)
			if failed != nil || err != nil || len(was) != len(is) {
				t.Fatalf("%q became %q", was, is)
			}
			days[i] = to.Sub(from).Hours() / 24
		}
		return days
	}
	return moved("admission", "02.01.2006"), moved("discharge", "2006-01-02 15:04"), out
}

// All dates of a record move by the same number of days, which is never 0 and at most the given maximum. All
// shifts are about equally likely, and missing dates stay missing.
func TestShiftsAreUniform(t *testing.T) {
	const records, most = 40_000, 10
	in := visits(t, records)
	admission, discharge, out := shifted(t, &dateshift.Shift{Days: most}, in)
	counts := map[float64]int{}
	for i, by := range discharge {
		if counts[by]++; by == 0 || math.Abs(by) > most || admission[i] != by && !math.IsNaN(admission[i]) {
			t.Fatalf("record %d moved by %v and %v days", i, admission[i], by)
		}
	}
	chi, expected := 0.0, float64(records)/(2*most)
	for by := -most; by <= most; by++ {
		if by != 0 {
			chi += math.Pow(float64(counts[float64(by)])-expected, 2) / expected
		}
	}
	if chi > 43.8 { // the 99.9 % quantile with 19 degrees of freedom
		t.Errorf("shifts are not equally likely: chi-squared %v, %v", chi, counts)
	}
	one, err := method.Apply(t.Context(), &dateshift.Shift{Variables: []string{"discharge"}, Days: 3}, in, nil)
	if err != nil || len(out.Report.Warnings) > 0 || len(one.Report.Warnings) != 1 || !strings.Contains(one.Report.Warnings[0], "admission") {
		t.Errorf("warnings %q and %q, error %v", out.Report.Warnings, one.Report.Warnings, err)
	}
	if out.Report.Changed != records+records*9/10 {
		t.Errorf("%d cells changed", out.Report.Changed)
	}
	column, _ := out.Data.Column("admission")
	if days, ok := column.Categories().Days(); !ok || !column.Categories().Ordered || column.Origin() != microdata.Perturbed {
		t.Errorf("%d dates, origin %v", len(days), column.Origin())
	} else {
		for i := 1; i < len(days); i++ {
			if days[i] <= days[i-1] {
				t.Fatalf("level %d is not after the one before", i)
			}
		}
	}
}

// The records of a unit move together: the records of a person if the person variable is named, otherwise those of
// a household. Without either, each record is shifted on its own.
func TestRecordsOfAUnitMoveTogether(t *testing.T) {
	for size, test := range map[int]struct {
		household string
		unit      []string
	}{1: {"household", []string{}}, 2: {"household", []string{"person"}}, 4: {"household", nil}} {
		in := visits(t, 4000)
		in.Scenario.Household = test.household
		_, days, _ := shifted(t, &dateshift.Shift{Days: 100, Unit: test.unit}, in)
		apart := 0
		for i, by := range days {
			if by != days[i-i%size] {
				t.Fatalf("units of %d: record %d moved by %v, the first of its unit by %v", size, i, by, days[i-i%size])
			}
			if i >= size && i%size == 0 && by != days[i-size] {
				apart++
			}
		}
		if apart < 4000/size*95/100 {
			t.Errorf("%d units of %d moved otherwise than the one before", apart, size)
		}
	}
}

func TestWholeWeeks(t *testing.T) {
	_, days, _ := shifted(t, &dateshift.Shift{Days: 20, Weeks: true}, visits(t, 1000))
	seen := map[float64]bool{}
	for _, by := range days {
		seen[by] = true
	}
	if len(seen) != 4 || !seen[-14] || !seen[-7] || !seen[7] || !seen[14] {
		t.Errorf("shifts of %v days", seen)
	}
}

// Dates are written in the format of the file.
func TestSpellings(t *testing.T) {
	for _, text := range []string{"2020-02-28", "2020-02-28T23:59:58", "2020-02-28 23:59:58.25", "2020-02-28T01:00:00+02:00", "2020/02/28",
		"28.02.2020", "8.2.2020", "28/02/2020", "02/28/2020", "28-FEB-2020", "28-Feb-2020", "03 Mar 2020", "3 Mar 2020", "0001-01-01", "9999-12-31"} {
		data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "x", []string{text})})
		if err != nil {
			t.Fatal(err)
		}
		scenario := microdata.NewScenario()
		out, err := method.Apply(t.Context(), &dateshift.Shift{Variables: []string{"x"}, Days: 1}, method.Input{Data: data, Scenario: &scenario, Seed: 1}, nil)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		column, _ := out.Data.Column("x")
		before, after := column.Source().Categories(), column.Categories()
		was, _ := before.Days()
		is, ok := after.Days()
		if label := after.Levels[0].Label; !ok || math.Abs(is[0]-was[0]) != 1 || len(label) > len(text)+1 || strings.ToUpper(text) == text && strings.ToUpper(label) != label ||
			strings.HasPrefix(text, "0") && !strings.HasPrefix(label, "0") {
			t.Errorf("%s became %s", text, label)
		}
	}
}

// Suppressed cells stay suppressed, and a second shift with the same seed does not undo the first.
func TestShiftsOfShifts(t *testing.T) {
	in := visits(t, 200)
	column, _ := in.Data.Column("discharge")
	gone := microdata.NewBits(200)
	gone.Set(5)
	in.Data = in.Data.With(column.Suppress(gone))
	_, first, out := shifted(t, &dateshift.Shift{Days: 30}, in)
	after, _ := out.Data.Column("discharge")
	if !after.Missing(5) || !after.Suppressed().Has(5) {
		t.Error("a suppressed date is back")
	}
	again := in
	again.Data = out.Data
	_, second, _ := shifted(t, &dateshift.Shift{Days: 30}, again)
	same := 0
	for i := range first {
		if first[i] == second[i] || first[i] == -second[i] {
			same++
		}
	}
	if same > 30 {
		t.Errorf("%d of 200 records moved as far as before", same)
	}
}

func TestWhatCannotBeShifted(t *testing.T) {
	for name, test := range map[string]struct {
		m     dateshift.Shift
		cells []string
		want  error
	}{
		"months":        {dateshift.Shift{Days: 5}, []string{"2020-02"}, method.ErrInput},
		"texts":         {dateshift.Shift{Days: 5}, []string{"2020-02-01", "unknown"}, method.ErrInput},
		"two spellings": {dateshift.Shift{Days: 5}, []string{"2020-02-01", "1.3.2020"}, method.ErrInput},
		"numbers":       {dateshift.Shift{Days: 5}, []string{"1", "2"}, method.ErrInput},
		"nothing":       {dateshift.Shift{Days: 5}, []string{"", ""}, method.ErrInput},
		"short weeks":   {dateshift.Shift{Days: 6, Weeks: true}, []string{"2020-02-01"}, method.ErrParam},
		"two units":     {dateshift.Shift{Days: 5, Unit: []string{"x", "y"}}, []string{"2020-02-01"}, method.ErrParam},
		"no unit":       {dateshift.Shift{Days: 5, Unit: []string{"y"}}, []string{"2020-02-01"}, method.ErrParam},
	} {
		data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "x", test.cells)})
		if err != nil {
			t.Fatal(err)
		}
		scenario := microdata.NewScenario()
		test.m.Variables = []string{"x"}
		if _, err := method.Apply(t.Context(), &test.m, method.Input{Data: data, Scenario: &scenario, Seed: 1}, nil); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
