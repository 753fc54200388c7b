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
func (d *Document) missingForUsers(ctx context.Context, analyst *Analyst, l limit) ([]report.Section, error) {
	of, err := d.missingCells(ctx, analyst)
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	for _, row := range of.Rows[:len(of.Rows)-1] { // the last one is their sum
		counts[measure.CellText(row[0])], _ = row[1].(int)
	}
	s, records := report.Section{Heading: of.Title, Table: [][]string{of.Columns[:3]}}, d.Data.Records()
	for _, column := range d.Data.Without(d.dropped()).Columns() {
		count, followed := counts[column.Name()]
		if was, ok := d.original().Column(column.Name()); ok && !followed {
			count = column.MissingCount() - was.MissingCount()
		}
		if count <= 0 {
			continue
		}
		share := "–"
		if !l.hides(count, records) {
			share = fmt.Sprint(measure.PercentOf(count, records))
		}
		s.Table = append(s.Table, []string{column.Name(), l.text(count, records), share})
	}
	if len(s.Table) == 1 {
		s.Table = nil
		s.Add("None.")
	}
	return []report.Section{s}, nil
}

// changes says what became of the variables that differ from the source, and in how many
// cells they do.
func (d *Document) changes(ctx context.Context, l limit) (report.Section, error) {
	s := report.Section{Heading: "What became of the variables",
		Table: [][]string{{"variable", "what became of it", "cells that differ from the source"}}}
	if l == 0 {
		s.Table[0] = append(s.Table[0], "as in the source", "cells missing", "in the source")
	}
	var c Comparison
	if err := c.cells(ctx, d.original(), d.Data, nil); err != nil {
		return s, err
	}
	removed, origins, n := d.dropped(), d.Data.Origins(), d.Data.Records()
	for _, v := range c.Variables {
		if column, ok := d.Data.Column(v.Name); ok && !slices.Contains(removed, v.Name) {
			row := []string{v.Name, waysChanged(column, origins[v.Name], v.InA), l.text(v.Cells, n)}
			switch {
			case !v.InA:
				row[2] = "–"
			case l == 0:
				row = append(row, wording.Number(n-v.Cells), wording.Number(v.MissingB), wording.Number(v.MissingA))
				if v.Untold {
					row[2], row[3] = "–", "–"
				}
			case v.Untold:
				row[2] = "–"
			case column.Recoded(), // a category that kept its name had the records of the file less those that differ
				l.hides(v.MissingB-v.MissingA, 0): // it would follow from the missing cells of the file
				row[2] = "–"
			}
			s.Table = append(s.Table, row)
		}
	}
	if len(s.Table) == 1 {
		s.Table = nil
		s.Add("All variables of the file are as in the source.")
		return s, nil
	}
	s.Add("Variables that are not named are as in the source, and so are the cells of the others that do not differ.")
	return s, nil
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
func (d *Document) moments(ctx context.Context, l limit) ([]report.Section, error) {
	names := d.masked()
	if len(names) == 0 {
		return nil, nil
	}
	pairs, err := numeric.NewPairs(ctx, d.original(), d.Data, names)
	if err != nil {
		return nil, err
	}
	means := report.Section{Heading: "Means and deviations", Table: [][]string{{"variable", "mean",
		"its change in standard deviations", "standard deviation", "times the original"}}}
	means.Add("Of the records without a missing value in a masked variable. Changes are rounded.")
	correlations := report.Section{Heading: "Correlations",
		Table: [][]string{{"variable", "with", "correlation", "its change"}}}
	was, now := stat.Correlation(pairs.Original), stat.Correlation(pairs.Current)
	told := func(j int) bool { return widespread(pairs.Original[j], pairs.Current[j], l) }
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
	if len(correlations.Table) == 1 {
		return []report.Section{means}, nil
	}
	return []report.Section{means, correlations}, nil
}

// masked returns the released variables of numbers, then and now, whose values were
// masked or made.
func (d *Document) masked() []string {
	var names []string
	for _, column := range d.Data.Without(d.dropped()).Columns() {
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
