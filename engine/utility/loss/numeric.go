// Package loss measures information loss: how far the values, means, covariances and correlations of masked data,
// and the tables of categorical variables, deviate from the original.
//
//	spec := loss.Spec()
//	entry, err := spec.Compute(ctx, measure.Input{Original: was, Current: now}, spec.New(), nil)
//	fmt.Println(entry.Value("il1_per_cell", 0).Number)
package loss

import (
	"context"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// Name is the name of the measure of numeric variables in scripts.
const Name = "loss"

// Numeric is the measure of information loss of numeric variables. Weights are ignored.
type Numeric struct {
	Variables  []string // nil: the numeric key variables
	Categories []string // additional categorical variables for il_variables
}

// Spec describes the information loss of numeric variables.
func Spec() measure.Spec {
	return measure.Spec{
		Name:    Name,
		Utility: true,
		Title:   "information loss of numeric variables",
		Help: "Measures the information loss of masking.\n" +
			"- IL1, IL1s: the sum of the relative changes of all cells, and of the changes in units of standard deviation. " +
			"Both grow with the size of the file, so the values per cell are shown as well. IL1 excludes cells " +
			"whose original value is 0.\n" +
			"- SSE percent: 100 SSE/SST on standardised variables.\n" +
			"- information loss of eigenvalues and correlations: differences between the correlation matrices.\n" +
			"- information loss of variables: differences between the cells.\n" +
			"- mean square error, mean absolute error, mean variation: differences of values, means, covariances, " +
			"variances, correlations and principal components.\n" +
			"- IL: 100 times the mean of the mean variations of values, means, covariances and variances and the mean " +
			"absolute error of the correlations.",
		Cite: "Domingo-Ferrer and Torra (2001), Confidentiality, Disclosure and Data Access, 91-110; Mateo-Sanz, Domingo-Ferrer and Sebé (2005), Data Mining and " +
			"Knowledge Discovery 11, 181-193; Yancey, Winkler and Creecy (2002), Inference Control in Statistical Databases, 135-152; Młodak (2020), Privacy in Statistical Databases",
		Section: "Information loss",
		Columns: []measure.Column{{Name: "il1s", Title: "IL1s per cell"}},
		Page: measure.Page{Headline: []string{"il1s_per_cell", "mean_variation means", "mean_absolute_error correlations"},
			Meaning: meaning, Bars: measure.BarsOfTable("variables", "IL1s per cell"),
			Drawn: "IL1s per cell, by variable", Worst: "il1s"},
		New: func() measure.Measure { return &Numeric{} }, Definitions: definitions,
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Numeric) Params() []method.Param {
	return []method.Param{
		numeric.ChosenParam(&m.Variables, "the numeric variables"),
		method.Variables(&m.Categories, "categories",
			"categorical variables to include in \"information loss of variables\""),
	}
}

// Needs returns which variables are missing or not numeric, or "".
func (m *Numeric) Needs(in measure.Input) string {
	if reason := numeric.UnpairedIn(in, numeric.Chosen(in, m.Variables)); reason != "" {
		return reason
	}
	return in.Lacking(m.Categories)
}

// Compute compares the records in O(n p^2) time. Undefined figures, such as correlations of constant variables,
// are omitted with a reason.
func (m *Numeric) Compute(ctx context.Context, in measure.Input, meter *progress.Meter) (values measure.Values,
	_ error) {
	meter.Start(3)
	pairs, err := numeric.PairsIn(ctx, in, numeric.Chosen(in, m.Variables))
	if err != nil {
		return values, err
	}
	meter.Add(1)
	f := newFound(pairs)
	meter.Add(1)
	if f.variable, err = variableLoss(ctx, in, append(append([]string(nil), pairs.Names...),
		m.Categories...)); err != nil {
		return values, err
	}
	meter.Add(1)
	return measure.Values{Numbers: f.numbers(), Tables: f.tables(), Result: f, Notes: pairs.Notes(), Explain: explainParts,
		Records: []func(int) float64{f.ofRecord}}, ctx.Err()
}

// OfPairs returns the values of the measure for pairs, without the variable loss, in O(n p^2) time.
func OfPairs(p *numeric.Pairs) []measure.Value {
	f := newFound(p)
	f.variable.mean = math.NaN()
	return f.numbers()
}
