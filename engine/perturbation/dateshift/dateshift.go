// Package dateshift shifts dates by a random number of days.
//
//	m := dateshift.New()
//	m.Variables, m.Days = []string{"admission", "discharge"}, 30
//	out, err := m.Apply(ctx, method.Input{Data: data, Scenario: &scenario, Seed: seed}, nil)
package dateshift

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// daysOfWeek is the number of days in a week.
const daysOfWeek = 7

// Shift shifts the dates of each record, or of all records of a unit, by a random number of days between -Days and
// Days, uniformly distributed and not 0. All dates of a record are shifted by the same number, so the intervals
// between them are preserved. Missing cells stay missing.
type Shift struct {
	Variables []string // variables with dates that include a day, each in one notation
	Days      int      // maximum shift in days
	Weeks     bool     // shift by multiples of seven days, which preserves weekdays
	// at most one ID variable, whose records with the same value are shifted together; none: shift each record
	// separately; nil: shift the members of a household together if the scenario has households
	Unit []string
}

var _ method.Applier = (*Shift)(nil)

// New returns the method with its defaults: up to 30 days. The variables must be set.
func New() *Shift { return &Shift{Days: 30} }

// Spec describes shift-dates for the catalog.
func Spec() method.Spec {
	return method.Spec{
		Name:  "shift-dates",
		Title: "Date shifting",
		Help: "Moves dates forward or back by a random number of days, from 1 to the given maximum. All dates " +
			"of a record move by the same number, so the days between admission and discharge do not change. Members of " +
			"a household move together. An intruder who knows a date can search the dates near it: recode dates that " +
			"many people know, such as the date of birth.",
		Cite:   "Hripcsak et al. (2016), Journal of the American Medical Informatics Association 23, 1040-1045",
		Sample: `{"variables":["birth"],"days":14}`,
		New:    func() method.Method { return New() },
		Draws:  method.Always,
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Shift) Params() []method.Param {
	return []method.Param{
		method.Variables(&m.Variables, "variables", "the dates to shift").Needed().Among(method.DateVariables),
		method.Number(&m.Days, "days", "the largest number of days by which dates move").Between(1, 3650).By(1),
		method.Switch(&m.Weeks, "weeks", "move by whole weeks only, so that weekdays do not change"),
		method.Variables(&m.Unit, "unit", "ID variable of units whose records move together").
			Empty("the household IDs, if there are households").InScripts("[]: each record is shifted separately"),
	}
}

// Narrate states what the step did.
func (m *Shift) Narrate(*method.Report) string {
	by := "days"
	if m.Weeks {
		by = "whole weeks"
	}
	return fmt.Sprintf("The dates of %s were shifted by a random number of %s; the time between the dates of a record did not change.",
		wording.Listed(m.Variables), by)
}

// Apply shifts the dates. An error wraps method.ErrInput if a variable does not have dates that include a day in
// one notation. Time and memory are O(n).
func (m *Shift) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (out method.Output, err error) {
	columns, err := in.Columns("variables", m.Variables)
	if err != nil {
		return out, err
	}
	if m.Weeks && m.Days < daysOfWeek {
		return out, method.ParamError("\"days\" is %d, less than a week: choose at least %d, or leave out weeks", m.Days, daysOfWeek)
	}
	shifts, err := m.shifts(ctx, in, columns)
	if err != nil {
		return out, err
	}
	meter.Start(int64(len(columns)) * int64(in.Data.Len()))
	report := method.Report{Title: fmt.Sprintf("shift dates %s: up to %s", strings.Join(m.Variables, ", "), wording.Counted(m.Days, "day")),
		Warnings: append(method.WarnKeys(in.Scenario, m.Variables), m.left(in)...)}
	after := make([]*microdata.Column, len(columns))
	for i, column := range columns {
		dates, ok := datesOf(column)
		if !ok {
			return out, fmt.Errorf("shift-dates %w: the values of %q are not all dates to the day that are spelled in one way",
				method.ErrInput, column.Name())
		}
		if after[i], err = dates.moved(ctx, shifts, meter); err != nil {
			return out, err
		}
		after[i] = after[i].PerturbedWith(in.Seed)
		report.Changed += column.Len() - column.MissingCount()
	}
	if report.Effect = wording.Counted(report.Changed, "date") + " shifted"; report.Changed == 0 {
		report.Warnings = append(report.Warnings, method.WarnNothing)
	}
	return method.Output{Data: in.Data.With(after...), Report: report}, ctx.Err()
}

// left warns of dates that are not shifted.
func (m *Shift) left(in method.Input) []string {
	var names []string
	for _, column := range in.Data.Columns() {
		if !slices.Contains(m.Variables, column.Name()) && method.DateVariables(column, in.Scenario) {
			if _, ok := datesOf(column); ok {
				names = append(names, column.Name())
			}
		}
	}
	if names == nil {
		return nil
	}
	return []string{fmt.Sprintf("the days between these dates and those of %s change: shift them in the same step",
		wording.Listed(wording.FirstFew(names, 3)))}
}

// shifts returns the shift of each record in days.
func (m *Shift) shifts(ctx context.Context, in method.Input, columns []*microdata.Column) ([]int16, error) {
	units, err := m.units(in)
	if err != nil {
		return nil, err
	}
	most, times, seed := m.Days, 1, in.SeedFor(columns...)
	if m.Weeks {
		most, times = m.Days/daysOfWeek, daysOfWeek
	}
	shifts := make([]int16, in.Data.Len())
	err = parallel.Each(ctx, random.Blocks(units.Len()), func(block int) error {
		stream := random.Stream(seed, "date shift", block)
		for unit := block * random.Block; unit < min((block+1)*random.Block, units.Len()); unit++ {
			shift := stream.IntN(2*most) - most // uniform on -most to most-1
			if shift >= 0 {
				shift++
			}
			for i := range units.Members(unit) {
				shifts[units.Member(unit, i)] = int16(shift * times)
			}
		}
		return nil
	})
	return shifts, err
}

// units returns the records that are shifted together.
func (m *Shift) units(in method.Input) (*microdata.Households, error) {
	switch {
	case len(m.Unit) > 1:
		return nil, method.ParamError("\"unit\" names %d variables: name one", len(m.Unit))
	case len(m.Unit) == 1:
		column, err := in.Column("unit", m.Unit[0])
		if err != nil {
			return nil, err
		}
		return microdata.NewHouseholds(column), nil
	case m.Unit == nil && in.Scenario.Household != "":
		return in.Households()
	}
	return microdata.Singles(in.Data.Len()), nil
}
