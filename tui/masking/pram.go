package masking

import (
	"math"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/pram"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
	pramview "github.com/sdcdesk/sdcdesk/views/pram"
)

// pramDialog is the dialog of PRAM: its parameters, and next to them the matrix, the transitions and the
// frequencies. Inside the matrix the user can forbid transitions, and type the cells of a custom matrix.
type pramDialog struct {
	dialogs.StepDialog
	method   *pram.PRAM
	own      *method.PRAMStratum // the latest custom matrix; nil: none
	preview  pramview.PRAMPreview
	inside   bool            // keys apply to the matrix
	cell     *draw.TextField // the cell of a custom matrix being typed
	message  string          // why a key in the matrix had no effect; "": it had one
	variable int             // index of the variable whose matrix is shown
	stratum  int
}

// newPRAM opens the dialog with the selected variable.
func newPRAM(s views.State, spec method.Spec, m *pram.PRAM) *pramDialog {
	d := &pramDialog{method: m}
	m.Variables = firstVariables(s)
	d.Begin(s, spec, m, d)
	d.arrange()
	return d
}

// firstVariables returns the selected variable if PRAM suits it, otherwise those with the PRAM role.
func firstVariables(s views.State) []string {
	name := s.Selected.Variable
	if column := s.Current.Column(name); column != nil && !s.Scenario.Has(name, microdata.RoleWeight) &&
		!s.Scenario.Has(name, microdata.RoleHousehold) {
		return []string{name}
	}
	return slices.Clone(s.Scenario.PRAM)
}

// Title names the dialog, and the custom matrix while it is edited.
func (d *pramDialog) Title() string {
	if d.inside && d.method.Form == pram.FormMatrix {
		return "PRAM · user-defined matrix"
	}
	return "PRAM"
}

// Typing reports whether text is typed into a field or a cell.
func (d *pramDialog) Typing() bool { return d.Form.Typing() || d.cell != nil }

// Keys returns the keys of the cell, the matrix or the fields.
func (d *pramDialog) Keys() []key.Binding {
	switch {
	case d.cell != nil:
		return []key.Binding{draw.Bind("enter", "apply value"), draw.Bind("esc", "cancel")}
	case d.inside:
		return append(d.More(), draw.Bind("enter", "apply"), draw.Bind("esc", "leave matrix"))
	}
	return d.StepDialog.Keys()
}

// Acts returns the keys that edit the matrix; tab switches between the fields and the matrix.
func (d *pramDialog) Acts(views.State) []views.KeyAction {
	tab := func(text string) []views.KeyAction {
		return []views.KeyAction{views.Handles("tab", text, func() { d.inside = !d.inside })}
	}
	next := func(help string) []views.KeyAction {
		if len(d.reports()) < 2 {
			return nil
		}
		return []views.KeyAction{views.Handles(help, "next variable", d.nextVariable, help, "ctrl+n")}
	}
	switch {
	case d.inside:
		return slices.Concat(d.matrixActs(), next("v"), tab("leave matrix"))
	case d.shown() != nil:
		return append(tab("edit matrix"), next("ctrl+n")...)
	}
	return next("ctrl+n")
}

// Press edits the matrix and the cell being typed.
func (d *pramDialog) Press(msg tea.KeyPressMsg, s views.State) draw.Action {
	d.message = ""
	if d.cell != nil {
		d.typeCell(msg)
		return draw.Handled{}
	}
	action := d.StepDialog.Press(msg, s)
	if pressed := msg.String(); action == nil && d.inside && pressed != "enter" {
		d.inside = pressed != "esc"
		return draw.Handled{}
	}
	return action
}

// Problem returns the error of the parameters, or nil.
func (d *pramDialog) Problem() error {
	if d.Err() == nil && d.method.Form == pram.FormMatrix && len(d.method.Matrix) > 0 {
		if err := d.method.Matrix.Check(d.method.Levels); err != nil {
			return err
		}
	}
	return d.StepDialog.Problem()
}

// Made returns the step; ok is false if it is incomplete.
func (d *pramDialog) Made() (session.StepSpec, bool) {
	return d.Step(), d.Problem() == nil && len(d.method.Variables) > 0
}

// reports returns the effect of the step on each variable, as far as known.
func (d *pramDialog) reports() []method.PRAMVariable {
	if d.Known.WhatIf == nil {
		return nil
	}
	return d.Known.WhatIf.Report.PRAM
}

// previewed returns the effect of the step in the visible stratum, or nil if it is not known.
func (d *pramDialog) previewed() (*method.PRAMVariable, *method.PRAMStratum) {
	reports := d.reports()
	if len(reports) == 0 {
		return nil, nil
	}
	d.variable = min(d.variable, len(reports)-1)
	v := &reports[d.variable]
	if len(v.Strata) == 0 {
		return v, nil
	}
	d.stratum = min(d.stratum, len(v.Strata)-1)
	return v, &v.Strata[d.stratum]
}

