package session

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// DefaultLeast is the least number of records that a report for users tells of.
const DefaultLeast = 10

// limit is the least count that a report tells; smaller ones, and those that leave fewer
// of a whole that is known, would tell of single records. 0: all are told.
type limit int

// hides reports whether a count of a whole is not told.
func (l limit) hides(count, of int) bool {
	return count > 0 && count < int(l) || of > count && of-count < int(l)
}

// text spells a count, as far as it is told.
func (l limit) text(count, of int) string {
	switch {
	case count > 0 && count < int(l):
		return fmt.Sprintf("fewer than %d", int(l))
	case l.hides(count, of):
		return fmt.Sprintf("all but fewer than %d", int(l))
	}
	return wording.Number(count)
}

// least returns the limit of the report.
func (o *ReportOptions) least() limit {
	switch {
	case o.Audience == Inside:
		return 0
	case o.Least > 0:
		return limit(o.Least)
	}
	return DefaultLeast
}

// missingForUsers tells how many cells of the released variables became missing. Users do not
// learn which of them were suppressed, and no sum from which a count that is hidden would
// follow.
func (r *reporting) missingForUsers(ctx context.Context) error {
	of, err := r.missingCells(ctx)
	if err != nil {
		return err
	}
	counts := map[string]int{}
	for _, row := range of.Rows[:len(of.Rows)-1] { // the last one is their sum
		counts[measure.CellText(row[0])], _ = row[1].(int)
	}
	s, records := report.Section{Heading: of.Title, Table: [][]string{of.Columns[:3]}}, r.Data.Records()
	for _, column := range r.released().Columns() {
		count, followed := counts[column.Name()]
		if was, ok := r.original().Column(column.Name()); ok && !followed {
			count = column.MissingCount() - was.MissingCount()
		}
		if count <= 0 {
			continue
		}
		share := "–"
		if !r.least.hides(count, records) {
			share = fmt.Sprint(measure.PercentOf(count, records))
		}
		s.Table = append(s.Table, []string{column.Name(), r.least.text(count, records), share})
	}
	r.addTable(s, "None.")
	return nil
}

// changes says what became of the variables that differ from the source, and in how many
// cells they do.
func (r *reporting) changes(ctx context.Context) error {
	s := report.Section{Heading: "What became of the variables",
		Table: [][]string{{"variable", "what became of it", "cells that differ from the source"}}}
	if r.least == 0 {
		s.Table[0] = append(s.Table[0], "as in the source", "cells missing", "in the source")
	}
	var c Comparison
	if err := c.cells(ctx, r.original(), r.Data, nil); err != nil {
		return err
	}
	released, origins, n := r.released(), r.Data.Origins(), r.Data.Records()
	for _, v := range c.Variables {
		if column, ok := released.Column(v.Name); ok {
			row := []string{v.Name, waysChanged(column, origins[v.Name], v.InA), r.least.text(v.Cells, n)}
			switch {
			case !v.InA:
				row[2] = "–"
			case r.least == 0:
				row = append(row, wording.Number(n-v.Cells), wording.Number(v.MissingB), wording.Number(v.MissingA))
				if v.Untold {
					row[2], row[3] = "–", "–"
				}
			case v.Untold:
				row[2] = "–"
			case column.Recoded(), // a category that kept its name had the records of the file less those that differ
				r.least.hides(v.MissingB-v.MissingA, 0): // it would follow from the missing cells of the file
				row[2] = "–"
			}
			s.Table = append(s.Table, row)
		}
	}
	if len(s.Table) > 1 {
		s.Add("Variables that are not named are as in the source, and so are the cells of the others that do not differ.")
	}
	r.addTable(s, "All variables of the file are as in the source.")
	return nil
}

// waysChanged says in words how a column that differs from the source came to be.
func waysChanged(c *microdata.Column, origin microdata.Origin, was bool) string {
	var ways []string
	for _, way := range []struct {
		is   bool
		said string
	}{{!was, "added"}, {origin&microdata.Synthetic != 0, "made by a model"}, {origin&microdata.Drawn != 0, "drawn anew"},
		{origin&microdata.Perturbed != 0, "masked"}, {c.Recoded(), "recoded"},
		{c.SuppressedCount() > 0, "cells suppressed"}} {
		if way.is {
			ways = append(ways, way.said)
		}
	}
	if len(ways) == 0 {
		return "changed"
	}
	return strings.Join(ways, ", ")
}

// moments tell users by how much masking changed means, deviations and correlations:
// rounded, and neither of variables of which few cells differ nor of those where one
// record makes most of the difference, since both would tell of these.
func (r *reporting) moments(ctx context.Context) error {
	names := r.masked()
	if len(names) == 0 {
		return nil
	}
	pairs, err := numeric.NewPairs(ctx, r.original(), r.Data, names)
	if err != nil {
		return err
	}
	means := report.Section{Heading: "Means and deviations", Table: [][]string{{"variable", "mean",
		"its change in standard deviations", "standard deviation", "times the original"}}}
	means.Add("Of the records without a missing value in a masked variable. Changes are rounded.")
	correlations := report.Section{Heading: "Correlations",
		Table: [][]string{{"variable", "with", "correlation", "its change"}}}
	was, now := stat.Correlation(pairs.Original), stat.Correlation(pairs.Current)
	told := func(j int) bool { return widespread(pairs.Original[j], pairs.Current[j], r.least) }
	for j, name := range names {
		if !told(j) {
			means.Table = append(means.Table, []string{name, "–", "–", "–", "–"})
			continue
		}
		x, y := pairs.Original[j], pairs.Current[j]
		before, after := stat.StandardDeviation(x), stat.StandardDeviation(y)
		means.Table = append(means.Table, []string{name, wording.Amount(stat.Mean(y)),
			rounded((stat.Mean(y) - stat.Mean(x)) / before), wording.Amount(after), rounded(after / before)})
		for k := range j {
			if told(k) {
				correlations.Table = append(correlations.Table, []string{names[k], name, rounded(now[k][j]),
					rounded(now[k][j] - was[k][j])})
			}
		}
	}
	if r.add(means); len(correlations.Table) > 1 {
		r.add(correlations)
	}
	return nil
}

// masked returns the released variables of numbers, then and now, whose values were
// masked or made.
func (d *Document) masked() []string {
	var names []string
	for _, column := range d.released().Columns() {
		names = append(names, column.Name())
	}
	names = d.Data.Origins().Having(microdata.Perturbed|microdata.Synthetic, names)
	return slices.DeleteFunc(names, func(name string) bool {
		return numeric.Unpaired(d.original(), d.Data, []string{name}) != ""
	})
}

// widespread reports whether enough values differ, and none makes half of the difference.
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

// rounded spells a number to two decimals; "–" where there is none.
func rounded(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "–"
	}
	return strings.Replace(fmt.Sprintf("%.2f", x), "-0.00", "0.00", 1)
}
