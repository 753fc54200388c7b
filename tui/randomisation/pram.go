package randomisation

import (
	"encoding/json"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/pram"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// pramDialog is the dialog of PRAM: its parameters, and beside them the matrix,
// the transitions and the frequencies that they give. The matrix can be entered:
// there transitions are forbidden, and the cells of an own matrix are typed.
type pramDialog struct {
	dialogs.StepDialog
	method   *pram.PRAM
	own      *method.PRAMStratum // the own matrix that was made last; nil: none
	preview  views.PRAMPreview
	inside   bool             // the keys are the matrix's
	cell     *views.TextField // of an own matrix that is being typed
	message  string           // why a key in the matrix did nothing; "": it did
	variable int              // whose matrix is shown
	stratum  int
}

// NewPRAM opens the dialog on the selected variable.
func NewPRAM(s views.State, spec method.Spec, m *pram.PRAM) *pramDialog {
	d := &pramDialog{method: m}
	m.Variables = firstVariables(s)
	d.Begin(s, spec, m, d)
	d.arrange()
	return d
}

// firstVariables returns the selected variable where PRAM is for it, else those
// that the scenario says.
func firstVariables(s views.State) []string {
	name := s.Selected.Variable
	if column := dialogs.CurrentColumn(s, name); column != nil && !s.Scenario.Has(name, microdata.RoleWeight) && !s.Scenario.Has(name, microdata.RoleHousehold) {
		return []string{name}
	}
	return slices.Clone(s.Scenario.PRAM)
}

// Title says when the matrix is made.
func (d *pramDialog) Title() string {
	if d.inside && d.method.Form == pram.FormMatrix {
		return "PRAM · own matrix"
	}
	return "PRAM"
}

// Typing reports whether text is typed into a field or a cell.
func (d *pramDialog) Typing() bool { return d.Form.Typing() || d.cell != nil }

// Keys are those of the cell, the matrix or the fields, where the keys are.
func (d *pramDialog) Keys() []key.Binding {
	switch {
	case d.cell != nil:
		return []key.Binding{dialogs.Bind("enter", "keep the value", "enter"), dialogs.Bind("esc", "as it was", "esc")}
	case d.inside:
		return append(d.More(), dialogs.Bind("enter", "apply", "enter"), dialogs.Bind("esc", "to the fields", "esc"))
	}
	return d.StepDialog.Keys()
}

// Acts edit the matrix where the keys are inside it; tab goes from the fields into
// it and back.
func (d *pramDialog) Acts(views.State) []dialogs.Act {
	tab := func(text string) []dialogs.Act {
		return []dialogs.Act{{Binding: dialogs.Bind("tab", text, "tab"), Do: dialogs.Stays(func() { d.inside = !d.inside })}}
	}
	next := func(help string) []dialogs.Act {
		if len(d.reports()) < 2 {
			return nil
		}
		return []dialogs.Act{{Binding: dialogs.Bind(help, "next variable", help, "ctrl+n"), Do: dialogs.Stays(d.nextVariable)}}
	}
	switch {
	case d.inside:
		return slices.Concat(d.matrixActs(), next("v"), tab("to the fields"))
	case d.shown() != nil:
		return append(tab("into the matrix"), next("ctrl+n")...)
	}
	return next("ctrl+n")
}

// Press edits the matrix, and the cell of it that is typed.
func (d *pramDialog) Press(msg tea.KeyPressMsg, s views.State) dialogs.Effect {
	d.message = ""
	if d.cell != nil {
		d.typeCell(msg)
		return dialogs.Stay{}
	}
	effect := d.StepDialog.Press(msg, s)
	if pressed := msg.String(); effect == nil && d.inside && pressed != "enter" {
		d.inside = pressed != "esc"
		return dialogs.Stay{}
	}
	return effect
}

// Problem says what is wrong with the parameters; nil: nothing.
func (d *pramDialog) Problem() error {
	if d.Err() == nil && d.method.Form == pram.FormMatrix && len(d.method.Matrix) > 0 {
		if err := d.method.Matrix.Check(d.method.Levels); err != nil {
			return err
		}
	}
	return d.StepDialog.Problem()
}

func (d *pramDialog) Made() (session.StepSpec, bool) {
	return d.Step(), d.Problem() == nil && len(d.method.Variables) > 0
}

// reports returns what the step would do to each variable, as far as known.
func (d *pramDialog) reports() []method.PRAMVariable {
	if d.Known.WhatIf == nil {
		return nil
	}
	return d.Known.WhatIf.Report.PRAM
}

// previewed returns what the step would do in the stratum that is looked at;
// nil where that is not known.
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

// shown returns the matrix on the screen: the own one while it is made, else
// that of the preview; nil: none.
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

func (d *pramDialog) Take(params map[string]json.RawMessage) error {
	if err := d.StepDialog.Take(params); err != nil {
		return err
	}
	if d.method.Form == pram.FormMatrix {
		d.takeOwn(d.method.Levels, d.method.Matrix)
	}
	return nil
}
