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

// Blanking is what a method does that chooses the cells of key variables to make
// missing by itself. Of a variable that is the same for households all members
// lose the cell.
//
//	b, err := suppress.NewBlanking(in)
//	t, err := b.Table(ctx)
//	b.Blank(t, sets)
//	out, err := b.Output(ctx, t)
type Blanking struct {
	in         method.Input
	columns    []*microdata.Column // key variables before the step
	cells      lost
	households *households // that lose cells together; nil: none
}

// NewBlanking begins with no cell blanked. A scenario without key variables, or
// with one that the file lacks, is an error that wraps method.ErrInput.
func NewBlanking(in method.Input) (*Blanking, error) {
	columns, err := keyColumns(in)
	if err != nil {
		return nil, err
	}
	h, err := householdsOf(in)
	return &Blanking{in, columns, make(lost, in.Data.Len()), h}, err
}

// Columns returns the key variables as they were before the step. Not to be
// modified.
func (b *Blanking) Columns() []*microdata.Column { return b.columns }

// CellsOf returns how many cells of a key variable, numbered from 0, go with
// one: those of a household of mean size, rounded up, where it is the same for
// households.
func (b *Blanking) CellsOf(variable int) int {
	return b.households.cellsOf(b.in.Scenario.Keys[variable])
}

// Table returns the key table of the data without the cells blanked so far.
func (b *Blanking) Table(ctx context.Context) (*keys.Table, error) { return b.table(ctx, nil) }

// table is Table with weights; nil: 1 each.
func (b *Blanking) table(ctx context.Context, weights []float64) (*keys.Table, error) {
	columns, err := keyColumns(b.cells.without(b.in))
	if err != nil {
		return nil, err
	}
	return keys.New(ctx, columns, weights)
}

// Blank makes variables missing, bit v for the key variable v, in all records of
// the keys of the last table. Variables that are missing there are not to be named.
func (b *Blanking) Blank(t *keys.Table, sets []uint64) {
	for row, key := range t.RowKeys() {
		b.cells[row] |= sets[key]
	}
	b.households.spread(b.cells)
}

// Output returns the data without the cells and those of linked variables, and
// what is to be said of them: cells, violators left of the scenario's first k,
// effect and warnings. t is the key table before the step.
func (b *Blanking) Output(ctx context.Context, t *keys.Table) (none method.Output, _ error) {
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
	out, err := (&suppressed{in: b.in, cells: b.cells, account: s}).output()
	if err != nil {
		return out, err
	}
	out.Report.Warnings = append(b.households.warnings(nil), out.Report.Warnings...)
	return out, ctx.Err()
}

// output returns the data without the cells and those of linked variables, and a
// report.
func (s *suppressed) output() (method.Output, error) {
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

// HouseholdWarnings says in which key variables that are to be the same for
// households the members differ. A household variable that the file lacks is an
// error that wraps method.ErrInput.
func HouseholdWarnings(in method.Input) ([]string, error) {
	h, err := householdsOf(in)
	return h.warnings(nil), err
}

// effect says how many cells a suppression took.
func effect(s *method.Suppression) string {
	cells := wording.Counted(s.Total, "cell") + " suppressed"
	if s.Linked.Sum() > 0 {
		cells += ", " + wording.Number(s.Linked.Sum()) + " in linked variables"
	}
	return cells
}

// NeedsKeys is why a method that needs key variables cannot be used with a scenario; "" where that
// has some.
func NeedsKeys(_ method.Method, scenario *microdata.Scenario) string {
	if len(scenario.Keys) == 0 {
		return "the scenario has no key variables"
	}
	return ""
}

// Narrate says what cells were suppressed for: "Cells were suppressed in records that ...". It
// names no variable: of one with few missing cells users would learn that they were suppressed.
func Narrate(report *method.Report, purpose string) string {
	if report.Suppression == nil || report.Total == 0 {
		return fmt.Sprintf("No cells were suppressed %s.", purpose)
	}
	return fmt.Sprintf("Cells were suppressed %s.", purpose)
}
