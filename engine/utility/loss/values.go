package loss

import (
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

const (
	noInverse  = "the correlation matrix has no inverse"
	noRelative = "all original values are 0"
)

// numbers returns the named values.
func (f *results) numbers() []measure.Value {
	n := len(f.pairs.Rows)
	total, correl, noCorrel := n*len(f.pairs.Names), "correlation loss", noInverse
	switch len(f.pairs.Names) {
	case 1:
		noCorrel = "needs two variables"
	case 2:
		correl = "correlation loss (0 for any two variables)"
	}
	lower := func(name, title string, x float64, none string) measure.Value {
		return measure.Value{Name: name, Title: title, Number: x, None: none, Better: measure.Lower}
	}
	numbers := []measure.Value{
		lower("il1_per_cell", "IL1 per cell, percent", f.cells.il1/float64(total-f.cells.zeros), noRelative),
		lower("il1", "IL1, sum", f.cells.il1, ""),
		lower("il1s_per_cell", "IL1s per cell", f.cells.il1s/float64(n*(len(f.pairs.Names)-f.cells.constants)),
			"all variables are constant"),
		lower("il1s", "IL1s, sum", f.cells.il1s, "all variables are constant"),
		{Name: "il1_zeros", Title: "cells with original value 0, excluded from IL1", Number: float64(f.cells.zeros),
			Unit: measure.Count, Of: total},
		lower("sse_percent", "100 SSE/SST", f.cells.sse, "all variables are constant"),
		lower("eigen", "difference of eigenvalues", f.eigen, noInverse),
		{Name: "il_correl", Title: correl, Number: f.correl, None: noCorrel, Unit: measure.Mean,
			Better: measure.Lower},
		{Name: "il_variables", Title: "variable loss", Number: f.variable.mean, Unit: measure.Mean, Better: measure.Lower},
		lower("il", "IL, percent", f.total(), "a component is not defined"),
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
	numbers[2].Unit = measure.CellLoss
	return append(numbers, measure.Value{Name: "records", Title: "records compared", Number: float64(n),
		Unit: measure.Count, Of: n + f.pairs.Incomplete})
}

// tables compares the moments of the variables and their correlations side by side.
func (f *results) tables() []measure.Table {
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
			"excluded because the original is 0"}}
	for _, s := range f.compared {
		statistics.Rows = append(statistics.Rows, []any{s.title, s.square, s.absolute, s.variation, s.zeros})
	}
	if len(pairs.Rows) == 0 {
		return []measure.Table{moments, statistics}
	}
	return []measure.Table{moments, pairs, statistics}
}

// definitions define the figures by name.
var definitions = measure.Definitions{
	"il1": {"Sum of the relative changes of all cells, in percent of the original value. It grows with the file; use the " +
		"value per cell for comparisons.", "100 sum |x - x'| / |x|, without cells where x = 0"},
	"il1_per_cell": {"Mean relative change of a cell, in percent of its original value. A few small values can dominate it.", "IL1 / number of cells with x not 0"},
	"il1s": {"Sum of the changes of all cells, in standard deviations of their variable times the square root of 2. It " +
		"grows with the file.", "sum |x - x'| / (sqrt(2) sd_j)"},
	"il1s_per_cell": {"Mean change of a cell, in standard deviations times the square root of 2.",
		"IL1s / number of cells"},
	"il1_zeros": {"Cells whose original value is 0, for which a relative change is not defined.",
		"number of cells with x = 0"},
	"sse_percent": {"Share of the variation that masking removed, on standardised variables.",
		"100 sum (x - x')^2 / var_j over sum (x - mean_j)^2 / var_j"},
	"eigen": {"Difference of the eigenvalues of the correlation matrix: it shows whether masking preserved the main " +
		"directions of the data.", "sum |e - e'| / e over the eigenvalues, descending"},
	"il_correl": {"Difference of the relations between variables, from 0 to 1, based on the diagonals of the inverse " +
		"correlation matrices, each divided by its length. For two variables the diagonals are always equal and the " +
		"loss is 0; use the mean absolute error of the correlations instead.", "|a - b| / sqrt(2), a and b the diagonals of R^-1 and R'^-1 divided by their length"},
	"il_variables": {"Difference of the cells, from 0 to 1. A cell that is missing either now or in the original, but not both, " +
		"counts 1. The loss depends on the unit of a variable: if all changes are far above 1, it is close to 1.", "mean of 2/pi atan |x - x'| over records and variables; rank difference / (categories - 1), or 0 and 1, for categories"},
	"il": {"The information loss of Domingo-Ferrer and Torra: the mean of the mean variations of values, means, " +
		"covariances and variances, and of the mean absolute error of the correlations.", "100 (mv(X) + mv(means) + mv(V) + mv(variances) + mae(R)) / 5; of one variable mae(R) is 0"},
	"mean_square_error":   {"Mean of the squared differences between a statistic of the masked data and of the original.", "mean of (a - a')^2"},
	"mean_absolute_error": {"Mean of the absolute differences between a statistic of the masked data and of the original.", "mean of |a - a'|"},
	"mean_variation": {"Mean of the differences relative to the original statistic. Entries whose original is 0 are excluded and " +
		"counted in the table.", "mean of |a - a'| / |a|"},
	"records": {"Compared records: those with a value in every variable, originally and now.",
		"number of records"},
}

// ofRecord returns IL1s per cell of a record, or NaN if it is not compared.
func (f *results) ofRecord(record int) float64 {
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

// meaning returns a sentence on what the figures mean.
func meaning(v *measure.Values) string {
	cell, means := v.Find("il1s_per_cell", ""), v.Find("mean_variation", "means")
	if cell == nil || means == nil {
		return ""
	}
	text := fmt.Sprintf("On average, values differ from the original by %.3f standard deviations of their variable and means by %s",
		math.Sqrt2*cell.Number, wording.Percent(means.Number))
	if r := v.Find("mean_absolute_error", "correlations"); r != nil {
		text += fmt.Sprintf(", correlations by %.3f", r.Number)
	}
	return text + "."
}

// components explains the figures of principal components.
const components = "For principal components, column j is weighted by its share of the variance and sums are divided by p²; " +
	"communalities are those of the first component."

// explainParts adds how figures of components are computed.
func explainParts(e *measure.Explanation, what *measure.FigureKey) {
	switch what.Value.Part {
	case "factors", "scores", "communalities":
		e.Values = append(e.Values, components)
	}
}
