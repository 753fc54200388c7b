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

// masking returns risk and loss of the numbers that a step masks, before it and after;
// nil of one that masks none. Of large files both are of the sample of what-ifs.
func (a *Analyst) masking(ctx context.Context, in method.Input, m method.Method,
	answer *whatif.Result) (*whatif.Masking, error) {
	names, data, err := maskedNumbers(in, m, answer.Data)
	if err != nil || data == nil {
		return nil, err
	}
	if names = tradeoff.Numeric(in.Data, data, names); len(names) == 0 {
		return nil, nil
	}
	then, err := tradeoff.Of(ctx, data.Source(), data, names, true, nil)
	if err != nil || then == nil {
		return nil, err
	}
	if answer.Sample > 0 {
		then.Sample = answer.Sample
	}
	source, lineage := in.Data.Source(), in.Data.Lineage()
	key := fmt.Sprintf("tradeoff %q\n%s\n%s\n%s", names, hashText(in.Data), string(lineage[:]), hashText(source))
	now, err := a.memo.Get(ctx, key, func() (any, error) {
		return tradeoff.Of(ctx, source, in.Data, names, true, nil)
	})
	if err != nil {
		return nil, err
	}
	keys := slices.ContainsFunc(names, func(name string) bool {
		return slices.Contains(in.Scenario.Keys, name) || name == in.Scenario.Weight || name == in.Scenario.Household
	})
	return &whatif.Masking{Now: now.(*tradeoff.Figures), Then: then, Keys: keys}, nil
}

// maskedNumbers returns the variables whose numbers a step masks, and the data after it,
// which are at hand as after, or nil. A recode of a key variable is judged by the figures
// of key variables: it masks none.
func maskedNumbers(in method.Input, m method.Method, after *microdata.Dataset) (names []string, data *microdata.Dataset,
	err error) {
	switch m := m.(type) {
	case method.Masker:
		return m.Masked(), after, nil
	case method.Regrouper:
		r, err := method.Regroup(m, in)
		if err != nil || !r.Target.Numeric() || slices.Contains(in.Scenario.Keys, r.Target.Name()) {
			return nil, nil, err
		}
		return []string{r.Target.Name()}, in.Data.With(r.Column()), nil
	}
	return nil, nil, nil
}

// TradeOff makes a step that masks numbers on all records and tells their risk and loss
// against the data as they were read. The step is not remembered. An error wraps
// method.ErrInput where the step masks no numbers.
func (a *Analyst) TradeOff(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario, spec StepSpec,
	meter *progress.Meter) (*tradeoff.Figures, error) {
	c, err := a.call(spec, scenario)
	if err != nil {
		return nil, err
	}
	out, err := method.Apply(ctx, c.method, method.Input{Data: data, Scenario: scenario, Seed: c.Seed}, meter)
	if err != nil {
		return nil, err
	}
	var figures *tradeoff.Figures
	if masker, ok := c.method.(method.Masker); ok {
		figures, err = tradeoff.Of(ctx, out.Data.Source(), out.Data, masker.Masked(), false, nil)
	}
	if err == nil && figures == nil {
		err = fmt.Errorf("%w: the step masks no numbers", method.ErrInput)
	}
	return figures, err
}
