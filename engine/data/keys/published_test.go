package keys_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
)

// TestGuideTables checks tables 1 and 2 of the SDC Practice Guide.
func TestGuideTables(t *testing.T) {
	data := golden.Data(t, "guide10")
	scenario := microdata.Scenario{Weight: "Weight"}
	weights, err := scenario.Weights(data)
	if err != nil {
		t.Fatal(err)
	}
	table := build(t, golden.Columns(data, "Residence", "Gender", "Educ", "Lstat"), weights)
	f, err := table.Frequencies(context.Background(), microdata.RuleDefault, 1)
	if err != nil {
		t.Fatal(err)
	}
	sample := []float64{2, 2, 1, 2, 1, 2, 1, 1, 2, 2}
	population := []float64{360, 360, 215, 152, 186, 152, 180, 215, 262, 262}
	for record := range sample {
		key := table.Key(record)
		if f.Sample[key] != sample[record] || f.Population[key] != population[record] {
			t.Errorf("record %d: f %v, F %v", record+1, f.Sample[key], f.Population[key])
		}
	}
	missing := build(t, []*microdata.Column{
		golden.Column(t, "gender", []string{"Male", "Male", "Male"}),
		golden.Column(t, "education", []string{"Secondary complete", "Secondary incomplete", ""}),
		golden.Column(t, "labour", []string{"Employed", "Employed", "Employed"}),
	}, nil)
	frequencies(t, missing, microdata.RuleDefault, []float64{2, 2, 3})
}

func frequencies(t *testing.T, table *keys.Table, rule microdata.Rule, want []float64) {
	t.Helper()
	f, err := table.Frequencies(context.Background(), rule, 1)
	if err != nil {
		t.Fatal(err)
	}
	for record := range want {
		if got := f.Sample[table.Key(record)]; math.Abs(got-want[record]) > 1e-12 {
			t.Errorf("%s, record %d: f %v, want %v", rule, record+1, got, want[record])
		}
	}
}

// TestBookTables checks tables 4.1 and 4.2 of Templ's book: frequencies after
// suppressions that make five records 2- and 3-anonymous under each rule.
func TestBookTables(t *testing.T) {
	status := []string{"Single", "Married", "Married", "Single", "Widow"}
	for _, c := range []struct {
		k          int
		rule       microdata.Rule
		suppressed []int
		want       []float64
	}{
		{2, microdata.RuleDefault, []int{5}, []float64{3, 3, 3, 3, 5}},
		{2, microdata.RuleConservative, []int{5}, []float64{2, 2, 2, 2, 5}},
		{2, microdata.RuleCategorySize, []int{5}, []float64{2.4, 2.4, 2.4, 2.4, 5}},
		{2, microdata.RuleConservative2, []int{1, 4, 5}, []float64{5, 2, 2, 5, 5}},
		{2, microdata.RuleOwnCategory, []int{1, 4, 5}, []float64{3, 2, 2, 3, 3}},
		{3, microdata.RuleDefault, []int{5}, []float64{3, 3, 3, 3, 5}},
		{3, microdata.RuleConservative, []int{1, 2, 3, 4, 5}, []float64{5, 5, 5, 5, 5}},
		{3, microdata.RuleCategorySize, []int{1, 4, 5}, []float64{5, 3.2, 3.2, 5, 5}},
		{3, microdata.RuleConservative2, []int{1, 2, 3, 4, 5}, []float64{5, 5, 5, 5, 5}},
		{3, microdata.RuleOwnCategory, []int{1, 2, 3, 4, 5}, []float64{5, 5, 5, 5, 5}},
	} {
		cells := append([]string(nil), status...)
		for _, record := range c.suppressed {
			cells[record-1] = ""
		}
		table := build(t, []*microdata.Column{
			golden.Column(t, "region", []string{"A", "A", "A", "A", "A"}),
			golden.Column(t, "age", []string{"30-49", "30-49", "30-49", "30-49", "30-49"}),
			golden.Column(t, "status", cells),
		}, nil)
		frequencies(t, table, c.rule, c.want)
		f, err := table.Frequencies(context.Background(), c.rule, 1)
		if err != nil {
			t.Fatal(err)
		}
		if left := table.Violators(f, c.k); left != 0 {
			t.Errorf("%s: %d violators of %d are left", c.rule, left, c.k)
		}
	}
}

