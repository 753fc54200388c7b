package loss

import (
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

const (
	noInverse  = "the correlation matrix has no inverse"
	noRelative = "all original values are 0"
)

// numbers names what was found.
func (f *found) numbers() []measure.Value {
	n := len(f.pairs.Rows)
	total, correl, noCorrel := n*len(f.pairs.Names), "correlation loss", noInverse
	switch len(f.pairs.Names) {
	case 1:
		noCorrel = "needs two variables"
	case 2:
		correl = "correlation loss, 0 for any two variables"
	}
	lower := func(name, title string, x float64, none string) measure.Value {
		return measure.Value{Name: name, Title: title, Number: x, None: none, Better: measure.Lower}
	}
	numbers := []measure.Value{
		lower("il1_per_cell", "IL1 per cell, percent", f.cells.il1/float64(total-f.cells.zeros), noRelative),
		lower("il1", "IL1, the sum", f.cells.il1, ""),
		lower("il1s_per_cell", "IL1s per cell", f.cells.il1s/float64(n*(len(f.pairs.Names)-f.cells.constants)),
			"all variables are constant"),
		lower("il1s", "IL1s, the sum", f.cells.il1s, "all variables are constant"),
		{Name: "il1_zeros", Title: "cells with the original 0, left out of IL1", Number: float64(f.cells.zeros),
			Unit: measure.Count, Of: total},
		lower("sse_percent", "100 SSE/SST", f.cells.sse, "all variables are constant"),
		lower("eigen", "difference of eigenvalues", f.eigen, noInverse),
		{Name: "il_correl", Title: correl, Number: f.correl, None: noCorrel, Unit: measure.Mean,
			Better: measure.Lower},
		{Name: "il_variables", Title: "variable loss", Number: f.variable.mean, Unit: measure.Mean, Better: measure.Lower},
		lower("il", "IL, percent", f.total(), "a part of it is not defined"),
	}
	for _, group := range []struct {
		name, title string
		of          func(s *statistic) float64
	}{{"mean_square_error", "mean square error: ", func(s *statistic) float64 { return s.square }},
		{"mean_absolute_error", "mean absolute error: ", func(s *statistic) float64 { return s.absolute }},
		{"mean_variation", "mean variation: ", func(s *statistic) float64 { return s.variation }}} {
		for i := range f.compared {
			v := lower(group.name, group.title+f.compared[i].title, group.of(&f.compared[i]), "")
			v.Part = f.compared[i].name
			numbers = append(numbers, v)
		}
	}
	return append(numbers, measure.Value{Name: "records", Title: "records compared", Number: float64(n),
		Unit: measure.Count, Of: n + f.pairs.Incomplete})
}

// tables lays the moments of the variables and their correlations side by side.
func (f *found) tables() []measure.Table {
	moments := measure.Table{Name: "variables", Title: "Variables, now and original",
		Columns: []string{"variable", "mean", "original", "sd", "original", "25 %", "original",
			"median", "original", "75 %", "original", "IL1 per cell", "IL1s per cell", "variable loss",
			"correlation with the original"}}
	pairs := measure.Table{Name: "correlations", Title: "Correlations and covariances",
		Columns: []string{"variable", "with", "correlation", "original", "difference", "covariance", "original"}}
	for j, name := range f.pairs.Names {
		x, m := f.pairs.Original[j], f.pairs.Current[j]
		row := []any{name, f.m.means[j], f.x.means[j], math.Sqrt(f.m.covariance[j][j]), math.Sqrt(f.x.covariance[j][j])}
		for _, p := range []float64{0.25, 0.5, 0.75} {
			row = append(row, stat.Quantile(m, p), stat.Quantile(x, p))
		}
		of := f.cells.of[j]
		moments.Rows = append(moments.Rows, append(row, of.il1, of.il1s, f.variable.of[j], of.correlation))
		for k := range j {
			a, b := f.m.correlation[k][j], f.x.correlation[k][j]
			pairs.Rows = append(pairs.Rows, []any{f.pairs.Names[k], name, a, b, a - b, f.m.covariance[k][j],
				f.x.covariance[k][j]})
		}
	}
	statistics := measure.Table{Name: "statistics", Title: "Statistics compared",
		Columns: []string{"statistic", "mean square error", "mean absolute error", "mean variation",
			"left out for an original 0"}}
	for _, s := range f.compared {
		statistics.Rows = append(statistics.Rows, []any{s.title, s.square, s.absolute, s.variation, s.zeros})
	}
	if len(pairs.Rows) == 0 {
		return []measure.Table{moments, statistics}
	}
	return []measure.Table{moments, pairs, statistics}
}

// definitions are what the figures mean and how they are computed, by name.
var definitions = measure.Definitions{
	"il1":          {"The sum of the relative changes of all cells, in percent of the original value. It grows with the file: the form per cell can be compared.", "100 sum |x - x'| / |x|, without cells where x = 0"},
	"il1_per_cell": {"By how many percent of its original value a cell is off, on average. A few small values can dominate it.", "IL1 / number of cells with x not 0"},
	"il1s":         {"The sum of the changes of all cells, in standard deviations of their variable times the root of 2. It grows with the file.", "sum |x - x'| / (sqrt(2) sd_j)"},
	"il1s_per_cell": {"By how many standard deviations, times the root of 2, a cell is off, on average.",
		"IL1s / number of cells"},
	"il1_zeros": {"Cells whose original value is 0: a relative change has no meaning there.",
		"number of cells with x = 0"},
	"sse_percent": {"The share of the variation that masking took away, on standardised variables.",
		"100 sum (x - x')^2 / var_j over sum (x - mean_j)^2 / var_j"},
	"eigen":               {"How far the eigenvalues of the correlation matrix are off: whether the main directions of the data are kept.", "sum |e - e'| / e over the eigenvalues, descending"},
	"il_correl":           {"How far the relations between variables are off, from 0 to 1: by the diagonals of the inverse correlation matrices, each divided by its length. For two variables both diagonals are equal whatever the correlation, so the loss is 0: look at the mean absolute error of the correlations instead.", "|a - b| / sqrt(2), a and b the diagonals of R^-1 and R'^-1 divided by their length"},
	"il_variables":        {"How far cells are off, from 0 to 1. A cell that is missing now or before, not both, counts 1. It depends on the unit of a variable: where all changes are far above 1 it is near 1.", "mean of 2/pi atan |x - x'| over records and variables; rank difference / (levels - 1), or 0 and 1, for categories"},
	"il":                  {"The information loss of Domingo-Ferrer and Torra: the mean of the mean variations of numbers, means, covariances and variances, and of the mean absolute error of the correlations.", "100 (mv(X) + mv(means) + mv(V) + mv(variances) + mae(R)) / 5; of one variable mae(R) is 0"},
	"mean_square_error":   {"The mean of the squared differences between a statistic of the masked data and that of the original.", "mean of (a - a')^2"},
	"mean_absolute_error": {"The mean of the absolute differences between a statistic of the masked data and that of the original.", "mean of |a - a'|"},
	"mean_variation":      {"The mean of the differences relative to the original statistic; entries with the original 0 are left out and counted in the table.", "mean of |a - a'| / |a|"},
	"records": {"Records that are compared: all that have a value in each of the variables, then and now.",
		"number of records"},
}

// ofRecord returns IL1s per cell of a record; NaN of one that is not compared.
func (f *found) ofRecord(record int) float64 {
	i, ok := slices.BinarySearch(f.pairs.Rows, uint32(record))
	if !ok {
		return math.NaN()
	}
	sum, varying := 0.0, 0
	for j, original := range f.pairs.Original {
		if variance := f.x.covariance[j][j]; variance > 0 {
			sum += math.Abs(original[i]-f.pairs.Current[j][i]) / math.Sqrt(2*variance)
			varying++
		}
	}
	return sum / float64(varying)
}

// meaning says what the figures mean.
func meaning(v *measure.Values) string {
	cell, means := v.Find("il1s_per_cell", ""), v.Find("mean_variation", "means")
	if cell == nil || means == nil {
		return ""
	}
	text := fmt.Sprintf("A value is off by %.3f standard deviations of its variable on average, a mean by %.3f %%",
		math.Sqrt2*cell.Number, 100*means.Number)
	if r := v.Find("mean_absolute_error", "correlations"); r != nil {
		text += fmt.Sprintf(", a correlation by %.3f", r.Number)
	}
	return text + "."
}

// components says how principal components enter.
const components = "Of principal components, column j counts by its share of the variance and sums are divided by p²; communalities are those of the first component."

// explainParts says how figures of components count.
func explainParts(e *measure.Explanation, what *measure.What) {
	switch what.Value.Part {
	case "factors", "scores", "communalities":
		e.Values = append(e.Values, components)
	}
}
