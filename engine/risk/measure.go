package risk

import (
	"context"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Of returns the figures of a version of the data under its scenario's rule, alpha and k, or nil if there are no
// key variables. They are computed once for all measures. A record without a household ID is a household of its
// own. Errors are those of weights and key tables, or of the context.
func Of(ctx context.Context, v *measure.Version) (*Assessment, error) {
	s := v.Scenario
	if len(s.Keys) == 0 {
		return nil, nil
	}
	options, variables := OptionsOf(s), append([]string{s.Weight, s.Household}, s.Keys...)
	return measure.Once(ctx, v, fmt.Sprintf("assessment %+v", options), variables, func() (*Assessment, error) {
		table, err := v.Table(ctx)
		if err != nil {
			return nil, err
		}
		var households *microdata.Households
		if s.Household != "" {
			if households, err = measure.Once(ctx, v, "households", []string{s.Household},
				func() (*microdata.Households, error) {
					column, _ := v.Data().Column(s.Household) // the column exists, because its contents were checked
					return microdata.NewHouseholds(column), nil
				}); err != nil {
				return nil, err
			}
		}
		return Assess(ctx, table, households, options)
	})
}

// assessmentMeasure is a measure of an Assessment, without parameters.
type assessmentMeasure func(a *Assessment) measure.Values

// Params returns nil.
func (assessmentMeasure) Params() []method.Param { return nil }

// Needs returns why the key variables are not usable, as NotApplicable does, or "". The original data are always
// usable.
func (assessmentMeasure) Needs(in measure.Input) string {
	if in.Current == in.Original {
		return ""
	}
	return NotApplicable(in.Current.Scenario, in.Current.Origins())
}

// Compute computes the values. There are none without key variables.
func (m assessmentMeasure) Compute(ctx context.Context, in measure.Input, _ *progress.Meter) (measure.Values, error) {
	a, err := Of(ctx, in.Current)
	if a == nil || err != nil {
		return measure.Values{}, err
	}
	values := m(a)
	values.Result = a
	return values, nil
}

// estimated adds a note that there are no weights to explanations of figures that weights estimate.
func estimated(values assessmentMeasure) assessmentMeasure {
	return func(a *Assessment) measure.Values {
		out := values(a)
		explain := out.Explain
		out.Explain = func(e *measure.Explanation, what *measure.FigureKey) {
			explain(e, what)
			if a.options.Unweighted && what.Column != "fk" && what.Value.Name != "only_of_size" {
				e.Definition += " " + NoWeight
			}
		}
		return out
	}
}

// spec completes the Spec of a measure of the assessment.
func (m assessmentMeasure) spec(spec measure.Spec) measure.Spec {
	spec.New = func() measure.Measure { return m }
	return spec
}

// alphaOf returns text with alpha if the rule has one.
func (o *Options) alphaOf() string {
	if o.Alpha == 1 || o.Rule != microdata.RuleDefault {
		return ""
	}
	return fmt.Sprintf(" with alpha %v", o.Alpha)
}
