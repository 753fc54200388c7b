package session

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/engine/whatif"
)

// WhatIf computes the result of a step on the data. A method can offer a preview; any other step is run, and its
// result is cached for applying it. A step that maps the levels of a variable takes time in the number of key
// patterns. scenario must not be modified while the answer is used. A step that is run advances meter.
func (a *Analyst) WhatIf(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario, spec StepSpec,
	meter *progress.Meter) (*whatif.Result, error) {
	started := time.Now()
	c, in, err := a.call(spec, data, scenario)
	if err != nil {
		return nil, err
	}
	answer, err := a.previewed(ctx, in, c, meter)
	if err == nil && answer == nil {
		answer, err = a.tried(ctx, in, c, meter)
	}
	if err == nil && answer.Masking == nil {
		answer.Masking, err = a.masking(ctx, in, c.method, answer)
	}
	if err == nil && answer.Before == nil && a.countsMore(scenario) {
		answer.Before, err = a.figures(ctx, a.counting(a.version(data, scenario)), measure.WhatIf)
	}
	if err != nil {
		return nil, err
	}
	answer.Elapsed = time.Since(started)
	return answer, nil
}

// AfterAll computes the result of several steps, one after the other, in the form of a what-if with the report of
// the last step. Their results are cached for applying them. Without steps the figures are those of the data.
func (a *Analyst) AfterAll(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario,
	specs []StepSpec, meter *progress.Meter) (*whatif.Result, error) {
	return a.compared(ctx, data, a.counting(a.version(data, scenario)), func(answer *whatif.Result) error {
		for _, spec := range specs {
			c, in, err := a.call(spec, answer.Data, scenario)
			if err != nil {
				return err
			}
			next, err := a.tried(ctx, in, c, meter)
			if err != nil {
				return err
			}
			*answer = *next
		}
		if len(specs) > 0 {
			return nil
		}
		return a.assess(ctx, answer, a.version(data, scenario))
	})
}

// Under computes the figures of the data under another scenario in the form of a what-if: Before has those under
// the present scenario, with the k of both.
func (a *Analyst) Under(ctx context.Context, data *microdata.Dataset,
	is, other *microdata.Scenario) (*whatif.Result, error) {
	if err := other.Check(data); err != nil {
		return nil, err
	}
	both := is.Clone()
	for _, k := range other.K {
		if !slices.Contains(both.K, k) {
			both.K = append(both.K, k)
		}
	}
	slices.Sort(both.K)
	return a.compared(ctx, data, a.version(data, &both), func(answer *whatif.Result) error {
		return a.assess(ctx, answer, a.version(data, other))
	})
}

// compared returns an answer completed by fill, compared with the figures of before; nil: no comparison.
func (a *Analyst) compared(ctx context.Context, data *microdata.Dataset, before *measure.Version,
	fill func(*whatif.Result) error) (*whatif.Result, error) {
	started, answer := time.Now(), &whatif.Result{Data: data}
	err := fill(answer)
	if err == nil && before != nil {
		answer.Before, err = a.figures(ctx, before, measure.WhatIf)
	}
	if err != nil {
		return nil, err
	}
	answer.Elapsed = time.Since(started)
	return answer, nil
}

// previewed answers by trying the step on a sample, or returns nil if the step has to be run.
func (a *Analyst) previewed(ctx context.Context, in method.Input, c *call,
	meter *progress.Meter) (*whatif.Result, error) {
	p, ok, err := c.entry.SamplePreview(ctx, c.method, in, meter)
	if err != nil || !ok {
		return nil, err
	}
	return a.ofSample(ctx, in, p)
}

// ofSample answers with the result of a step on a sample, compared with the same sample before it.
func (a *Analyst) ofSample(ctx context.Context, in method.Input, p method.Preview) (*whatif.Result, error) {
	answer := &whatif.Result{Report: p.Report, Data: p.Data}
	err := a.assess(ctx, answer, a.version(p.Data, in.Scenario))
	if err != nil {
		return nil, err
	}
	answer.Of, answer.Sample, answer.Table = p.Of, p.Of.Len(), nil // the cells needed in a sample do not apply to the file
	answer.Before, err = a.figures(ctx, a.counting(a.version(p.Of, in.Scenario)), measure.WhatIf)
	return answer, err
}

// tried answers by running the step.
func (a *Analyst) tried(ctx context.Context, in method.Input, c *call, meter *progress.Meter) (*whatif.Result, error) {
	done, err := a.apply(ctx, in, c, meter)
	if err != nil {
		return nil, err
	}
	if err := c.fits(in.Scenario, a.source, in.Data, done.output.Data); err != nil {
		return nil, err
	}
	return a.answerOf(ctx, in, done)
}

// answerOf returns the answer of a step that was run.
func (a *Analyst) answerOf(ctx context.Context, in method.Input, done *outcome) (*whatif.Result, error) {
	answer := &whatif.Result{Report: done.output.Report, Data: done.output.Data}
	return answer, a.assess(ctx, answer, a.version(answer.Data, in.Scenario))
}

// assess sets the figures of an answer.
func (a *Analyst) assess(ctx context.Context, answer *whatif.Result, v *measure.Version) (err error) {
	answer.Version, answer.NotApplicable = v, risk.NotApplicable(v.Scenario, v.Origins())
	answer.Figures, err = a.figures(ctx, a.counting(v), measure.WhatIf)
	if answer.Assessment = measure.Result[*risk.Assessment](answer.Figures); answer.Assessment != nil {
		answer.Table = answer.Assessment.Table()
	}
	return err
}

// Need computes the suppressions that k-anonymity, with the algorithm minimal and under the suppression rule, would
// need after a what-if: cells per variable, the lower bound for any method, and the remaining violators. rule ""
// is conservative. Nothing is changed. An error that wraps method.ErrUnreachable says why there is no solution.
// With strata in the scenario it is what k-anonymity would need in each of them. It uses the key table or, if
// cells of whole households are suppressed, the data.
func (a *Analyst) Need(ctx context.Context, after *whatif.Result, k int,
	rule microdata.Rule) (*method.Suppression, error) {
	if after.Table == nil {
		return nil, fmt.Errorf("k-anonymity %w: the scenario has no key variables", method.ErrInput)
	}
	v, table := after.Version, after.Table
	m := &suppress.KAnonymity{K: k, Rule: string(rule), Algorithm: suppress.Minimal}
	if suppress.WholeHouseholds(v.Scenario) {
		return m.NeedOfData(ctx, method.Input{Data: v.Data(), Scenario: v.Scenario})
	}
	var strata []suppress.StrataVariable
	if len(v.Scenario.Strata) > 0 {
		// The strata variables follow the key variables.
		names := slices.Clone(v.Scenario.Keys)
		for _, name := range v.Scenario.Strata {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
			strata = append(strata, suppress.StrataVariable{Name: name, Variable: slices.Index(names, name),
				Levels: v.Levels(name)})
		}
		var err error
		if table, err = v.Under(&microdata.Scenario{Keys: names}).Table(ctx); err != nil {
			return nil, err
		}
	}
	return m.Need(ctx, table, v.Scenario, strata)
}
