package recode

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// keyCategories counts the categories of key variables.
type keyCategories struct{}

// CategoriesSpec describes the measure of categories that occur.
func CategoriesSpec() measure.Spec {
	return measure.Spec{
		Name:    "categories",
		Utility: true,
		Groups:  true,
		Title:   "categories of the key variables",
		Help:    "Counts the categories that occur in each key variable, without missing values: the level of detail after recoding.",
		Cite:    measure.SourceTempl + ", section 4.2.1",
		Page: measure.Page{Meaning: measure.Telling("The key variables have %s categories with at least one record; recoding reduces this number.", "categories"),
			Bars: measure.BarsOfTable("variables", "now"), Drawn: "categories now, by variable"},
		New: func() measure.Measure { return keyCategories{} },
	}
}

// Params returns none.
func (keyCategories) Params() []method.Param { return nil }

// Needs returns "", because categories can be counted in any data.
func (keyCategories) Needs(measure.Input) string { return "" }

// Compute counts the categories, in total and for each key variable.
func (keyCategories) Compute(ctx context.Context, in measure.Input, _ *progress.Meter) (measure.Values, error) {
	table := measure.Table{Name: "variables", Title: "Categories of the key variables",
		Columns: []string{"variable", "now", "original"}}
	sum := 0
	for _, name := range in.Current.Scenario.Keys {
		now, ok := in.Current.Data().Column(name)
		was, known := in.Original.Data().Column(name)
		if !ok || !known {
			continue
		}
		occurring := now.Categories().Occurring()
		sum += occurring
		table.Rows = append(table.Rows, []any{name, occurring, was.Categories().Occurring()})
	}
	return measure.Values{
		Numbers: []measure.Value{{Name: "categories", Title: "categories in all", Number: float64(sum),
			Unit: measure.Count, Better: measure.Higher}},
		Tables: []measure.Table{table},
		Explain: func(e *measure.Explanation, _ *measure.FigureKey) {
			e.Formula = "number of categories with at least one record, summed over the key variables"
			e.Steps = func() []string { return table.Added(1, e.Value) }
		},
	}, ctx.Err()
}
