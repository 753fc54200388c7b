package prepare

import (
	"context"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Reset restores the source values of a variable: it undoes all recodes, suppressions, perturbations and
// conversions of this variable, wherever their steps are, and changes no other variable. Removed records stay
// removed; a variable made by a step is as it was made.
type Reset struct {
	Variable string
}

// ResetSpec describes reset for the catalog.
func ResetSpec() method.Spec {
	return method.Spec{
		Name:  "reset",
		Title: "Reset to original values",
		Help: "Restores the original values of a variable: undoes its recodes, suppression, perturbation and conversion by " +
			"any step. The file may no longer be k-anonymous; check the figures.",
		Cite:     cite,
		Sample:   `{"variable":"age"}`,
		New:      method.From(Reset{}),
		OnGroups: method.AnyRows,
	}
}

// Restored returns the variable that a step restored to its source values, or "" for a step of another method.
func Restored(m method.Method) string {
	if reset, ok := m.(*Reset); ok {
		return reset.Variable
	}
	return ""
}

// Params returns the parameters, bound to the fields of m.
func (m *Reset) Params() []method.Param {
	return []method.Param{method.Variable(&m.Variable, "variable", "variable to reset")}
}

// Apply resets the variable.
func (m *Reset) Apply(ctx context.Context, in method.Input, _ *progress.Meter) (out method.Output, err error) {
	column, err := in.Column("variable", m.Variable)
	if err != nil {
		return out, err
	}
	source := column.Source()
	report := method.Report{Title: "reset " + m.Variable}
	if report.Changed, err = otherCells(ctx, column, source); err != nil {
		return out, err
	}
	report.Effect = wording.Counted(report.Changed, "cell") + " restored to the original"
	if back := column.SuppressedCount(); back > 0 {
		report.Effect += fmt.Sprintf(", %s of them suppressed before", wording.Number(back))
	}
	if column.Kind() != source.Kind() {
		report.Kind = source.Kind().String()
	}
	if source == column {
		nothing(&report)
	}
	return method.Output{Data: in.Data.With(source), Report: report}, ctx.Err()
}

// Narrate states what the step did.
func (m *Reset) Narrate(*method.Report) string {
	return fmt.Sprintf("%s has its original values again; earlier changes to it were undone.", m.Variable)
}