// TestRecodedViolators checks the counts that Templ publishes for testdata.
func TestRecodedViolators(t *testing.T) {
	data := golden.Data(t, "testdata")
	table := build(t, golden.Columns(data, "urbrur", "water", "sex", "age", "relat"), nil)
	violators := func(step string, alpha float64, want [3]int) {
		t.Helper()
		f, err := table.Frequencies(context.Background(), microdata.RuleDefault, alpha)
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range []int{2, 3, 5} {
			if got := table.Violators(f, k); got != want[i] {
				t.Errorf("%s, alpha %v: %d violators of %d, want %d", step, alpha, got, k, want[i])
			}
		}
	}
	recode := func(variable int, upper ...float64) {
		t.Helper()
		levels := golden.Columns(data, "urbrur", "water", "sex", "age", "relat")[variable].Categories().Levels
		mapping := make([]uint32, len(levels)+1)
		for code, level := range levels {
			for class, end := range upper {
				if class > 0 && level.Value > upper[class-1] && level.Value <= end {
					mapping[code+1] = uint32(class)
				}
			}
		}
		regrouped, err := table.Regroup(context.Background(), variable, len(upper)-1, mapping)
		if err != nil {
			t.Fatal(err)
		}
		table = regrouped
	}
	violators("as read", 1, [3]int{653, 1087, 1781})
	recode(3, 0, 9, 19, 29, 39, 49, 59, 69, 79, 130)
	violators("ages cut", 1, [3]int{111, 184, 345})
	violators("ages cut", 0.7, [3]int{113, 188, 362})
	cut := table
	recode(1, 0, 1, 2, 3, 4, 5, 9)
	regrouped, err := table.Regroup(context.Background(), 4, 8, []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 8}[:table.Levels(4)+1])
	if err != nil {
		t.Fatal(err)
	}
	table = regrouped
	violators("water and relat joined", 0.7, [3]int{106, 171, 316})
	regrouped, err = cut.Regroup(context.Background(), 3, 7, []uint32{0, 1, 2, 3, 4, 5, 6, 7, 7, 7})
	if err != nil {
		t.Fatal(err)
	}
	table = regrouped
	violators("60 and above joined", 1, [3]int{85, 162, 294})
}

func TestErrors(t *testing.T) {
	ctx := context.Background()
	columns := (&sample{levels: []int{2}, codes: [][]uint32{{1, 2, 0}}, n: 3}).columns(t)
	wants := func(err, want error) {
		t.Helper()
		if !errors.Is(err, want) {
			t.Errorf("error %v, want %v", err, want)
		}
	}
	_, err := keys.New(ctx, nil, nil)
	wants(err, keys.ErrVariables)
	_, err = keys.New(ctx, make([]*microdata.Column, 65), nil)
	wants(err, keys.ErrVariables)
	_, err = keys.New(ctx, columns, []float64{1})
	wants(err, keys.ErrLengths)
	for _, weight := range []float64{0, -1, math.NaN(), math.Inf(1), math.MaxFloat64} {
		_, err = keys.New(ctx, columns, []float64{1, weight, weight})
		wants(err, keys.ErrWeight)
	}
	table := build(t, columns, nil)
	_, err = table.Frequencies(ctx, "no rule", 1)
	wants(err, keys.ErrRule)
	_, err = table.Frequencies(ctx, microdata.RuleDefault, math.NaN())
	wants(err, keys.ErrRule)
	for _, mapping := range [][]uint32{{0, 1}, {0, 1, 3}, {0, 1, 2, 2}} {
		_, err = table.Regroup(ctx, 0, 2, mapping)
		wants(err, keys.ErrMapping)
	}
	_, err = table.Regroup(ctx, 1, 2, []uint32{0, 1, 2})
	wants(err, keys.ErrMapping)
	ended, cancel := context.WithCancel(ctx)
	cancel()
	_, err = keys.New(ended, columns, nil)
	wants(err, context.Canceled)
	_, err = table.Regroup(ended, 0, 2, []uint32{0, 1, 2})
	wants(err, context.Canceled)
	for _, rule := range microdata.Rules() {
		_, err = table.Frequencies(ended, rule, 1)
		wants(err, context.Canceled)
	}
	frequencies(t, table, microdata.RuleDefault, []float64{2, 2, 3}) // a cancelled call leaves the table intact
}

func TestNoRecords(t *testing.T) {
	table := build(t, (&sample{levels: []int{2}, codes: [][]uint32{{}}}).columns(t), []float64{})
	frequencies(t, table, microdata.RuleDefault, nil)
	if table.Keys() != 0 || table.Records() != 0 || len(table.RowKeys()) != 0 {
		t.Errorf("%d keys of %d records", table.Keys(), table.Records())
	}
}
