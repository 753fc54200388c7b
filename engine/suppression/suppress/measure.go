package suppress

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// missingCells counts the cells that suppression and recodes made missing.
type missingCells struct{}

// MissingCellsSpec describes the measure of cells that became missing.
func MissingCellsSpec() measure.Spec {
	return measure.Spec{
		Name:    "missing",
		Utility: true,
		Groups:  true,
		Title:   "missing and suppressed cells",
		Help: "Counts, for each key variable and its linked variables, the original values that are missing now, and those " +
			"among them that were suppressed.",
		Cite: measure.SourceTempl + ", section 4.2.2",
		Page: measure.Page{Meaning: measure.Telling("%s cells that had a value are now missing, %s of them by suppression.", "missing", "suppressed"),
			Bars: measure.BarsOfTable("variables", "cells"), Drawn: "newly missing cells, by variable"},
		New: func() measure.Measure { return missingCells{} },
	}
}

// Params returns nil.
func (missingCells) Params() []method.Param { return nil }

// Needs returns "", because cells can be counted in any data.
func (missingCells) Needs(measure.Input) string { return "" }

// Compute counts the cells, in total and by variable.
func (missingCells) Compute(ctx context.Context, in measure.Input, _ *progress.Meter) (measure.Values, error) {
	data, variables := in.Current.Data(), Followed(in.Current.Scenario)
	cells, suppressed := BecameMissing(data, variables), SuppressedCells(data, variables)
	table := measure.Table{Name: "variables", Title: "Newly missing cells",
		Columns: []string{"variable", "cells", "percent of records", "suppressed"}}
	for i, c := range cells {
		table.Rows = append(table.Rows, []any{c.Name, c.Count, measure.PercentOf(c.Count, data.Records()),
			suppressed[i].Count})
	}
	table.Rows = append(table.Rows, []any{measure.Sum, cells.Sum(), "", suppressed.Sum()})
	return measure.Values{
		Numbers: []measure.Value{measure.CountOf("missing", "newly missing cells", cells.Sum(), 0),
			measure.CountOf("suppressed", "suppressed cells", suppressed.Sum(), 0)},
		Tables: []measure.Table{table},
		Explain: func(e *measure.Explanation, what *measure.FigureKey) {
			e.Formula = "number of cells, over all variables"
			column := map[string]int{"missing": 1, "suppressed": 3}[what.Value.Name]
			e.Steps = func() []string { return table.Added(column, e.Value) }
		},
	}, ctx.Err()
}

// Followed returns the variables affected by suppression, each once: the key variables, then those linked to them.
func Followed(scenario *microdata.Scenario) []string {
	names := slices.Clone(scenario.Keys)
	for _, key := range scenario.Keys {
		for _, name := range scenario.Linked[key] {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// SuppressedCells counts, for each variable, the cells that suppression made missing and that are still missing.
// It does not count cells that a recode left out or that were set to missing.
func SuppressedCells(data *microdata.Dataset, variables []string) method.Counts {
	return counted(data, variables, (*microdata.Column).SuppressedCount)
}

// BecameMissing counts, for each variable, the cells that have a value in the source but not in data, for whatever
// reason.
func BecameMissing(data *microdata.Dataset, variables []string) method.Counts {
	return counted(data, variables, func(column *microdata.Column) (cells int) {
		source := column.Source()
		if source == column {
			return 0
		}
		for row := range column.Len() {
			if column.Missing(row) && !source.Missing(row) {
				cells += column.RecordsAt(row)
			}
		}
		return cells
	})
}

// counted returns count for each variable, or 0 if data lacks it.
func counted(data *microdata.Dataset, variables []string, count func(*microdata.Column) int) method.Counts {
	cells := make(method.Counts, len(variables))
	for i, name := range variables {
		cells[i].Name = name
		if column, ok := data.Column(name); ok {
			cells[i].Count = count(column)
		}
	}
	return cells
}
