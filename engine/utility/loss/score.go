package loss

import (
	"context"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
	"github.com/sdcdesk/sdcdesk/engine/risk/linkage"
)

// Score is the measure that combines disclosure risk and information loss in one number, as in Domingo-Ferrer and
// Torra.
type Score struct {
	Variables []string // nil: the numeric key variables
}

// ScoreSpec describes the score.
func ScoreSpec() measure.Spec {
	return measure.Spec{
		Name:    "score",
		Utility: true,
		Title:   "score of risk and information loss",
		Help: "The score of Domingo-Ferrer and Torra for masked variables is the mean of IL, the information loss in " +
			"percent, and DR, the mean percentage of correct links by distance and by probability. Lower is better. The " +
			"original data have no information loss, and all their records are linked, so their score is 50, or less " +
			"if records are equal. IL has no upper bound.",
		Cite:    "Domingo-Ferrer and Torra (2001), Confidentiality, Disclosure and Data Access, 111-134; Domingo-Ferrer (2014), tutorial",
		Section: "Score",
		Page: measure.Page{Meaning: measure.Telling("The score %s is the mean of the information loss, %s, and the disclosure risk, %s. Common masking methods have "+
			"values between 0 and 100; lower is better.", "score", "il", "dr")},
		New: func() measure.Measure { return &Score{} },
		Definitions: measure.Definitions{
			"score": {"", "(IL + DR) / 2"},
			"il": {"The information loss; see information loss of numeric variables.",
				"100 (mv(X) + mv(means) + mv(V) + mv(variances) + mae(R)) / 5"},
			"dr": {"The disclosure risk; see record linkage.", "100 (by distance + by probability) / 2"},
		},
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Score) Params() []method.Param {
	return []method.Param{numeric.ChosenParam(&m.Variables, "the numeric variables")}
}

// Needs returns which variables are missing or not numeric, or "".
func (m *Score) Needs(in measure.Input) string {
	return numeric.UnpairedIn(in, numeric.Chosen(in, m.Variables))
}

// Compute computes record linkage and information loss.
func (m *Score) Compute(ctx context.Context, in measure.Input, meter *progress.Meter) (values measure.Values, _ error) {
	links := linkage.New()
	links.Variables = m.Variables
	found, err := linkage.Spec().Compute(ctx, in, links, meter)
	if err != nil {
		return values, err
	}
	lost, err := Spec().Compute(ctx, in, &Numeric{Variables: m.Variables}, nil)
	if err != nil {
		return values, err
	}
	il, dr := lost.Value("il", 0).Number, found.Value("dr", 0).Number
	number := func(name, title string, x float64) measure.Value {
		none := ""
		if math.IsNaN(x) {
			none = "a component is not defined"
		}
		return measure.Value{Name: name, Title: title, Number: x, None: none, Better: measure.Lower}
	}
	values.Numbers = []measure.Value{number("score", "score", (il+dr)/2), number("il", "IL, percent", il),
		number("dr", "DR, percent", dr)}
	values.Explain = func(e *measure.Explanation, what *measure.FigureKey) {
		if what.Value.Name == "score" {
			for _, v := range values.Numbers[1:] {
				e.Values = append(e.Values, v.Title+": "+v.Text())
			}
		}
	}
	return values, ctx.Err()
}
