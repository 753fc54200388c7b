package profile

import (
	"context"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Group has statistics of a numeric variable in a group of records. With weights, means, medians and totals are
// estimates for the population.
type Group struct {
	Records             int // of the group
	Values              int // of these, records with a number
	Mean, Median, Total float64
}

// Groups has the statistics by two variables, now and originally: Now[i][j] and Before[i][j] are for row i and
// column j. Row and column 0 are all records; the last ones are records without a value, which may be none.
type Groups struct {
	Rows, Columns []string
	Now, Before   [][]Group
	// SameGroups reports that a variable has other categories than originally, so the original values are grouped
	// by the current categories.
	SameGroups bool
}

// Grouping specifies a numeric variable, now and originally, and one or two variables to group by, each now and
// originally; Across is optional. All columns have the same rows.
type Grouping struct {
	Of, Down, Across Versions
	Weights          []float64 // nil: 1 each
}

// Versions has the current and the original version of a variable.
type Versions struct{ Now, Before *microdata.Column }

// Known reports whether both versions exist.
func (v Versions) Known() bool { return v.Now != nil && v.Before != nil }

// NewGroups computes the statistics of all groups, in O(n log n) time. A numeric grouping variable with more than
// most distinct values is divided into round bins. It returns the error of ctx, if any.
func NewGroups(ctx context.Context, g Grouping, most int) (*Groups, error) {
	down, across := versionsAxis(ctx, g.Down, most), versionsAxis(ctx, g.Across, most)
	out := &Groups{Rows: append([]string{"all"}, down.labels...), Columns: append([]string{"all"}, across.labels...),
		SameGroups: down.same || across.same}
	var err error
	if out.Now, err = grouped(ctx, g.Of.Now, down.now, across.now, len(out.Rows), len(out.Columns),
		g.Weights); err != nil {
		return nil, err
	}
	out.Before, err = grouped(ctx, g.Of.Before, down.before, across.before, len(out.Rows), len(out.Columns), g.Weights)
	return out, err
}

// pairedAxis maps the values of a variable, now and originally, to groups from 1; 0 is none.
type pairedAxis struct {
	labels      []string
	now, before func(row int) int
	same        bool
}

func versionsAxis(ctx context.Context, v Versions, most int) pairedAxis {
	if !v.Known() {
		none := func(int) int { return 0 }
		return pairedAxis{now: none, before: none}
	}
	if v.Now.Numeric() && (v.Now.StoredAsNumbers() != nil || len(v.Now.Categories().Levels) > most) {
		return binnedVersions(ctx, v, most)
	}
	levels := v.Now.Categories().Levels
	places := make(map[string]int, len(levels))
	a := pairedAxis{}
	shown := min(len(levels), mostLabels)
	for i, level := range levels {
		if i < shown {
			a.labels = append(a.labels, level.Label)
		}
		places[level.Label] = i + 1
	}
	of := func(categories *microdata.Categories, place func(code uint32) int) func(int) int {
		last := shown + 1 // missing, and categories without a row
		return func(row int) int {
			if code := categories.Codes.At(row); code != 0 {
				if at := place(code); at <= shown {
					return at
				}
			}
			return last
		}
	}
	last := missingGroup
	if shown < len(levels) {
		last = restGroup
	}
	a.labels = append(a.labels, last)
	a.now = of(v.Now.Categories(), func(code uint32) int { return int(code) })
	became := make([]int, len(v.Before.Categories().Levels)+1)
	for i, level := range v.Before.Categories().Levels {
		if became[i+1] = places[level.Label]; became[i+1] == 0 {
			a.before, a.same = a.now, true // recoded: grouped by the current categories
			return a
		}
	}
	a.before = of(v.Before.Categories(), func(code uint32) int { return became[code] })
	return a
}

// Labels of the records without a value, and of these together with categories without a row.
const (
	missingGroup = "(missing)"
	restGroup    = "(others, missing)"
)

func binnedVersions(ctx context.Context, v Versions, most int) pairedAxis {
	least, highest := math.Inf(1), math.Inf(-1)
	for _, column := range []*microdata.Column{v.Now, v.Before} {
		each(ctx, column, func(_ int, x float64) {
			if !math.IsInf(x, 0) {
				least, highest = min(least, x), max(highest, x)
			}
		})
	}
	if least > highest {
		least, highest = 0, 0
	}
	bins := RoundBins(least, highest, most, v.Now.Kind() == microdata.Whole)
	a := pairedAxis{}
	for bin := range bins.Count {
		a.labels = append(a.labels, bins.Label(bin))
	}
	a.labels = append(a.labels, missingGroup)
	of := func(column *microdata.Column) func(int) int {
		return func(row int) int {
			if bin, ok := bins.Of(column.Float(row)); ok {
				return bin + 1
			}
			return bins.Count + 1
		}
	}
	a.now, a.before = of(v.Now), of(v.Before)
	return a
}

// grouped computes the statistics of a variable by row and column.
func grouped(ctx context.Context, column *microdata.Column, down, across func(row int) int, rows, columns int,
	weights []float64) ([][]Group, error) {
	out, values := make([][]Group, rows), make([][]weightedNumbers, rows)
	for i := range out {
		out[i], values[i] = make([]Group, columns), make([]weightedNumbers, columns)
	}
	var cells [][2]int // cells that a record counts in
	for row := range column.Len() {
		if parallel.Stopped(ctx, row) {
			return nil, ctx.Err()
		}
		w, n := float64(column.RecordsAt(row)), column.RecordsAt(row)
		if weights != nil {
			w = weights[row]
		}
		x := column.Float(row)
		i, j := down(row), across(row)
		cells = append(cells[:0], [2]int{0, 0})
		if i > 0 {
			cells = append(cells, [2]int{i, 0})
		}
		if j > 0 {
			cells = append(cells, [2]int{0, j})
		}
		if i > 0 && j > 0 {
			cells = append(cells, [2]int{i, j})
		}
		for _, at := range cells {
			out[at[0]][at[1]].Records += n
			if !math.IsNaN(x) && !math.IsInf(x, 0) {
				out[at[0]][at[1]].Values += n
				of := &values[at[0]][at[1]]
				of.x, of.w = append(of.x, x), append(of.w, w)
			}
		}
	}
	for i := range out {
		for j := range out[i] {
			out[i][j].figures(values[i][j])
		}
	}
	return out, ctx.Err()
}

// weightedNumbers has numbers with their weights.
type weightedNumbers struct{ x, w []float64 }

func (g *Group) figures(values weightedNumbers) {
	for i, x := range values.x {
		g.Total += float64(x * values.w[i])
	}
	g.Mean, g.Median = stat.WeightedMean(values.x, values.w), stat.WeightedQuantile(values.x, values.w, 0.5)
}
