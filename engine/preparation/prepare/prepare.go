// Package prepare holds the methods that make a file ready for protection, each
// a step like any other: variables are converted between categories and numbers,
// codes that stand for no value are set to missing, strata are made of several
// variables, a trial subset is taken, a sample drawn, a variable gets its source
// values back, identifiers are replaced by random ones and records put into random
// order.
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

// otherCells counts the cells that differ between two columns.
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

// nothing adds the warning of a step that left every cell as it was.
func nothing(report *method.Report) {
	report.Warnings = append(report.Warnings, method.WarnNothing)
}
