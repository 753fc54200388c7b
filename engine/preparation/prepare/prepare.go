// Package prepare has the methods that prepare a file for protection; each is a step like any other. They convert
// variables between categories and numbers, set codes to missing, combine several variables into strata, take a
// subset for trials, draw a sample, restore the source values of a variable, replace identifiers with random ones,
// and put records into random order.
//
//	m := prepare.Subset{Take: prepare.TakePercent, Percent: 10, Households: true}
//	out, err := m.Apply(ctx, method.Input{Data: data, Scenario: &scenario, Seed: seed}, nil)
//	fmt.Println(out.Report.Effect) // 500 of 5,000 records kept
package prepare

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// cite is the source of all methods of the package.
const cite = "Templ (2017), Statistical Disclosure Control for Microdata, chapter 2"

// otherCells returns the number of cells that differ between two columns.
func otherCells(ctx context.Context, before, after *microdata.Column) (int, error) {
	if before == after {
		return 0, ctx.Err()
	}
	count := 0
	for record := range before.Len() {
		if parallel.Stopped(ctx, record) {
			return 0, ctx.Err()
		}
		if before.Differs(after, record) {
			count += before.RecordsAt(record)
		}
	}
	return count, ctx.Err()
}

// nothing adds a warning if the step changed no cell.
func nothing(report *method.Report) {
	report.Warnings = append(report.Warnings, method.WarnNothing)
}
