package session

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Trial is what a step gave that was tried on some data and not made.
type Trial struct {
	Report   method.Report
	Seconds  float64
	Figures  measure.Set      // the usual ones, and the measures that were asked for
	Meanings []method.Meaning // of what the step names
}

// Try tries a step on data, all of them, and has measures told of what it gives; the
// step is remembered for when it is made with the same seed. counting is the source of data as they were read, in
// which the records are counted where it does not hold them; nil: they are not.
func (a *Analyst) Try(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario, spec StepSpec,
	measures []MeasureSpec, counting Source, meter *progress.Meter) (*Trial, error) {
	c, err := a.call(spec, data, scenario)
	if err != nil {
		return nil, err
	}
	in := method.Input{Data: data, Scenario: scenario, Seed: c.Seed}
	done, err := a.apply(ctx, in, c, nil)
	if err != nil {
		return nil, err
	}
	output := done.output
	if _, err = c.dealt(ctx, counting, nil, in, &output, nil); err != nil {
		return nil, err
	}
	made := output.Data
	if err := c.fits(scenario, a.source, data, made); err != nil {
		return nil, err
	}
	after := Fitted(scenario, made)
	t := &Trial{Report: output.Report, Seconds: done.seconds, Meanings: method.Meanings(c.method, data)}
	if t.Figures, err = a.Figures(ctx, made, after, measure.Everywhere); err != nil {
		return nil, err
	}
	more, err := a.Told(ctx, made, after, measures, meter)
	t.Figures = t.Figures.With(more)
	return t, err
}

// Told returns what measures tell of data.
func (a *Analyst) Told(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario,
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

// Candidate is a step of a script that was tried for itself; Err says why it cannot be
// made.
type Candidate struct {
	Step  StepSpec
	Trial *Trial
	Err   error
}

// TryScript tries each step of a script that stands for itself on a file as it was
// read, under the script's last scenario; nothing is written. Of the options the file,
// the script, measures, methods and warnings count.
func TryScript(ctx context.Context, o RunOptions) (now measure.Set, candidates []Candidate, err error) {
	o.OtherData = true
	if err := o.locate(); err != nil {
		return nil, nil, err
	}
	script, err := readScriptFile(o.Script, o.Methods)
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
	if now, err = a.Told(ctx, opening.Data, scenario, requested, nil); err != nil {
		return nil, nil, err
	}
	for i := range script.Steps[:script.Position] {
		c := Candidate{Step: script.Steps[i].Spec}
		c.Trial, c.Err = a.Try(ctx, opening.Data, scenario, c.Step, requested, opening.Source, nil)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		candidates = append(candidates, c)
	}
	return now, candidates, nil
}