// shown returns the visible matrix: the custom one while it is edited, otherwise that of the preview, or nil.
func (d *pramDialog) shown() *method.PRAMStratum {
	if d.method.Form == pram.FormMatrix && d.own != nil {
		return d.own
	}
	_, stratum := d.previewed()
	return stratum
}

func (d *pramDialog) nextVariable() {
	if n := len(d.reports()); n > 0 {
		d.variable, d.stratum = (d.variable+1)%n, 0
	}
}

// Take fills the dialog from an applied step.
func (d *pramDialog) Take(step session.StepSpec) error {
	if err := d.StepDialog.Take(step); err != nil {
		return err
	}
	if d.method.Form == pram.FormMatrix {
		d.takeOwn(d.method.Levels, d.method.Matrix)
	}
	return nil
}

// matrixActs returns the keys in the matrix.
func (d *pramDialog) matrixActs() []views.KeyAction {
	shown := d.shown()
	if shown == nil {
		return nil
	}
	n := len(shown.Levels)
	acts := []views.KeyAction{views.Presses("←↑↓→", "cell", func(msg tea.KeyPressMsg, _ views.State) draw.Action {
		d.preview.Move(msg, n)
		return draw.Handled{}
	}, "left", "right", "up", "down", "h", "j", "k", "l", "home", "end", "pgup", "pgdown")}
	if d.method.Form == pram.FormMatrix {
		acts = append(acts,
			views.Presses("0-9 .", "enter a value", d.beginCell, append(strings.Split("0123456789", ""), ".", "backspace")...),
			views.Handles("d", "adjust diagonal", func() {
				row, _ := d.preview.Cell(n)
				d.setCell(row, row, restOf(shown.Matrix[row], row))
			}))
	} else {
		acts = append(acts, views.Handles("f", "forbid or allow", d.forbid, "f", "space"))
	}
	if v, _ := d.previewed(); v != nil && len(v.Strata) > 1 {
		acts = append(acts, views.Presses("</>", "stratum", dialogs.Turns(func(by int) {
			d.stratum = (d.stratum + by + len(v.Strata)) % len(v.Strata)
		}), "<", ">", ","))
	}
	return acts
}

// beginCell starts typing a cell of the custom matrix.
func (d *pramDialog) beginCell(msg tea.KeyPressMsg, _ views.State) draw.Action {
	d.cell = draw.NewTextField("")
	d.cell.Handle(msg)
	return draw.Handled{}
}

// restOf returns 1 minus the sum of the other cells of a row.
func restOf(row []float64, i int) float64 {
	const parts = 1e9 // removes rounding errors of the sum
	return math.Round(parts*max(0, 1-sumOf(row)+row[i])) / parts
}

// forbid forbids the transition under the cursor in both directions, or allows it again.
func (d *pramDialog) forbid() {
	stratum := d.shown()
	row, column := d.preview.Cell(len(stratum.Levels))
	from, to := stratum.Levels[row], stratum.Levels[column]
	if row == column {
		d.message = "a value can always stay unchanged"
		return
	}
	pairs := slices.Clone(d.method.Forbid)
	if pairs.Has(from, to) {
		pairs = slices.DeleteFunc(pairs, func(pair [2]string) bool { return pram.Pairs{pair}.Has(from, to) })
	} else {
		pairs = append(pairs, [2]string{from, to})
	}
	d.method.Forbid = pairs
}

// typeCell edits the cell of the custom matrix being typed.
func (d *pramDialog) typeCell(msg tea.KeyPressMsg) {
	switch msg.String() {
	case "esc":
		d.cell = nil
		return
	case "enter", "tab", "up", "down":
		value, err := method.ParseNumber(d.cell.Text())
		if err != nil || !(value >= 0 && value <= 1) {
			d.message = "a probability must be between 0 and 1"
			return
		}
		row, column := d.preview.Cell(len(d.own.Levels))
		d.cell = nil
		d.setCell(row, column, value)
		if msg.String() != "enter" && msg.String() != "tab" {
			d.preview.Move(msg, len(d.own.Levels))
		}
		return
	}
	d.cell.Handle(msg)
}

// setCell changes a cell of the custom matrix. It copies the matrix, because an answer may still be drawn from the
// old one.
func (d *pramDialog) setCell(row, column int, value float64) {
	matrix := slices.Clone(d.own.Matrix)
	matrix[row] = slices.Clone(matrix[row])
	matrix[row][column] = value
	d.takeOwn(d.method.Levels, matrix)
}
