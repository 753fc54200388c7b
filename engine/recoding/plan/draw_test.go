package plan_test

import (
	"context"
	"fmt"
	"math"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// draw returns a small file of key variables, some of them ordered, with or without missing values, and a scenario
// with one of the five rules.
func draw(t *rapid.T) (*microdata.Dataset, *microdata.Scenario) {
	n := rapid.IntRange(1, 40).Draw(t, "records")
	least := rapid.IntRange(0, 1).Draw(t, "least code") // 0: with missing values
	scenario := microdata.NewScenario()
	scenario.Rule = rapid.SampledFrom([]microdata.Rule{microdata.RuleDefault, microdata.RuleConservative,
		microdata.RuleCategorySize,
		microdata.RuleConservative2, microdata.RuleOwnCategory}).Draw(t, "rule")
	scenario.Alpha = rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "alpha")
	var columns []*microdata.Column
	for j := range rapid.IntRange(1, 5).Draw(t, "variables") {
		levels := rapid.SampledFrom([]int{1, 2, 3, 5, 8, manyLevels()}).Draw(t, "levels")
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

// manyLevels is a number of levels that does not fit into one byte, or into two in long tests.
func manyLevels() int {
	if longtests.Wanted() {
		return 70_000
	}
	return 300
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

func groupOf(variable string, levels ...string) *recode.Group {
	return &recode.Group{Variable: variable, Levels: levels}
}
