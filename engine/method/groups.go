package method

import (
	"context"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// NeedsRecords returns the reason why a method cannot work on a frequency table, or "" if it can. Methods that map
// levels can, because all records of a row have the same level.
func (s *Spec) NeedsRecords(m Method, scenario *microdata.Scenario) string {
	if s.OnGroups != nil {
		return s.OnGroups(m, scenario)
	}
	if _, ok := m.(Regrouper); ok {
		return ""
	}
	return "this method needs the records"
}

// CheckRows returns an error that wraps ErrInput with the reason if the data is a frequency table and the method
// cannot work on one.
func (s *Spec) CheckRows(m Method, in Input) error {
	if !in.Data.Grouped() {
		return nil
	}
	reason := s.NeedsRecords(m, in.Scenario)
	if reason == "" {
		return nil
	}
	return fmt.Errorf("the step %w: this is a frequency table, and %s", ErrInput, reason)
}

// Apply validates the parameters of a method and applies it.
func Apply(ctx context.Context, m Method, in Input, meter *progress.Meter) (Output, error) {
	if ctx.Err() != nil {
		return Output{}, ctx.Err()
	}
	if err := Validate(m); err != nil {
		return Output{}, err
	}
	var out Output
	var err error
	m, left := withoutValueless(m, in)
	if masked, _ := Masked(m); len(left) > 0 && len(masked) == 0 {
		return nothingToMask(in, left), nil
	}
	if regrouper, ok := m.(Regrouper); ok {
		out, err = regrouped(ctx, regrouper, in)
	} else {
		out, err = m.(Applier).Apply(ctx, in, meter) // a Method is either a Regrouper or an Applier
	}
	if err == nil && meter.Fraction() == 0 {
		meter.Set(1, 1) // too fast to report progress
	}
	if err == nil && len(left) > 0 {
		out.Report.Warnings = append(out.Report.Warnings, WithoutValues(left...))
	}
	if err == nil {
		warnOfStrata(m, in, &out.Report)
	}
	out.Report.cutNames(in.Data)
	return out, err
}
