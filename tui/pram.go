package tui

import (
	"encoding/json"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/pram"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
)

// pramDialog is the dialog of PRAM: its parameters, and beside them the matrix,
// the transitions and the frequencies that they give. The matrix can be entered:
// there transitions are forbidden, and the cells of an own matrix are typed.
type pramDialog struct {
	whatIf
	form
	method   *pram.PRAM
	seed     uint64
	own      *method.PRAMStratum // the own matrix that was made last; nil: none
	preview  views.PRAMPreview
	inside   bool       // the keys are the matrix's
	cell     *textField // of an own matrix that is being typed
	message  string     // why a key in the matrix did nothing; "": it did
	variable int        // whose matrix is shown
	stratum  int
}

// newPRAMDialog opens the dialog on the selected variable. The seed is drawn
// now, so that the preview is what applying does.
func newPRAMDialog(s views.State) *pramDialog {
	d := &pramDialog{method: pram.New(), seed: session.NewSeed()}
	d.method.Variables = firstVariables(s)
	d.fields = d.formFields(s)
	return d
}

// firstVariables returns the selected variable where PRAM is for it, else those
// that the scenario says.
func firstVariables(s views.State) []string {
	name := s.Selected.Variable
	if column := currentColumn(s, name); column != nil && !s.Scenario.Has(name, microdata.RoleWeight) && !s.Scenario.Has(name, microdata.RoleHousehold) {
		return []string{name}
	}
	return slices.Clone(s.Scenario.PRAM)
}

func (d *pramDialog) draw(seed uint64) { d.seed = seed }

func (d *pramDialog) Title() string {
	if d.inside && d.method.Form == pram.FormMatrix {
		return "PRAM · own matrix"
	}
	return "PRAM"
}

// Typing reports whether text is typed into a field or a cell.
func (d *pramDialog) Typing() bool { return d.form.Typing() || d.cell != nil }

func (d *pramDialog) Keys() []key.Binding {
	switch {
	case d.cell != nil:
		return []key.Binding{bind("enter", "keep the value", "enter"), bind("esc", "as it was", "esc")}
	case d.inside:
		return append(d.matrixKeys(), bind("enter", "apply", "enter"), bind("esc", "to the fields", "esc"))
	}
	keys := d.form.keys()
	if d.shown() != nil {
		keys = append(keys, bind("tab", "into the matrix", "tab"))
	}
	if len(d.reports()) > 1 {
		keys = append(keys, bind("ctrl+n", "next variable", "ctrl+n"))
	}
	return append(keys, bind("enter", "apply", "enter"), bind("esc", "cancel", "esc"))
}

// HandleKey edits the fields or the matrix; tab goes from one to the other, and
// enter applies the step as it stands.
func (d *pramDialog) HandleKey(msg tea.KeyPressMsg, s views.State) Effect {
	d.message = ""
	pressed := msg.String()
	switch {
	case d.cell != nil:
		d.typeCell(msg)
		return Stay{}
	case pressed == "tab" && !d.form.Typing() && (d.inside || d.shown() != nil):
		d.inside = !d.inside
		return Stay{}
	case pressed == "ctrl+n" && !d.form.Typing():
		d.nextVariable()
		return Stay{}
	case d.inside && pressed == "esc":
		d.inside = false
		return Stay{}
	case d.inside && pressed != "enter":
		d.matrixKey(msg)
		return Stay{}
	case !d.inside && d.handle(msg):
		return Stay{}
	}
	switch pressed {
	case "enter":
		if d.problem() == nil {
			return Apply{Step: d.step()}
		}
	case "esc":
		return Close{}
	}
	return Stay{}
}

// problem says what is wrong with the parameters; nil: nothing.
func (d *pramDialog) problem() error {
	if err := d.err(); err != nil {
		return err
	}
	if d.method.Form == pram.FormMatrix && len(d.method.Matrix) > 0 {
		if err := d.method.Matrix.Check(d.method.Levels); err != nil {
			return err
		}
	}
	return method.Validate(d.method)
}

func (d *pramDialog) step() session.StepSpec {
	step := stepOf(pram.StepName, d.method)
	step.Seed = d.seed
	return step
}

// Question asks for the matrix and what it would do.
func (d *pramDialog) Question() *Question {
	if d.problem() != nil || len(d.method.Variables) == 0 {
		return nil
	}
	return &Question{Step: d.step()}
}

// reports returns what the step would do to each variable, as far as known.
func (d *pramDialog) reports() []method.PRAMVariable {
	if d.answer.WhatIf == nil {
		return nil
	}
	return d.answer.WhatIf.Report.PRAM
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

func (d *pramDialog) take(params map[string]json.RawMessage) error {
	if err := method.Decode(d.method, params); err != nil {
		return err
	}
	if d.method.Form == pram.FormMatrix {
		d.takeOwn(d.method.Levels, d.method.Matrix)
	}
	return nil
}
