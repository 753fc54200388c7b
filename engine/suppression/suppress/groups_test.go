package suppress_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/preparation/prepare"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/suppression/combinations"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

const weight = "weight"

// surveyOf returns a file similar to the survey with missing values, its scenario, and its groups by key variables
// and region.
func surveyOf(t *testing.T, persons int) (*microdata.Dataset, *microdata.Scenario, *generated.Groups) {
	names := append(generated.Keys(), weight)
	data := generated.Survey(t, persons, 7, names...)
	keys := 4
	if persons >= 1_000_000 {
		keys = len(generated.Keys())
	}
	scenario := microdata.Scenario{Keys: generated.Keys()[:keys], Weight: weight, Rule: microdata.RuleDefault, Alpha: 1,
		K: []int{2, 3, 5}}
	for v, name := range scenario.Keys { // some values are missing
		cells := microdata.NewBits(data.Len())
		for record := v; record < data.Len(); record += 31 + 2*v {
			cells.Set(record)
		}
		column, _ := data.Column(name)
		data = data.With(column.SetMissing(cells))
	}
	return data, &scenario, generated.GroupBy(data, weight, generated.Keys()...)
}

// tableOf returns the key table of single records.
func tableOf(t *testing.T, data *microdata.Dataset, names []string, weights []float64) *keys.Table {
	t.Helper()
	table, err := keys.New(t.Context(), golden.Columns(data, names...), weights)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// figures returns all figures of an assessment that records share.
func figures(t *testing.T, table *keys.Table, scenario *microdata.Scenario) []any {
	t.Helper()
	a, err := risk.Assess(t.Context(), table, nil, risk.OptionsOf(scenario))
	if err != nil {
		t.Fatal(err)
	}
	threshold, needed := a.Threshold(0.01)
	return []any{a.Records, a.Violators, a.Expected, a.Global, a.Raised, a.KeyRisks(), a.AboveMain(), threshold, needed,
		a.HighestRisk(),
		table.Counts(), table.Weights(), a.KeyFrequencies().Sample, a.KeyFrequencies().Population}
}

// The result of a GROUP BY gives exactly the figures of the records: risk, what-if of a recode, and cells needed
// for k-anonymity.
func TestGroupsGiveWhatTheirRecordsGive(t *testing.T) {
	sizes := []int{3000, 1_000_000}
	if !longtests.Wanted() {
		sizes = sizes[:1]
	}
	for _, persons := range sizes {
		t.Run(fmt.Sprint(persons), func(t *testing.T) {
			data, scenario, _ := surveyOf(t, persons)
			weights, err := scenario.Weights(data)
			if err != nil {
				t.Fatal(err)
			}
			g := generated.GroupBy(data, weight, scenario.Keys...)
			file, groups := tableOf(t, data, scenario.Keys, weights), g.Table(t, data)
			t.Logf("%d records are %d groups", file.Records(), groups.Rows())
			for _, rule := range microdata.Rules() {
				scenario.Rule = rule
				if want, got := figures(t, file, scenario), figures(t, groups, scenario); !reflect.DeepEqual(want, got) {
					t.Fatalf("rule %s: groups give\n%v, records\n%v", rule, got[:6], want[:6])
				}
			}
			scenario.Rule = microdata.RuleDefault
			mapping := make([]uint32, file.Levels(3)+1)
			for code := 1; code < len(mapping); code++ {
				mapping[code] = uint32(1 + (code-1)/5)
			}
			after := regrouped(t, file, 3, mapping)
			if want, got := figures(t, after, scenario), figures(t, regrouped(t, groups, 3, mapping),
				scenario); !reflect.DeepEqual(want, got) {
				t.Fatal("another what-if")
			}
			if persons <= 3000 {
				compareNeeds(t, data, scenario, file, groups)
			} else if want, got := need(t, after, scenario, suppress.NewKAnonymity()),
				need(t, regrouped(t, groups, 3, mapping), scenario, suppress.NewKAnonymity()); !reflect.DeepEqual(want, got) {
				t.Errorf("groups need %+v, records %+v", got, want)
			}
		})
	}
}

func regrouped(t *testing.T, table *keys.Table, variable int, mapping []uint32) *keys.Table {
	t.Helper()
	out, err := table.Regroup(t.Context(), variable, int(mapping[len(mapping)-1]), mapping)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func need(t *testing.T, table *keys.Table, scenario *microdata.Scenario, m *suppress.KAnonymity,
	strata ...suppress.StrataVariable) *method.Suppression {
	t.Helper()
	out, err := m.Need(t.Context(), table, scenario, strata)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// compareNeeds compares the cells needed for k-anonymity: in the whole file, in strata, in subsets, and under
// another rule.
func compareNeeds(t *testing.T, data *microdata.Dataset, scenario *microdata.Scenario, file, groups *keys.Table) {
	for alpha, m := range map[float64]*suppress.KAnonymity{
		0.9: {K: 3}, 0.7: {K: 5, Rule: string(microdata.RuleOwnCategory)}, 0.5: {K: 3, Rule: string(microdata.RuleDefault)},
		1: {Subsets: suppress.Subsets{{Size: 3, K: 3}, {Size: 2, K: 5}}},
	} {
		under := *scenario
		under.Alpha = alpha
		if want, got := need(t, file, &under, m), need(t, groups, &under, m); !reflect.DeepEqual(want, got) {
			t.Errorf("%+v: groups need %+v, records %+v", m, got, want)
		}
	}
	names := generated.Keys()
	region, _ := data.Column(names[5])
	m, strata := &suppress.KAnonymity{K: 2}, suppress.StrataVariable{Name: names[5], Variable: 4,
		Levels: region.Categories().Levels}
	behind := append(append([]string{}, scenario.Keys...), names[5])
	want := need(t, tableOf(t, data, behind, nil), scenario, m, strata)
	if got := need(t, generated.GroupBy(data, weight, behind...).Table(t, data), scenario, m, strata); len(got.Strata) < 2 ||
		!reflect.DeepEqual(want, got) {
		t.Errorf("in strata groups need %+v, records %+v", got, want)
	}
}

// patterns counts the records by their values of the variables.
func patterns(data *microdata.Dataset, names []string) map[string]int {
	out, columns := map[string]int{}, golden.Columns(data, names...)
	for row := range data.Len() {
		var key []string
		for _, column := range columns {
			key = append(key, column.Text(row))
		}
		out[strings.Join(key, "\x00")] += columns[0].RecordsAt(row)
	}
	return out
}

// A method has the same result for groups as for their records: the same report, and the same numbers of records
// with the same cells. Rows of which some records lose a cell are split; sums of weights are preserved.
func TestMethodsMakeOfGroupsWhatTheyMakeOfRecords(t *testing.T) {
	data, scenario, g := surveyOf(t, 3000)
	groups := g.Dataset(t, data, weight)
	if groups.Records() != data.Len() || groups.Len() >= data.Len() {
		t.Fatalf("%d rows for %d records", groups.Len(), groups.Records())
	}
	thorough := suppress.NewKAnonymity()
	thorough.Algorithm, thorough.Iterations = suppress.Thorough, 16
	strata := suppress.NewKAnonymity()
	strata.K, strata.Strata = 2, []string{generated.Keys()[5]}
	subsets := suppress.NewKAnonymity()
	subsets.Subsets = suppress.Subsets{{Size: 3, K: 3}}
	above := suppress.AboveRiskSpec().New().(*suppress.AboveRisk)
	above.Variable, above.Threshold = scenario.Keys[3], 0.05
	for _, m := range []method.Method{suppress.NewKAnonymity(), thorough, strata, subsets, above,
		&recode.Group{Variable: scenario.Keys[1], Levels: []string{labelsOf(data, scenario.Keys[1])[0],
			labelsOf(data, scenario.Keys[1])[1]}},
		&prepare.MakeStratum{Name: "both", Variables: generated.Keys()[4:6], Separator: "/"}, combinations.NewSuppression()} {
		want, err := method.Apply(t.Context(), m, method.Input{Data: data, Scenario: scenario}, nil)
		if err != nil {
			t.Fatalf("%T: %v", m, err)
		}
		got, err := method.Apply(t.Context(), m, method.Input{Data: groups, Scenario: scenario}, nil)
		if err != nil {
			t.Fatalf("%T: %v", m, err)
		}
		if diff := cmp.Diff(want.Report, got.Report); diff != "" {
			t.Errorf("%T: the reports differ (-records +groups):\n%s", m, diff)
		}
		names := generated.Keys()
		if diff := cmp.Diff(patterns(want.Data, scenario.Keys), patterns(got.Data, scenario.Keys)); diff != "" {
			t.Errorf("%T: other records (-records +groups):\n%s", m, diff)
		}
		for _, name := range names {
			a, _ := want.Data.Column(name)
			b, _ := got.Data.Column(name)
			if a.MissingCount() != b.MissingCount() || a.SuppressedCount() != b.SuppressedCount() ||
				!reflect.DeepEqual(a.Categories().Counts(), b.Categories().Counts()) {
				t.Errorf("%T: %s: %d missing, %d suppressed; of records %d, %d", m, name, b.MissingCount(), b.SuppressedCount(),
					a.MissingCount(), a.SuppressedCount())
			}
		}
		if before, after := total(groups), total(got.Data); got.Data.Records() != data.Len() || before-after > 1e-6 ||
			after-before > 1e-6 {
			t.Errorf("%T: %d records of weight %v, want %d of %v", m, got.Data.Records(), after, data.Len(), before)
		}
	}
}

func labelsOf(data *microdata.Dataset, name string) (labels []string) {
	column, _ := data.Column(name)
	for _, level := range column.Categories().Levels {
		labels = append(labels, level.Label)
	}
	return labels
}

// total returns the sum of the weights.
func total(data *microdata.Dataset) float64 {
	sum := 0.0
	column, _ := data.Column(weight)
	for row := range data.Len() {
		sum += column.Float(row)
	}
	return sum
}

// A method that needs single records reports that instead of counting rows.
func TestMethodsSayWhyTheyDoNotWorkOnGroups(t *testing.T) {
	data, scenario, g := surveyOf(t, 300)
	groups := g.Dataset(t, data, weight)
	micro := &suppress.KAnonymity{K: 3, Algorithm: suppress.SDCMicro, Rule: string(microdata.RuleDefault)}
	households := *scenario
	households.Household, households.SameForHousehold = "hid", scenario.Keys[:1]
	groups, err := groups.Append(golden.Column(t, "hid", slices.Repeat([]string{"1"}, groups.Len())))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		m        method.Method
		scenario *microdata.Scenario
		words    string
	}{
		{micro, scenario, "in file order"},
		{suppress.NewKAnonymity(), &households, "not known which records"},
		{struct{ method.Method }{}, scenario, "needs the records"},
	} {
		in, spec := method.Input{Data: groups, Scenario: c.scenario}, method.Spec{}
		if _, known := c.m.(*suppress.KAnonymity); known {
			spec = suppress.KAnonymitySpec()
		}
		err := spec.CheckRows(c.m, in)
		if err == nil {
			_, err = method.Apply(t.Context(), c.m, in, nil)
		}
		if !errors.Is(err, method.ErrInput) || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%T: %v, want an error with %q", c.m, err, c.words)
		}
	}
}
