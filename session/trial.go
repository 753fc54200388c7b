package session

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// Try tries a step on all data and computes additional measures of the result; they are in its figures. The result
// is cached for applying the step with the same seed.
func (a *Analyst) Try(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario, spec StepSpec,
	measures []MeasureSpec, meter *progress.Meter) (*Step, error) {
	c, err := spec.complete(a.methods)
	if err != nil {
		return nil, err
	}
	step, err := perform(ctx, data, scenario, c, a.source, a, nil)
	if err != nil {
		return nil, err
	}
	after := Fitted(scenario, step.data)
	if step.Figures, err = a.Figures(ctx, step.data, after, measure.Everywhere); err != nil {
		return nil, err
	}
	more, err := a.Results(ctx, step.data, after, measures, meter)
	step.Figures = step.Figures.With(more)
	return &step, err
}

// Results returns the results of measures for data.
func (a *Analyst) Results(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario,
	measures []MeasureSpec, meter *progress.Meter) (measure.Set, error) {
	var set measure.Set
	for _, spec := range measures {
		found, err := a.Measure(ctx, data, scenario, spec, meter)
		if err != nil {
			return nil, err
		}
		set = append(set, *found.Current)
	}
	return set, nil
}

// Candidate is a step of a script that was tried separately; Err is why it is not possible.
type Candidate struct {
	Step  StepSpec
	Trial *Step
	Err   error
}

// TryScript tries each applied step of a script separately on a file as read, under the script's last scenario;
// nothing is written. Of the options, the file, the script, measures, methods and warnings are used.
func TryScript(ctx context.Context, o RunOptions) (now measure.Set, candidates []Candidate, err error) {
	o.OtherData = true
	script, err := o.script()
	if err != nil {
		return nil, nil, err
	}
	a := NewAnalyst().With(o.Catalog)
	requested, err := readRequested(a.measures, o.Measures, o.MeasureParams)
	if err != nil {
		return nil, nil, err
	}
	opening, err := o.open(ctx, script)
	if err != nil {
		return nil, nil, err
	}
	a.methods, a.source = o.Methods, opening.Source
	scenario := Fitted(&script.Scenario, opening.Data)
	if now, err = a.Results(ctx, opening.Data, scenario, requested, nil); err != nil {
		return nil, nil, err
	}
	for i := range script.Steps[:script.Position] {
		c := Candidate{Step: script.Steps[i].Spec}
		c.Trial, c.Err = a.Try(ctx, opening.Data, scenario, c.Step, requested, nil)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		candidates = append(candidates, c)
	}
	return now, candidates, nil
}
