package measure_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

const persons = `hid,sex,age,weight,income,health
1,f,3,10,0,good
1,m,34,10,2100,poor
2,f,35,20.5,3050.5,good
2,f,71,20.5,900,poor
3,m,,12,,poor
3,m,52,12,4700,good
4,f,18,7,310,good
`

func read(t *testing.T) (*microdata.Dataset, *microdata.Scenario) {
	t.Helper()
	data, _, err := fileio.ReadBytes(context.Background(), "persons", []byte(persons), fileio.NewFormat(), nil)
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Weight, scenario.Household = []string{"sex", "age"}, "weight", "hid"
	scenario.Numeric, scenario.Sensitive = []string{"income"}, []string{"health"}
	return data, &scenario
}

func compute(t *testing.T, v *measure.Version) measure.Set {
	t.Helper()
	set, err := catalog.Measures().Compute(context.Background(),
		measure.Input{Original: measure.NewVersion(v.Source(), v.Scenario, nil), Current: v}, measure.Everywhere, nil)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// remembered is a Memo that caches everything.
type remembered map[string]any

func (m remembered) Get(_ context.Context, key string, compute func() (any, error)) (any, error) {
	if value, ok := m[key]; ok {
		return value, nil
	}
	value, err := compute()
	if err == nil {
		m[key] = value
	}
	return value, err
}

func (m remembered) Peek(key string) (any, bool) { value, ok := m[key]; return value, ok }

// The key table derived from that before a recode equals the table of the records.
func TestRecodedVersionsTellWhatTheirRecordsTell(t *testing.T) {
	data, scenario := read(t)
	m := &recode.Intervals{}
	m.Variable, m.Breaks = "age", []float64{0, 20, 40, 99}
	r, err := method.Regroup(m, method.Input{Data: data})
	if err != nil {
		t.Fatal(err)
	}
	memo := remembered{}
	if _, err := measure.NewVersion(data, scenario, memo).Table(t.Context()); err != nil {
		t.Fatal(err)
	}
	mapped := measure.NewVersion(data.With(r.Column()), scenario, memo)
	alone := r.Column().Categories() // without the earlier categories
	column := microdata.NewCategorical("age", microdata.Category,
		&microdata.Categories{Levels: alone.Levels, Codes: alone.Codes.Copy(), Ordered: alone.Ordered})
	made := measure.NewVersion(data.With(column), scenario, nil)
	got, want := compute(t, mapped), compute(t, made)
	if want.Value("kanonymity", "violators",
		2).Number >= compute(t, measure.NewVersion(data, scenario, nil)).Value("kanonymity", "violators", 2).Number {
		t.Fatal("the mapping protects nobody")
	}
	for i := range want {
		if diff := cmp.Diff(want[i].Values.Numbers, got[i].Values.Numbers); diff != "" {
			t.Errorf("%s (-made +mapped):\n%s", want[i].Spec.Name, diff)
		}
	}
	if levels := mapped.Levels("age"); len(levels) != 3 || len(made.Levels("sex")) != 2 {
		t.Errorf("levels %v", levels)
	}
	if _, err := mapped.Under(&microdata.Scenario{Keys: []string{"none"}}).Table(context.Background()); !errors.Is(err,
		microdata.ErrScenario) {
		t.Errorf("a variable that is not there: %v", err)
	}
}

// Results that several measures use are computed once.
func TestMeasuresShareAnAssessment(t *testing.T) {
	data, scenario := read(t)
	set := compute(t, measure.NewVersion(data, scenario, nil))
	first := measure.Result[*risk.Assessment](set)
	for _, entry := range set {
		if assessment, ok := entry.Values.Result.(*risk.Assessment); ok && (assessment != first || first == nil) {
			t.Errorf("%s has an assessment of its own", entry.Spec.Name)
		}
	}
}

func TestValuesAsJSON(t *testing.T) {
	text, err := json.Marshal(measure.Values{
		Numbers: []measure.Value{{Name: "a", K: 2, Number: 5}, {Name: "a", K: 10, Number: 7}, {Name: "b", Number: 0.5},
			{Name: "c", Number: math.NaN()},
			{Name: "e", Part: "k0.05", Number: 0.25}, {Name: "f", Number: 1}, {Name: "e", Part: "k0.1", Number: 0.5}},
		Tables: []measure.Table{{Name: "d", Columns: []string{"x"},
			Rows: [][]any{{"1"}, {2}, {measure.Percent(12.5)}, {math.NaN()}}}},
	})
	if want := `{"a":{"2":5,"10":7},"b":0.5,"c":null,"e":{"k0.05":0.25,"k0.1":0.5},"f":1,"d":{"columns":["x"],"rows":[["1"],[2],[12.5],[null]]}}`; err != nil || string(text) != want {
		t.Errorf("%s, %v; want %s", text, err, want)
	}
}

func TestWhatIsCountedForEachK(t *testing.T) {
	spec := measure.Spec{Title: "k-anonymity", Summary: []measure.SummaryNumber{{Name: "records", Title: "records"},
		{Name: "violators", Title: "violators", ByK: true}}}
	if got := spec.ByK(); got != "violators" {
		t.Error(got)
	}
	if spec.Summary = spec.Summary[:1]; spec.ByK() != spec.Title {
		t.Error(spec.ByK())
	}
}

// Every measure of the catalog has what scripts, screens and reports need.
func TestCatalogOfMeasures(t *testing.T) {
	data, scenario := read(t)
	v := measure.NewVersion(data, scenario, nil)
	var names []string
	for _, spec := range catalog.Measures() {
		if spec.Name == "" || spec.Title == "" || spec.Help == "" || spec.Cite == "" || slices.Contains(names, spec.Name) {
			t.Errorf("measure %+v lacks something, or is there twice", spec)
		}
		names = append(names, spec.Name)
		entry, err := spec.Compute(context.Background(), measure.Input{Original: v, Current: v}, spec.New(), nil)
		if err != nil || len(entry.Values.Records) != len(entry.Columns()) {
			t.Errorf("%s: %d figures of records for %d columns, %v", spec.Name, len(entry.Values.Records), len(entry.Columns()),
				err)
		}
		members := map[string]bool{}
		for _, value := range entry.Values.Numbers {
			members[value.Name] = true
		}
		for _, table := range entry.Values.Tables {
			if members[table.Name] {
				t.Errorf("%s: a table of its summary is called %s as something else is", spec.Name, table.Name)
			}
			members[table.Name] = true
		}
		explained := 0
		for _, value := range entry.Values.Numbers {
			if value.Title == "" && value.K == 0 || value.Text() == "" {
				t.Errorf("%s: %s has no title", spec.Name, value.Name)
			}
			if entry.Explain(measure.FigureKey{Value: value}).Definition != "" {
				explained++
			}
		}
		for c, column := range entry.Columns() {
			if x := entry.Values.Record(c)(1); math.IsNaN(x) ||
				entry.Explain(measure.FigureKey{Column: column.Name, Record: 1}).Definition == "" {
				t.Errorf("%s: %s of a record is %v, or is not explained", spec.Name, column.Name, x)
			}
		}
		if explained == 0 {
			t.Errorf("%s explains nothing", spec.Name)
		}
		if _, risky := entry.Values.Result.(*risk.Assessment); !risky {
			continue // meaningful whatever the origin of the values
		}
		drawn := data.Columns()[1].WithOrigin(microdata.Drawn)
		if reason := spec.New().Needs(measure.Input{Original: v, Current: measure.NewVersion(data.With(drawn), scenario,
			nil)}); reason != "PRAM has been applied to sex" {
			t.Errorf("%s applies after PRAM: %q", spec.Name, reason)
		}
	}
}
