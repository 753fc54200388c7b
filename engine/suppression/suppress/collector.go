package suppress

import (
	"context"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Collector collects the cells of key variables that a method suppresses, for methods that choose the cells
// themselves. If a variable is the same for all members of a household, all of them lose the cell.
//
//	b, err := suppress.NewCollector(in)
//	t, err := b.Table(ctx)
//	b.Suppress(t, sets)
//	out, err := b.Output(ctx, t)
type Collector struct {
	in         method.Input
	columns    []*microdata.Column // key variables before suppression
	cells      lost
	households *households // whose members lose cells together; nil: none
}

// NewCollector returns a Collector without suppressed cells. A scenario without key variables, or with one that the
// file lacks, is an error that wraps method.ErrInput.
func NewCollector(in method.Input) (*Collector, error) {
	columns, err := keyColumns(in)
	if err != nil {
		return nil, err
	}
	h, err := householdsOf(in)
	return &Collector{in, columns, make(lost, in.Data.Len()), h}, err
}

// Columns returns the key variables before suppression. They must not be modified.
func (b *Collector) Columns() []*microdata.Column { return b.columns }

// CellsOf returns how many cells are suppressed with one of a key variable, numbered from 0: usually 1. For a
// variable that is the same for all members of a household it is the size of a record's household, averaged over
// all records and rounded.
func (b *Collector) CellsOf(variable int) int {
	return b.households.cellsOf(b.in.Scenario.Keys[variable])
}

// Table returns the key table of the data after the suppressions so far.
func (b *Collector) Table(ctx context.Context) (*keys.Table, error) { return b.table(ctx, nil) }

// table is Table with weights, or weight 1 if weights is nil.
func (b *Collector) table(ctx context.Context, weights []float64) (*keys.Table, error) {
	columns, err := keyColumns(b.cells.without(b.in))
	if err != nil {
		return nil, err
	}
	return keys.New(ctx, columns, weights)
}

// Suppress suppresses variables, bit v for key variable v, in all records of each key pattern of the last table. The
// sets must not include variables that are missing in the pattern.
func (b *Collector) Suppress(t *keys.Table, sets []uint64) {
	for row, key := range t.RowKeys() {
		b.cells[row] |= sets[key]
	}
	b.households.spread(b.cells)
}

// Output returns the data without the suppressed cells and those of linked variables, and a report of the cells,
// the violators left at the scenario's first k, the effect and warnings. t is the key table before suppression.
func (b *Collector) Output(ctx context.Context, t *keys.Table) (none method.Output, _ error) {
	names := b.in.Scenario.Keys
	f, err := newFile(ctx, t, len(names), nil)
	if err != nil {
		return none, err
	}
	p := f.parts(b.cells)[0].parts
	s := emptyAccount(names)
	p.count(s, slices.Repeat([]int{1}, len(names)))
	if s.Rule = string(b.in.Scenario.Rule); len(b.in.Scenario.K) > 0 {
		s.K = b.in.Scenario.K[0]
	}
	groups := p.withUntouched(f.strata[0]).groups(f.strata[0], f.strata[0].all())
	left, err := leftIn(ctx, groups, Subsets(nil).combinations(len(names), s.K), b.in.Scenario.Alpha)
	if err != nil {
		return none, err
	}
	s.Left = left[0]
	out, err := (&solution{in: b.in, cells: b.cells, account: s}).output()
	if err != nil {
		return out, err
	}
	out.Report.Warnings = append(b.households.warnings(nil), out.Report.Warnings...)
	return out, ctx.Err()
}

// output returns the data without the suppressed cells and those of linked variables, and a report.
func (s *solution) output() (method.Output, error) {
	account := *s.account
	data, linked, err := s.cells.apply(s.in)
	if err != nil {
		return method.Output{}, err
	}
	account.Linked = linked
	report := method.Report{Effect: effect(&account), Changed: account.Total + linked.Sum(), Suppression: &account}
	if account.Total == 0 {
		report.Warnings = append(report.Warnings, method.WarnNothing)
	}
	return method.Output{Data: data, Report: report}, nil
}

// HouseholdWarnings returns warnings for key variables that are declared the same for households but differ
// between members. A household variable that the file lacks is an error that wraps method.ErrInput.
func HouseholdWarnings(in method.Input) ([]string, error) {
	h, err := householdsOf(in)
	return h.warnings(nil), err
}

// effect reports how many cells were suppressed.
func effect(s *method.Suppression) string {
	cells := wording.Counted(s.Total, "cell") + " suppressed"
	if s.Linked.Sum() > 0 {
		cells += ", " + wording.Number(s.Linked.Sum()) + " in linked variables"
	}
	return cells
}

// NeedsKeys returns why a method that needs key variables cannot be used with a scenario, or "" if the scenario
// has key variables.
func NeedsKeys(_ method.Method, scenario *microdata.Scenario) string {
	if len(scenario.Keys) == 0 {
		return "the scenario has no key variables"
	}
	return ""
}

// Narrate states the purpose of a suppression: "Cells were suppressed in records that ...". It names no variable,
// because users could then infer that the few missing cells of a variable were suppressed.
func Narrate(report *method.Report, purpose string) string {
	if report.Suppression == nil || report.Total == 0 {
		return fmt.Sprintf("No cells were suppressed %s.", purpose)
	}
	return fmt.Sprintf("Cells were suppressed %s.", purpose)
}
