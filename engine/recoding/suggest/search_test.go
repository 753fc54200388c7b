package suggest_test

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/suggest"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// draw returns a small file of key variables, some of them ordered, with
// missing values or none, and a scenario with one of the five rules.
func draw(t *rapid.T) (*microdata.Dataset, *microdata.Scenario) {
	n := rapid.IntRange(1, 40).Draw(t, "records")
	least := rapid.IntRange(0, 1).Draw(t, "least code") // 0: values are missing
	scenario := microdata.NewScenario()
	scenario.Rule = rapid.SampledFrom([]microdata.Rule{microdata.RuleDefault, microdata.RuleConservative,
		microdata.RuleCategorySize,
		microdata.RuleConservative2, microdata.RuleOwnCategory}).Draw(t, "rule")
	scenario.Alpha = rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "alpha")
	var columns []*microdata.Column
	for j := range rapid.IntRange(1, 5).Draw(t, "variables") {
		levels := rapid.SampledFrom([]int{1, 2, 3, 5, 8, 70000}).Draw(t, "levels")
		used := min(levels, rapid.IntRange(1, 5).Draw(t, "used"))
		categories := &microdata.Categories{Codes: microdata.NewCodes(n, levels), Ordered: rapid.Bool().Draw(t, "ordered")}
		for l := range levels {
			categories.Levels = append(categories.Levels, microdata.Level{Label: fmt.Sprint("l", l), Value: math.NaN()})
		}
		for record := range n {
			if code := rapid.IntRange(least, used).Draw(t, "code"); code > 0 {
				categories.Codes.Set(record, uint32(levels-code+1))
			}
		}
		name := fmt.Sprint("v", j)
		columns = append(columns, microdata.NewCategorical(name, microdata.Category, categories))
		scenario.Keys = append(scenario.Keys, name)
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	return data, &scenario
}

type fataler interface {
	Helper()
	Fatal(...any)
}

func assess(t fataler, data *microdata.Dataset, scenario *microdata.Scenario) *risk.Assessment {
	t.Helper()
	columns := make([]*microdata.Column, len(scenario.Keys))
	for i, name := range scenario.Keys {
		columns[i], _ = data.Column(name)
	}
	table, err := keys.New(context.Background(), columns, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := risk.Assess(context.Background(), table, nil, risk.OptionsOf(scenario))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// searched returns all that a search finds.
func searched(t fataler, data *microdata.Dataset, scenario *microdata.Scenario, a *risk.Assessment,
	k int) []*suggest.Suggestion {
	t.Helper()
	search, err := suggest.New(data, scenario, a, k)
	if err != nil {
		t.Fatal(err)
	}
	for !search.Done() {
		if err := search.Continue(context.Background(), 0); err != nil {
			t.Fatal(err)
		}
	}
	return search.Ranked(1 << 20)
}

// violatorsAfter makes the recode and counts the violators of the new data.
func violatorsAfter(t fataler, data *microdata.Dataset, scenario *microdata.Scenario, s *suggest.Suggestion,
	k int) (int, *microdata.Column) {
	t.Helper()
	_, m := s.Step()
	out, err := method.Apply(context.Background(), m, method.Input{Data: data, Scenario: scenario}, nil)
	if err != nil {
		t.Fatal(err)
	}
	column, _ := out.Data.Column(s.Variable)
	a := assess(t, out.Data, scenario)
	return a.Table().Violators(a.KeyFrequencies(), k), column
}

// entropy counts the detail of a column as it is defined.
func entropy(column *microdata.Column) float64 {
	counts := column.Categories().Counts()
	total, sum := float64(column.Len()-counts[0]), 0.0
	for _, count := range counts[1:] {
		if count > 0 {
			p := float64(count) / total
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

func TestFiguresAreThoseOfTheRecode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data, scenario := draw(t)
		k := rapid.IntRange(2, 5).Draw(t, "k")
		a := assess(t, data, scenario)
		suggestions := searched(t, data, scenario, a, k)
		last := math.Inf(1)
		for i := range suggestions {
			s := suggestions[i]
			after, column := violatorsAfter(t, data, scenario, s, k)
			if s.After != after || s.Before != a.Table().Violators(a.KeyFrequencies(), k) {
				t.Fatalf("%v: %d violators after, the recoded data have %d", s.Recode, s.After, after)
			}
			before, _ := data.Column(s.Variable)
			if lost := entropy(before) - entropy(column); math.Abs(lost-s.Lost) > 1e-9 {
				t.Fatalf("%v loses %v bits, the entropies differ by %v", s.Recode, s.Lost, lost)
			}
			if s.Removed() <= 0 || s.Rate() > last {
				t.Fatalf("%v: %d removed, %v a bit after %v", s.Recode, s.Removed(), s.Rate(), last)
			}
			if code, ok := column.Categories().CodeOf(s.Label); !ok || column.Categories().Counts()[code] != s.Records {
				t.Fatalf("%v: no group %q of %d records", s.Recode, s.Label, s.Records)
			}
			last = s.Rate()
		}
	})
}

// TestNoPairIsForgotten tries every two levels by hand, all of a nominal
// variable and neighbours of an ordered one.
func TestNoPairIsForgotten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data, scenario := draw(t)
		a := assess(t, data, scenario)
		found := map[string]int{}
		for _, s := range searched(t, data, scenario, a, 3) {
			if s.Recode != nil && len(s.Recode.Levels) == 2 {
				found[s.Variable+s.Recode.Levels[0]+s.Recode.Levels[1]] = s.After
			}
		}
		before := a.Table().Violators(a.KeyFrequencies(), 3)
		for _, name := range scenario.Keys {
			column, _ := data.Column(name)
			categories := column.Categories()
			var there []string
			for code, count := range categories.Counts() {
				if code > 0 && count > 0 {
					there = append(there, categories.Levels[code-1].Label)
				}
			}
			for i := range there {
				for j := i + 1; j < len(there) && (!categories.Ordered || j == i+1); j++ {
					s := &suggest.Suggestion{Variable: name}
					s.Recode = groupOf(name, there[i], there[j])
					after, _ := violatorsAfter(t, data, scenario, s, 3)
					if got, ok := found[name+there[i]+there[j]]; ok != (after < before) || ok && got != after {
						t.Fatalf("%s: %s with %s leaves %d of %d violators, found: %v %d", name, there[i], there[j], after, before, ok,
							got)
					}
				}
			}
		}
	})
}

