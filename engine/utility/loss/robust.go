package loss

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// Robust is the measure of information loss by statistics that outliers do not dominate. Weights are ignored.
type Robust struct {
	Variables []string // nil: the numeric key variables
	Trim      float64  // share of the values excluded from the trimmed mean at each end
	Response  string   // response variable of the regression, or "" for the first
}

// RobustSpec describes the robust information loss.
func RobustSpec() measure.Spec {
	return measure.Spec{
		Name:    "robustloss",
		Utility: true,
		Title:   "robust information loss",
		Help: "Measures the information loss of masking by figures that outliers do not dominate. Figures are " +
			"percentages of the original; for correlations, mean absolute differences.\n" +
			"- location and spread: medians, trimmed means, one-step means (values clipped at three median absolute " +
			"deviations, MAD, from the median) and MAD.\n" +
			"- correlations: of ranks, and of the records that the minimum covariance determinant selects, with their " +
			"eigenvalues.\n" +
			"- regression: of one variable on the others, by least squares and least trimmed squares.\n" +
			"If masking changes only outliers, the robust figures hardly change, but the least-squares figures do.",
		Cite: "Templ and Meindl (2008), Privacy in Statistical Databases, 177-189; Rousseeuw and Van Driessen (1999), Technometrics 41, " +
			"212-223, and (2006), Data Mining and Knowledge Discovery 12, 29-45",
		Page: measure.Page{Headline: []string{"medians", "robust_correlations", "least_trimmed_squares"}, Meaning: measure.Telling(
			"Medians differ from the original by %s percent on average. Outliers have no influence on this figure or the "+
				"others.", "medians")},
		New: func() measure.Measure { return &Robust{Trim: 0.1} }, Definitions: robustDefinitions,
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Robust) Params() []method.Param {
	return []method.Param{
		numeric.ChosenParam(&m.Variables, "the numeric variables"),
		method.Number(&m.Trim, "trim", "share of values trimmed at each end").Between(0, 0.5),
		method.Text(&m.Response, "response", "dependent variable of the regression").Empty("the first"),
	}
}

// Needs returns which variables are missing or not numeric, or "".
func (m *Robust) Needs(in measure.Input) string {
	names := numeric.Chosen(in, m.Variables)
	if reason := numeric.UnpairedIn(in, names); reason != "" {
		return reason
	}
	if m.Response != "" && !slices.Contains(names, m.Response) {
		return m.Response + " is not among the variables"
	}
	return ""
}

// Compute compares the records in O(n log n) time. Statistics that a version of the data does not have, such as a
// robust correlation if half of the records lie on a plane, are omitted with a reason.
func (m *Robust) Compute(ctx context.Context, in measure.Input, meter *progress.Meter) (out measure.Values, _ error) {
	pairs, err := numeric.PairsIn(ctx, in, numeric.Chosen(in, m.Variables))
	if err != nil {
		return out, err
	}
	response := max(0, slices.Index(pairs.Names, m.Response))
	meter.Start(2)
	f := &robust{pairs: pairs, response: response}
	for i, values := range [][][]float64{pairs.Original, pairs.Current} {
		if f.sides[i], err = newRobustSide(ctx, values, m.Trim, response); err != nil {
			return out, err
		}
		meter.Add(1)
	}
	return measure.Values{Numbers: f.numbers(), Tables: f.tables(), Notes: pairs.Notes()}, ctx.Err()
}

// robust is the result of the measure: originally and now.
type robust struct {
	pairs    *numeric.Pairs
	response int
	sides    [2]robustSide
}

// robustSide has the statistics of one version of the data. Those that do not exist are nil.
type robustSide struct {
	places         [places][]float64 // by statistic and variable
	spearman, mcd  stat.Matrix       // correlation matrices
	eigen          []float64         // of mcd
	least, trimmed []float64         // intercept and slopes
}

// Statistics of each variable.
const (
	median = iota
	trimmedMean
	oneStep
	deviation
	places
)

func newRobustSide(ctx context.Context, variables [][]float64, trim float64, response int) (s robustSide, err error) {
	var ranks [][]float64
	for _, values := range variables {
		for place, x := range placesOf(values, trim) {
			s.places[place] = append(s.places[place], x)
		}
		ranks = append(ranks, stat.Ranks(values))
	}
	if len(variables) < 2 || len(variables[0]) < 2 {
		return s, ctx.Err()
	}
	s.spearman = stat.Correlation(ranks)
	mcd, err := stat.NewMCD(ctx, variables)
	if err == nil {
		s.mcd = correlationsOf(mcd.Covariance)
		s.eigen, _ = s.mcd.Eigen()
	} else if !errors.Is(err, stat.ErrSingular) {
		return s, err
	}
	y, x := variables[response], slices.Delete(slices.Clone(variables), response, response+1)
	if fit, err := stat.LeastSquares(y, x); err == nil {
		s.least = append([]float64{fit.Intercept}, fit.Slopes...)
	}
	fit, err := stat.LeastTrimmedSquares(ctx, y, x)
	if err == nil {
		s.trimmed = append([]float64{fit.Intercept}, fit.Slopes...)
	} else if !errors.Is(err, stat.ErrSingular) {
		return s, err
	}
	return s, ctx.Err()
}

// placesOf returns the statistics of a variable, or NaN without values.
func placesOf(values []float64, trim float64) (of [places]float64) {
	n := len(values)
	if n == 0 {
		nan := math.NaN()
		return [places]float64{nan, nan, nan, nan}
	}
	sorted := slices.Sorted(slices.Values(values))
	of[median], of[deviation] = stat.Median(values), stat.MAD(values)
	cut := min(int(trim*float64(n)), (n-1)/2)
	of[trimmedMean] = stat.Mean(sorted[cut : n-cut])
	reach := 3 * of[deviation] / stat.ConsistencyMAD
	for i, x := range sorted {
		sorted[i] = max(of[median]-reach, min(x, of[median]+reach))
	}
	of[oneStep] = stat.Mean(sorted)
	return of
}

// correlationsOf returns the correlation matrix of a covariance matrix with a positive diagonal.
func correlationsOf(covariance stat.Matrix) stat.Matrix {
	out := stat.NewMatrix(len(covariance), len(covariance))
	for i := range out {
		for j := range out {
			out[i][j] = covariance[i][j] / math.Sqrt(covariance[i][i]) / math.Sqrt(covariance[j][j])
		}
		out[i][i] = 1
	}
	return out
}
