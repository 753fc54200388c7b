package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/utility/tradeoff"
	"github.com/sdcdesk/sdcdesk/engine/whatif"
)

// masking returns risk and information loss of the numeric variables that a step masks, or of one that it recodes
// if no figure of key variables changes, or nil.
func (a *Analyst) masking(ctx context.Context, in method.Input, m method.Method,
	answer *whatif.Result) (*whatif.Masking, error) {
	if masked, ok := method.Masked(m); ok {
		return a.maskingOf(ctx, in, masked, answer.Data, answer.Sample)
	}
	if name := method.TargetOf(m); name != "" && !slices.Contains(in.Scenario.Keys, name) {
		return a.maskingOf(ctx, in, []string{name}, answer.Data, 0)
	}
	return nil, nil
}

// maskingOf returns risk and information loss of numeric variables before and after a step, which results in data,
// or nil if none of them is numeric. For large files both are based on the sample of what-ifs; sample is the
// number of records if data are a sample, 0 if they are all. It also returns nil if rows represent several
// records, because the figures are computed record by record.
func (a *Analyst) maskingOf(ctx context.Context, in method.Input, names []string, data *microdata.Dataset,
	sample int) (*whatif.Masking, error) {
	if names = tradeoff.Numeric(in.Data, data, names); len(names) == 0 || data.Grouped() {
		return nil, nil
	}
	then, err := tradeoff.Of(ctx, data.Source(), data, names, true, nil)
	if err != nil || then == nil {
		return nil, err
	}
	if sample > 0 {
		then.Sample = sample
	}
	source := in.Data.Source()
	now, err := recalled(ctx, a, in.Data, func() (*tradeoff.Figures, error) {
		return tradeoff.Of(ctx, source, in.Data, names, true, nil)
	}, "tradeoff", names, hashText(source))
	if err != nil {
		return nil, err
	}
	keys := slices.ContainsFunc(names, func(name string) bool {
		return slices.Contains(in.Scenario.Keys, name) || name == in.Scenario.Weight || name == in.Scenario.Household
	})
	return &whatif.Masking{Now: now, Then: then, Keys: keys}, nil
}

// TradeOff applies a masking step to all records and returns risk and information loss against the original data.
// The result of the step is not cached. The error wraps method.ErrInput if the step masks no numeric variable.
func (a *Analyst) TradeOff(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario, spec StepSpec,
	meter *progress.Meter) (*tradeoff.Figures, error) {
	c, in, err := a.call(spec, data, scenario)
	if err != nil {
		return nil, err
	}
	out, err := method.Apply(ctx, c.method, in, meter)
	if err != nil {
		return nil, err
	}
	var figures *tradeoff.Figures
	if masked, ok := method.Masked(c.method); ok {
		figures, err = tradeoff.Of(ctx, out.Data.Source(), out.Data, masked, false, nil)
	}
	if err == nil && figures == nil {
		err = fmt.Errorf("%w: the step does not mask numeric variables", method.ErrInput)
	}
	return figures, err
}
