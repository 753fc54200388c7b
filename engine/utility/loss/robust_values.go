package loss

import (
	"math"

	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// statisticNames are the names of the statistics in order.
var statisticNames = [places][2]string{median: {"medians", "medians"}, trimmedMean: {"trimmed_means", "trimmed means"},
	oneStep: {"one_step_means", "one-step means"}, deviation: {"mads", "median absolute deviations"}}

// numbers returns the named values.
func (f *robust) numbers() (numbers []measure.Value) {
	was, now := &f.sides[0], &f.sides[1]
	add := func(name, title string, x float64, none string) {
		numbers = append(numbers, measure.Value{Name: name, Title: title, Number: x, None: none, Better: measure.Lower})
	}
	for place, names := range statisticNames {
		add(names[0], names[1]+" difference, percent", percentOff(was.places[place], now.places[place]), noRelative)
	}
	const one, plane = "only one variable", "half of the records lie on a plane, or there are too few records"
	none := plane
	if len(f.pairs.Names) < 2 {
		none = one
	}
	add("spearman", "difference of rank correlations", apart(was.spearman, now.spearman), none)
	add("robust_correlations", "difference of robust correlations", apart(was.mcd, now.mcd), none)
	eigen := math.NaN()
	if was.eigen != nil && now.eigen != nil && was.eigen[len(was.eigen)-1] >= singular {
		eigen = 0
		for j, e := range was.eigen {
			eigen += math.Abs(e-now.eigen[j]) / e
		}
	}
	add("robust_eigen", "difference of robust eigenvalues", eigen, none)
	if none == plane {
		none = "a variable is determined by others, or there are too few records"
	}
	add("least_squares", "difference of least-squares coefficients, percent", percentOff(was.least, now.least), none)
	add("least_trimmed_squares", "difference of least-trimmed-squares coefficients, percent", percentOff(was.trimmed, now.trimmed),
		none)
	return append(numbers, measure.Value{Name: "records", Title: "records compared", Number: float64(len(f.pairs.Rows)),
		Unit: measure.Count, Of: len(f.pairs.Rows) + f.pairs.Incomplete})
}

// percentOff returns the mean of the absolute differences in percent of the original figures, ignoring those that
// are 0. It is NaN if there are none.
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

// apart returns the mean absolute difference of correlations, or NaN if a version has none.
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

// tables compares the statistics of the variables, and the coefficients, side by side.
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

// robustDefinitions define the figures by name.
var robustDefinitions = measure.Definitions{
	"medians":       {"Mean difference of the medians from the original, in percent.", inPercent},
	"trimmed_means": {"Mean difference of the trimmed means from the original, in percent.", inPercent},
	"one_step_means": {"Mean difference of the one-step means from the original, in percent. Values more than three median " +
		"absolute deviations from the median are moved to that distance.", inPercent},
	"mads":                {"Mean difference of the median absolute deviations from the original, in percent.", inPercent},
	"spearman":            {"Mean absolute difference of the rank correlations, which need not be linear.", "mean |r - r'| over the pairs of variables"},
	"robust_correlations": {"Mean absolute difference of the correlations of the records that the minimum covariance determinant selects.", "mean |r - r'| over the pairs of variables"},
	"robust_eigen": {"Difference of the eigenvalues of the robust correlations: it shows whether masking preserved the main " +
		"directions of most records.", "sum |e - e'| / e over the eigenvalues, descending"},
	"least_squares": {"Mean difference of the least-squares coefficients from the original, in percent.", inPercent},
	"least_trimmed_squares": {"Mean difference of the least-trimmed-squares coefficients, which outliers do not influence, from the " +
		"original, in percent.", inPercent},
	"records": {"Compared records: those with a value in every variable, originally and now.",
		"number of records"},
}