// TestSurvey holds the figures of the demonstration survey against the recodes
// themselves, and the order that does not depend on how the search was cut up.
func TestSurvey(t *testing.T) {
	data := golden.Data(t, "survey")
	scenario := microdata.NewScenario()
	scenario.Keys = generated.Keys()
	a := assess(t, data, &scenario)
	all := searched(t, data, &scenario, a, 3)
	if len(all) < 100 || all[0].Before != 4443 {
		t.Fatalf("%d suggestions, %d violators before", len(all), all[0].Before)
	}
	widths := map[float64]bool{}
	for i := range all {
		if s := all[i]; s.Intervals != nil {
			widths[s.Width] = true
			after, column := violatorsAfter(t, data, &scenario, s, 3)
			before, _ := data.Column(s.Variable)
			if lost := entropy(before) - entropy(column); after != s.After || math.Abs(lost-s.Lost) > 1e-9 {
				t.Errorf("intervals of %v: %d violators and %v bits, the recoded data have %d and %v", s.Width, s.After, s.Lost,
					after, lost)
			}
		}
	}
	if !widths[5] || !widths[10] || widths[1] {
		t.Errorf("intervals of ages of widths %v", widths)
	}
	at := 1
	if testing.Short() {
		at = 20
	}
	for i := 0; i < len(all); i += at {
		if after, _ := violatorsAfter(t, data, &scenario, all[i], 3); after != all[i].After {
			t.Errorf("%s %v: %d violators after, the recoded data have %d", all[i].Variable, all[i].Recode, all[i].After, after)
		}
	}
	search, err := suggest.New(data, &scenario, a, 3)
	if err != nil {
		t.Fatal(err)
	}
	if err := search.Continue(context.Background(), time.Hour); err != nil || !search.Done() {
		t.Fatalf("not done: %v", err)
	}
	if diff := cmp.Diff(all, search.Ranked(len(all)), cmpopts.EquateApprox(0, 0)); diff != "" {
		t.Error(diff)
	}
}

func TestCancelIsObeyed(t *testing.T) {
	data := golden.Data(t, "survey")
	scenario := microdata.NewScenario()
	scenario.Keys = generated.Keys()
	search, err := suggest.New(data, &scenario, assess(t, data, &scenario), 3)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := search.Continue(ctx, time.Hour); err == nil || search.Done() {
		t.Errorf("a cancelled search ends with %v", err)
	}
	if _, err := suggest.New(data, &scenario, assess(t, data, &scenario), 3, "income"); err == nil {
		t.Error("income is no key variable and is searched")
	}
}
