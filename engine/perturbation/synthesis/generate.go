// Package synthesis replaces the values of numeric variables with those of a normal model of the data: new draws, or
// mixtures of draws and values.
//
//	m := synthesis.New()
//	m.Variables, m.Predictors = []string{"income", "savings"}, []string{"age", "educ"}
//	out, err := m.Apply(ctx, method.Input{Data: data, Scenario: &scenario, Seed: seed}, nil)
package synthesis

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// StepName is the name of the method in scripts.
const StepName = "generate"

// Kinds of models.
const (
	Normal = "normal"
	IPSO   = "ipso"
	Hybrid = "hybrid"
)

// Generate replaces the values of numeric variables with those of a model. A record with a missing value in one of
// the variables or predictors is left as it is and ignored. Each stratum has its own model. A constant variable
// stays as it is, and a linear combination of other variables and predictors remains one.
type Generate struct {
	Variables  []string
	Method     string
	Predictors []string  // variables that are not replaced: numeric, or categorical as dummy variables for all categories but the first
	Similarity []float64 // for Hybrid: one for all variables, or one for each
	Strata     []string
	numeric.Treatment
}

var _ method.Applier = (*Generate)(nil)

// New returns the method with its defaults: IPSO. The variables must be set.
func New() *Generate {
	return &Generate{Method: IPSO, Similarity: []float64{0.5}, Treatment: numeric.DefaultTreatment()}
}

// Spec describes generate for the catalog.
func Spec() method.Spec {
	return method.Spec{
		Name:  StepName,
		Title: "Synthetic values",
		Help: "Replaces the values X of numeric variables with synthetic values from a normal model. No original value " +
			"remains, but means, variances and covariances are kept. Only linear relations are kept: skewed " +
			"variables become less skewed, and amounts may become negative. Categories of predictors enter as 0/1 " +
			"indicators. V is the covariance matrix of X.\n" +
			"- normal: mean + e, with e drawn from N(0, V) for each record; this preserves the expected mean and " +
			"covariance.\n" +
			"- ipso: with the regression X = γ + Y β + r on the predictors Y, which do not change, X' = γ + Y β + e. " +
			"Here e is random, uncorrelated with Y, and has the covariance of r. Means, V and all covariances with Y " +
			"are kept exactly, so regressions on Y give the same coefficients and errors.\n" +
			"- hybrid keeps the same figures: X' = γ + Y β + r A + e, where A is diagonal with the similarities. e is " +
			"uncorrelated with Y and X and has the covariance of r minus that of r A.",
		Cite: "Burridge (2003), Statistics and Computing 13, 321-327; Muralidhar and Sarathy (2008), Transactions on Data Privacy 1, " +
			"17-33; Hundepool et al. (2012), section 3.8",
		Sample:  `{"variables":["income","expend"],"predictors":["age","educ"]}`,
		New:     func() method.Method { return New() },
		Version: 3,
		Former:  numeric.FormerDefaults(3),
		Draws:   method.Always,
		Sampled: true,
		Grades:  method.Of((*Generate).grades),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Generate) Params() []method.Param {
	return append([]method.Param{
		method.Variables(&m.Variables, "variables",
			"numeric variables to synthesise").Needed().Among(method.NumericVariables).Masked(),
		method.Choice(&m.Method, "method", "how values are generated", IPSO, Hybrid, Normal),
		method.Variables(&m.Predictors, "predictors",
			"ipso, hybrid: unchanged variables whose relations to the synthetic ones are kept").CountsIf(func() bool {
			return m.Method != Normal
		}),
		method.Numbers(&m.Similarity, "similarity",
			"hybrid: similarity from 0 (as ipso) to below 1 (close to the original), for all variables or for each").CountsIf(func() bool {
			return m.Method == Hybrid
		}),
		method.Variables(&m.Strata, "strata", "stratum variables: the method is applied separately to each combination of their categories"),
	}, m.Treatment.Params("10 records")...)
}

// grades returns grades of the similarity of hybrid values.
func (m *Generate) grades() method.Grades {
	if m.Method != Hybrid || len(m.Similarity) == 0 {
		return method.Grades{}
	}
	g := method.NewGrades("similarity", 0, 0.99, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.2, 0)
	g.Now = wording.Joined(m.Similarity, ", ", method.FormatNumber)
	return g
}

// Narrate states what the step did.
func (m *Generate) Narrate(*method.Report) string {
	text := fmt.Sprintf("Values of %s were drawn from a normal model of the data", strings.Join(m.Variables, ", "))
	if len(m.Predictors) > 0 && m.Method != Normal {
		text += " given " + strings.Join(m.Predictors, ", ")
	}
	return text + "."
}

func (m *Generate) title() string {
	text := "generate " + strings.Join(m.Variables, ", ") + ": " + m.Method
	if m.Method == Hybrid {
		text += ", similarity " + wording.Joined(m.Similarity, ", ", method.FormatNumber)
	}
	if len(m.Predictors) > 0 && m.Method != Normal {
		text += " given " + strings.Join(m.Predictors, ", ")
	}
	return method.ByStrata(text, m.Strata)
}

// Apply generates the values. An error that wraps method.ErrInput reports that there are too few records for the
// variables, or that similarities differ too much. The time is O(n q²) for n records of q variables, including
// predictors.
func (m *Generate) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (none method.Output, _ error) {
	if err := m.check(); err != nil {
		return none, err
	}
	var predictors numeric.Predictors
	if m.Method != Normal && len(m.Predictors) > 0 {
		var err error
		if predictors, err = numeric.NewPredictors(in, "predictors", m.Predictors); err != nil {
			return none, err
		}
	}
	table, err := numeric.New(ctx, in, numeric.Request{Param: "variables", Variables: m.Variables,
		Strata: m.Strata, Treatment: m.Treatment, Enough: func(variables, _ int) int {
			return numeric.LeastOr(2*variables + predictors.Width() + 2)
		}, Additional: predictors.Missing()})
	if err != nil {
		return none, err
	}
	defer table.Free()
	others, err := table.Explaining(predictors)
	if err != nil {
		return none, err
	}
	meter.Start(int64(len(table.Rows)))
	masked, err := m.make(ctx, table, others, table.Seed(in), meter)
	if err != nil {
		return none, err
	}
	out, err := table.Output(ctx, in, m.title(), masked, (*microdata.Column).SyntheticWith)
	if err != nil {
		return none, err
	}
	return out, table.AddDeviations(ctx, &out.Report, masked)
}

// check reports parameters that conflict.
func (m *Generate) check() error {
	for _, name := range m.Predictors {
		if slices.Contains(m.Variables, name) {
			return method.ParamError("\"predictors\": %q is one of the variables to synthesise", name)
		}
	}
	if m.Method != Hybrid {
		return nil
	}
	if n := len(m.Similarity); n != 1 && n != len(m.Variables) {
		return method.ParamError("\"similarity\" has %d numbers for %d variables: give one for all, or one for each",
			n, len(m.Variables))
	}
	for _, a := range m.Similarity {
		if !(a >= 0 && a < 1) || math.IsNaN(a) {
			return method.ParamError("\"similarity\": %v is not from 0 to below 1", a)
		}
	}
	return nil
}
