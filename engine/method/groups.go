package method

import (
	"context"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// NeedsRecords says why a method does not work where rows stand for several records, in plain words; "" where it
// does, as those that map levels do, which are the same for all records of a row.
func (s *Spec) NeedsRecords(m Method, scenario *microdata.Scenario) string {
	if s.OnGroups != nil {
		return s.OnGroups(m, scenario)
	}
	if _, ok := m.(Regrouper); ok {
		return ""
	}
	return "this method needs the records"
}

// CheckRows returns an error that wraps ErrInput and says why, where rows of the
// data stand for several records and the method does not work there.
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

// Apply applies a method, its parameters validated.
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
		out, err = m.(Applier).Apply(ctx, in, meter) // every method is one of the two
	}
	if err == nil && meter.Fraction() == 0 {
		meter.Set(1, 1) // it is over so soon that it does not count
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
