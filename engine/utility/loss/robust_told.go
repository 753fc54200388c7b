package loss

import (
	"math"

	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// statisticNames are the statistics of each variable, in their order.
var statisticNames = [places][2]string{median: {"medians", "medians"}, trimmedMean: {"trimmed_means", "trimmed means"},
	oneStep: {"one_step_means", "one-step means"}, deviation: {"mads", "median absolute deviations"}}

// numbers names what was found.
func (f *robust) numbers() (numbers []measure.Value) {
	was, now := &f.sides[0], &f.sides[1]
	add := func(name, title string, x float64, none string) {
		numbers = append(numbers, measure.Value{Name: name, Title: title, Number: x, None: none, Better: measure.Lower})
	}
	for place, names := range statisticNames {
		add(names[0], names[1]+" off by, percent", percentOff(was.places[place], now.places[place]), noRelative)
	}
	const one, plane = "there is one variable", "half of the records lie on a plane, or are too few"
	none := plane
	if len(f.pairs.Names) < 2 {
		none = one
	}
	add("spearman", "rank correlations off by", apart(was.spearman, now.spearman), none)
	add("robust_correlations", "robust correlations off by", apart(was.mcd, now.mcd), none)
	eigen := math.NaN()
	if was.eigen != nil && now.eigen != nil && was.eigen[len(was.eigen)-1] >= singular {
		eigen = 0
		for j, e := range was.eigen {
			eigen += math.Abs(e-now.eigen[j]) / e
		}
	}
	add("robust_eigen", "difference of robust eigenvalues", eigen, none)
	if none == plane {
		none = "a variable follows from others, or records are too few"
	}
	add("least_squares", "regression by least squares off by, percent", percentOff(was.least, now.least), none)
	add("least_trimmed_squares", "regression by least trimmed squares off by, percent", percentOff(was.trimmed, now.trimmed),
		none)
	return append(numbers, measure.Value{Name: "records", Title: "records compared", Number: float64(len(f.pairs.Rows)),
		Unit: measure.Count, Of: len(f.pairs.Rows) + f.pairs.Incomplete})
}

// percentOff is the mean of the absolute differences in percent of the original figures, without those
// that are 0; NaN where there are none.
func percentOff(was, now []float64) float64 {
	sum, count := 0.0, 0
	for j := range min(len(was), len(now)) {
		if was[j] != 0 {
			sum += math.Abs(now[j]-was[j]) / math.Abs(was[j])
			count++
		}
	}
	return 100 * sum / float64(count)
}

// apart is the mean absolute difference of correlations; NaN where a version has none.
func apart(was, now [][]float64) float64 {
	sum, count := 0.0, 0
	for i := range min(len(was), len(now)) {
		for j := range i {
			sum += math.Abs(was[i][j] - now[i][j])
			count++
		}
	}
	return sum / float64(count)
}

// tables lays the statistics of the variables, and the coefficients, side by side.
func (f *robust) tables() []measure.Table {
	was, now := &f.sides[0], &f.sides[1]
	variables := measure.Table{Name: "robust", Title: "Robust statistics, now and original", Columns: []string{"variable",
		"median", "original", "trimmed mean", "original", "one-step mean", "original", "deviation", "original"}}
	for j, name := range f.pairs.Names {
		row := []any{name}
		for place := range places {
			row = append(row, now.places[place][j], was.places[place][j])
		}
		variables.Rows = append(variables.Rows, row)
	}
	if len(f.pairs.Names) < 2 {
		return []measure.Table{variables}
	}
	coefficients := measure.Table{Name: "coefficients", Title: "Regression of " + f.pairs.Names[f.response],
		Columns: []string{"coefficient", "least squares", "original", "least trimmed squares", "original"}}
	names := []string{"constant"}
	for j, name := range f.pairs.Names {
		if j != f.response {
			names = append(names, name)
		}
	}
	at := func(coefficients []float64, j int) float64 {
		if coefficients == nil {
			return math.NaN()
		}
		return coefficients[j]
	}
	for j, name := range names {
		coefficients.Rows = append(coefficients.Rows, []any{name, at(now.least, j), at(was.least, j), at(now.trimmed, j),
			at(was.trimmed, j)})
	}
	return []measure.Table{variables, coefficients}
}

const inPercent = "100 mean |a - a'| / |a|, without a = 0"

// robustDefinitions are what the figures mean and how they are computed, by name.
var robustDefinitions = measure.Definitions{
	"medians":               {"By how many percent the medians of the variables are off, on average.", inPercent},
	"trimmed_means":         {"By how many percent the means without the lowest and highest values are off, on average.", inPercent},
	"one_step_means":        {"By how many percent the means are off where values beyond three median deviations from the median count as if they lay there.", inPercent},
	"mads":                  {"By how many percent the median absolute deviations from the median are off, on average.", inPercent},
	"spearman":              {"How far the correlations of the ranks are off, on average: relations that need not be straight lines.", "mean |r - r'| over the pairs of variables"},
	"robust_correlations":   {"How far the correlations of the bulk of the records are off, on average: of those that the minimum covariance determinant keeps.", "mean |r - r'| over the pairs of variables"},
	"robust_eigen":          {"How far the eigenvalues of the robust correlations are off: whether the main directions of the bulk of the records are kept.", "sum |e - e'| / e over the eigenvalues, descending"},
	"least_squares":         {"By how many percent the coefficients of the regression by least squares are off, on average.", inPercent},
	"least_trimmed_squares": {"By how many percent the coefficients of the regression by least trimmed squares, in which outliers have no part, are off, on average.", inPercent},
	"records": {"Records that are compared: all that have a value in each of the variables, then and now.",
		"number of records"},
}
