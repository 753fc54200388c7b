package catalog_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/preparation/prepare"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// multiplied returns groups of so many times as many records, with as many times their weights.
func multiplied(t *testing.T, groups *microdata.Dataset, times int) *microdata.Dataset {
	t.Helper()
	var columns []*microdata.Column
	for _, column := range groups.Columns() {
		if column.Name() == "weight" {
			numbers := &microdata.Numbers{Values: make([]float64, groups.Len()), Uniform: 0}
			for row := range numbers.Values {
				numbers.Values[row] = math.Round(float64(column.Float(row) * float64(times)))
			}
			var err error
			if column, err = microdata.NewNumeric("weight", microdata.Whole, numbers); err != nil {
				t.Fatal(err)
			}
		}
		columns = append(columns, column)
	}
	counts := make([]int, groups.Len())
	for row, records := range groups.Multiplicity() {
		counts[row] = records * times
	}
	out, err := microdata.NewGrouped(columns, counts)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Figures of groups of billions of records each are those of millions, or as many times these.
func TestFiguresOfBillions(t *testing.T) {
	const millions, times = 1 << 20, 1 << 14
	data, scenario := generated.Survey(t, 400, 7, append(countable(), "hid", "weight")...), microdata.NewScenario()
	scenario.Keys, scenario.Sensitive, scenario.Weight = []string{"region", "sex", "educ"}, []string{"health"}, "weight"
	drawn := generated.GroupBy(data, "weight", "region", "sex", "educ", "health").Dataset(t, data, "weight")
	few, many := multiplied(t, drawn, millions), multiplied(t, drawn, millions*times)
	if records := 400 * millions * times; many.Records() != records || many.Multiplicity()[0] <= math.MaxUint32 {
		t.Fatalf("%d records, want %d; %d in the first group", many.Records(), records, many.Multiplicity()[0])
	}
	for _, spec := range catalog.Measures() {
		if !spec.Groups {
			continue
		}
		a, err := spec.Compute(t.Context(), inputOf(few, few, &scenario), spec.New(), nil)
		b, other := spec.Compute(t.Context(), inputOf(many, many, &scenario), spec.New(), nil)
		if err != nil || other != nil || a.NotApplicable != b.NotApplicable || len(a.Values.Numbers) != len(b.Values.Numbers) {
			t.Errorf("%s: %v, %v, %q, %q", spec.Name, err, other, a.NotApplicable, b.NotApplicable)
			continue
		}
		for i, x := range a.Values.Numbers {
			y := b.Values.Numbers[i]
			near := func(want float64) bool {
				return alike(want, y.Number) || math.Abs(want-y.Number) <= 1e-5*math.Abs(want)
			}
			if !near(x.Number) && !near(x.Number*times) && !(math.Abs(x.Number) < 1e-4 && math.Abs(y.Number) < 1e-4) {
				t.Errorf("%s: %s %d %s is %v of millions and %v of billions", spec.Name, x.Name, x.K, x.Part, x.Number, y.Number)
			}
		}
	}
}

// Methods keep the records of groups of billions, and tell as many suppressed cells as there are.
func TestMethodsOnBillions(t *testing.T) {
	data, scenario := generated.Survey(t, 300, 7, append(countable(), "hid", "weight")...), microdata.NewScenario()
	scenario.Keys, scenario.Sensitive, scenario.Weight = []string{"region", "sex", "age", "educ", "ethnic"}, []string{"health"},
		"weight"
	scenario.Linked = map[string][]string{"region": {"relat"}}
	each(t, func(t *testing.T, spec method.Spec, m method.Method) {
		if method.OnGroups(m, &scenario) != "" || spec.Name == "recode-split" || spec.Name == "noise" { // noise goes through records
			return
		}
		if sample, ok := m.(*prepare.Sample); ok && sample.Unit == prepare.UnitHouseholds {
			return // whose members stand in several rows
		}
		of := pairFor(t, spec.Name, m, data, &scenario)
		if _, uncounted := method.CountedBy(m, &scenario); len(uncounted) > 0 {
			return // what single variables have does not go by rows
		}
		enough := of.groups.Len()
		if isByChance(m) { // draws take time in the number of records
			longtests.Needed(t)
			enough = 2
		}
		before := unequal(t, of.groups, enough)
		out, err := method.Apply(t.Context(), m, method.Input{Data: before, Scenario: &scenario, Seed: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		total := new(big.Int)
		for _, records := range out.Data.Multiplicity() {
			if records < 1 {
				t.Fatalf("a row of %d records", records)
			}
			total.Add(total, big.NewInt(int64(records)))
		}
		want := before.Records()
		if of := out.Report.Selection; of != nil {
			want = of.After
		}
		if total.Cmp(big.NewInt(int64(want))) != 0 || out.Data.Records() != want {
			t.Fatalf("%d records became %d, by their rows %d", want, out.Data.Records(), total)
		}
		if told := out.Report.Suppression; told != nil {
			cells := new(big.Int)
			for _, name := range scenario.Keys {
				column, _ := out.Data.Column(name)
				column.Suppressed().Each(func(row int) { cells.Add(cells, big.NewInt(int64(out.Data.Multiplicity()[row]))) })
			}
			if cells.Cmp(big.NewInt(int64(told.Total))) != 0 {
				t.Errorf("%d cells are suppressed, told are %d", cells, told.Total)
			}
		}
	})
}

// unequal returns groups of which every third has its few records, and of the first so many the others have some
// billions more.
func unequal(t *testing.T, groups *microdata.Dataset, enough int) *microdata.Dataset {
	t.Helper()
	counts := make([]int, groups.Len())
	for row, records := range groups.Multiplicity() {
		if counts[row] = records; row%3 > 0 && row <= enough {
			counts[row] += (row%5 + 1) * (1<<32 - 2)
		}
	}
	out, err := microdata.NewGrouped(groups.Columns(), counts)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
