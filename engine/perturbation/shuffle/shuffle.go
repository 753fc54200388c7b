// Package shuffle replaces the values of confidential numeric variables with those of other records, in an order
// drawn conditionally on non-confidential variables. The values of each variable are preserved, and approximately
// the relations between variables.
//
//	m := shuffle.New()
//	m.Responses, m.Predictors = []string{"income", "savings"}, []string{"expend", "age"}
//	out, err := m.Apply(ctx, method.Input{Data: data, Scenario: &scenario, Seed: seed}, nil)
package shuffle

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// StepName is the name of the method in scripts.
const StepName = "shuffle"

// Ways to draw the order.
const (
	DataShuffling = "ds"
	Normal        = "mvn"
	Linear        = "mlm"
	Additive      = "gadp"
)

// Shuffle reorders the values of each response according to a draw conditional on the predictors. A record with a
// missing value in one of the responses or predictors is left as it is and ignored.
type Shuffle struct {
	Responses  []string
	Predictors []string // numeric variables, or categorical ones as dummy variables for all categories but the first
	Method     string
	Estimates
	numeric.Treatment
}

var _ method.Applier = (*Shuffle)(nil)

// New returns the method with its default ds. Responses and predictors must be set.
func New() *Shuffle {
	return &Shuffle{Method: DataShuffling, Estimates: Estimates{Correlation: Default, Regression: LeastSquares},
		Treatment: numeric.DefaultTreatment()}
}

// Spec describes shuffle for the catalog.
func Spec() method.Spec {
	return method.Spec{
		Name:  StepName,
		Title: "Shuffling",
		Help: "Draws new values of confidential variables (responses) given other variables (predictors), and arranges " +
			"the original values in the order of the draw. Every value stays in the file, but in another record, and " +
			"rank correlations are approximately kept. Categories of predictors enter as 0/1 indicators.\n" +
			"- ds: ranks, with ties averaged, become normal scores Φ⁻¹((rank - 1/2) / n). With rank correlations ρ, " +
			"the correlations of the scores are 2 sin(π ρ / 6). Responses are drawn from the conditional normal " +
			"distribution given the scores of the predictors.\n" +
			"- mvn draws in the same way from the normal distribution with the means and covariances of the values.\n" +
			"- mlm uses the linear prediction of each response instead of a draw.\n" +
			"- gadp does not shuffle. It replaces the values with their prediction plus noise that is uncorrelated with " +
			"responses and predictors and has the residual covariance. With regression ls and without weights, it " +
			"keeps means and covariances exactly.",
		Cite: "Muralidhar and Sarathy (2006), Management Science 52, 658-670; Muralidhar, Parsa and Sarathy (1999), Management Science 45, " +
			"1399-1415; Yohai (1987), Annals of Statistics 15, 642-656; Templ (2017), section 4.3.4",
		Sample:  `{"responses":["income","savings"],"predictors":["expend","sex","educ"]}`,
		New:     func() method.Method { return New() },
		Version: 2,
		Former:  numeric.FormerDefaults(2),
		Draws:   method.Always,
		Sampled: true,
		Propose: method.With((*Shuffle).propose),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Shuffle) Params() []method.Param {
	return slices.Concat([]method.Param{
		method.Variables(&m.Responses, "responses",
			"confidential numeric variables to shuffle").Needed().Among(method.NumericVariables).Masked(),
		method.Variables(&m.Predictors, "predictors", "non-confidential variables, numeric or categorical").Needed(),
		method.Choice(&m.Method, "method", "how the order is drawn", DataShuffling, Normal, Linear, Additive),
	}, m.Estimates.params(), m.Treatment.Params("10 records"))
}

// Narrate states what the step did.
func (m *Shuffle) Narrate(*method.Report) string {
	if m.Method == Additive {
		return fmt.Sprintf("Values of %s were replaced by predictions from %s with random noise.", strings.Join(m.Responses, ", "),
			strings.Join(m.Predictors, ", "))
	}
	return fmt.Sprintf("Values of %s were shuffled between records, in an order drawn given %s.",
		strings.Join(m.Responses, ", "), strings.Join(m.Predictors, ", "))
}

// Apply shuffles the values. An error that wraps method.ErrInput reports too few records for the variables. The
// time is O(n log n) for n records.
func (m *Shuffle) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (none method.Output, _ error) {
	predictors, err := numeric.NewPredictors(in, "predictors", m.Predictors)
	if err == nil {
		err = m.check()
	}
	if err != nil {
		return none, err
	}
	table, err := numeric.New(ctx, in, m.request(predictors))
	if err != nil {
		return none, err
	}
	defer table.Free()
	others, err := table.Explaining(predictors)
	if err != nil {
		return none, err
	}
	weights, err := m.weights(in, table)
	if err != nil {
		return none, err
	}
	meter.Start(int64(len(table.Rows)) * int64(len(table.Columns)))
	masked := table.Copy()
	var warnings []string
	for _, stratum := range table.Strata {
		s := &model{Estimates: &m.Estimates, x: table.Of(stratum), s: others.In(stratum), of: stratum.Label}
		if weights != nil {
			s.weights = stat.Picked([][]float64{weights}, stratum.Records)[0]
		}
		description, err := m.shuffle(ctx, table, stratum, s, table.Seed(in), masked)
		if err != nil {
			return none, stratum.WithStratum(ctx, err)
		}
		if warnings == nil {
			warnings = description
		}
		meter.Add(int64(len(stratum.Records)) * int64(len(table.Columns)))
	}
	title := fmt.Sprintf("shuffle %s given %s: %s", strings.Join(m.Responses, ", "), strings.Join(m.Predictors, ", "),
		m.Method+m.description())
	out, err := table.Output(ctx, in, title, masked, (*microdata.Column).PerturbedWith)
	out.Report.Warnings = append(warnings, out.Report.Warnings...)
	return out, err
}

// request returns the Request for the records to shuffle: those with a response and a predictor, if there are
// enough for a model.
func (m *Shuffle) request(predictors numeric.Predictors) numeric.Request {
	return numeric.Request{Param: "responses", Variables: m.Responses, Treatment: m.Treatment, Additional: predictors.Missing(),
		Enough: func(variables, additional int) int {
			if additional == 0 || m.Method == Normal && variables < 2 {
				return math.MaxInt
			}
			return numeric.LeastOr(variables + predictors.Width() + 2)
		}}
}

// check reports names that are both responses and predictors.
func (m *Shuffle) check() error {
	for _, name := range m.Predictors {
		if slices.Contains(m.Responses, name) {
			return method.ParamError("\"predictors\": %q is a response as well", name)
		}
	}
	if m.Method == Normal && len(m.Responses) < 2 {
		return method.ParamError("\"responses\": mvn needs at least two; use ds for one")
	}
	return nil
}
