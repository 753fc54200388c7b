// Package propensity measures how well masked records can be distinguished from original ones by a logistic
// regression. The less they can be distinguished, the higher the utility of the masked data.
//
//	spec := propensity.Spec()
//	entry, err := spec.Compute(ctx, measure.Input{Original: was, Current: now}, spec.New(), nil)
//	fmt.Println(entry.Value("propensity", 0).Number)
package propensity

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Name is the name of the measure in scripts.
const Name = "propensity"

// Propensity is the propensity score measure. Weights are ignored.
type Propensity struct {
	Variables []string // nil: all key variables, including numeric ones
	Powers    int      // number of powers of numeric variables
}

// Spec describes the propensity score measure.
func Spec() measure.Spec {
	return measure.Spec{
		Name:    Name,
		Utility: true,
		Title:   "propensity score MSE",
		Help: "Estimates, by logistic regression on original and masked records, the probability p that a record is " +
			"masked. U is the mean of (p - 1/2)²: 0 if masked and original records " +
			"cannot be distinguished, 1/4 if every record can be classified correctly. Categories enter as " +
			"indicators, with missing as a category. Numeric values enter with their powers, and as 0 if they are " +
			"missing. Without higher powers, a change of spread alone, such as from noise, is not detected. Recoded " +
			"categories are always distinguished.",
		Cite:    "Woo, Reiter, Oganian and Karr (2009), Journal of Privacy and Confidentiality 1, 111-124",
		Section: "Propensity score MSE",
		Page:    measure.Page{Headline: []string{Name}, Meaning: measure.Telling("The score is %s: 0 if masked and original records cannot be distinguished, 0.25 if all can.", Name)},
		New:     func() measure.Measure { return New() }, Definitions: definitions,
	}
}

// New returns the measure with its defaults.
func New() *Propensity { return &Propensity{Powers: 1} }

// Params returns the parameters, bound to the fields of m.
func (m *Propensity) Params() []method.Param {
	return []method.Param{
		method.Variables(&m.Variables, "variables",
			"variables of the regression").Empty("all key variables, including numeric ones"),
		method.Number(&m.Powers, "powers", "highest power of numeric variables").Between(1, 3),
	}
}

func (m *Propensity) variables(in measure.Input) []string {
	if len(m.Variables) > 0 {
		return m.Variables
	}
	scenario := in.Current.Scenario
	names := slices.Clone(scenario.Keys)
	for _, name := range scenario.Numeric {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Needs returns which variables are missing, or "".
func (m *Propensity) Needs(in measure.Input) string {
	names := m.variables(in)
	if len(names) == 0 {
		return `there are no key variables; set the parameter "variables"`
	}
	return in.Lacking(names)
}

// mostTerms is the maximum number of terms of a regression.
const mostTerms = 1000

// Compute fits the regression, in O(n q^2) time per iteration for q terms.
func (m *Propensity) Compute(ctx context.Context, in measure.Input, meter *progress.Meter) (measure.Values, error) {
	d := newDesign(in, m.variables(in), m.Powers)
	switch {
	case d.records == 0:
		return measure.Values{Numbers: []measure.Value{number(math.NaN(), "no records")}, Notes: notes(0, 0)}, nil
	case len(d.terms) > mostTerms:
		none := fmt.Sprintf("the variables have %s, and the maximum is %s: merge categories first",
			wording.Counted(len(d.terms), "term"), wording.Number(mostTerms))
		return measure.Values{Numbers: []measure.Value{number(math.NaN(), none)}, Notes: notes(0, 0)}, nil
	}
	fit, err := d.fit(ctx, meter)
	if err != nil {
		return measure.Values{}, err
	}
	numbers := []measure.Value{number(fit.U, ""),
		{Name: "terms", Title: "terms of the regression", Number: float64(len(d.terms)), Unit: measure.Count},
		{Name: "rounds", Title: "iterations until convergence", Number: float64(fit.rounds), Unit: measure.Count}}
	table := measure.Table{Name: "coefficients", Title: "Variables that distinguish masked records",
		Columns: []string{"term", "coefficient"}}
	for j, term := range d.terms {
		table.Rows = append(table.Rows, []any{term, fit.coefficients[j]})
	}
	return measure.Values{Numbers: numbers, Tables: []measure.Table{table},
		Notes: notes(d.records, len(d.terms))}, ctx.Err()
}

func number(u float64, none string) measure.Value {
	return measure.Value{Name: Name, Title: "propensity score MSE (U)", Number: u, None: none, Better: measure.Lower}
}

var definitions = measure.Definitions{
	Name: {"How well a logistic regression distinguishes masked from original records: 0 not at all, 1/4 completely.",
		"mean over original and masked records of (p - 1/2)²"},
	"terms": {"Terms of the regression: the constant, each category except the first of a variable, and each power of a " +
		"numeric variable.",
		"number of terms"},
	"rounds": {"Iterations of Newton's method until the fit converged or all records were distinguished.", "number of iterations"},
}

// notes returns the size of the regression.
func notes(records, terms int) []string {
	return []string{"records of each of the two files: " + wording.Number(records), "terms: " + wording.Number(terms)}
}
