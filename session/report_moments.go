package session

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// moments adds by how much masking changed means, standard deviations and correlations. For users, changes are
// rounded, and those of a variable are left out if few of its values changed or if one record makes most of the
// difference.
func (r *reportBuilder) moments(ctx context.Context) error {
	names := r.masked()
	if len(names) == 0 {
		return nil
	}
	pairs, err := numeric.NewPairs(ctx, r.original(), r.Data, names)
	if err != nil {
		return err
	}
	means := report.NewTable("Effect of masking", "variable", "change of the mean, in standard deviations",
		"standard deviation, ratio to the original")
	means.Add("Computed without weights from the records that have a value in every masked variable.")
	correlations := report.NewTable("Correlations of masked variables", "variable", "with", "correlation now", "change")
	was, now := stat.Correlation(pairs.Original), stat.Correlation(pairs.Current)
	reported := func(j int) bool {
		return r.least == 0 || widespread(pairs.Original[j], pairs.Current[j], r.least)
	}
	for j, name := range names {
		if !reported(j) {
			means.Row(name, "–", "–")
			continue
		}
		x, y := pairs.Original[j], pairs.Current[j]
		before := stat.StandardDeviation(x)
		means.Row(name, rounded((stat.Mean(y)-stat.Mean(x))/before),
			rounded(stat.StandardDeviation(y)/before))
		for k := range j {
			if reported(k) {
				correlations.Row(names[k], name, rounded(now[k][j]),
					rounded(now[k][j]-was[k][j]))
			}
		}
	}
	r.add(means)
	r.add(correlations)
	return nil
}

// widespread reports whether enough values differ, and no single one makes half of the difference.
func widespread(was, now []float64, l limit) bool {
	count, sum, largest := 0, 0.0, 0.0
	for i, x := range was {
		if x != now[i] {
			count++
		}
		sum, largest = sum+math.Abs(x-now[i]), max(largest, math.Abs(x-now[i]))
	}
	return count >= int(l) && 2*largest < sum
}

// rounded formats a number with two decimals; "–" if it is not finite.
func rounded(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "–"
	}
	return wording.Thousands(strings.Replace(fmt.Sprintf("%.2f", x), "-0.00", "0.00", 1))
}
