package tui

import (
	"encoding/json"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
)

// stepDialog is the dialog of every method: a form of its parameters and the
// what-if of the step they make. A dialog that shows more, such as a curve or a
// matrix, embeds it and does its own parts.
type stepDialog struct {
	whatIf
	form
	self   parts // the dialog that embeds it
	title  string
	name   string // of the step
	method method.Method
	seed   uint64
	back   Dialog // the dialog it was opened from; nil: none
	hint   string // stands in the place of the figures while the fields make no step
}

// parts is what a dialog can do otherwise than stepDialog, which has all of it.
type parts interface {
	// made returns the step that the fields make; ok is false where they make none.
	made() (step session.StepSpec, ok bool)
	// enter is what the key does.
	enter() Effect
	// more are the keys that the form does not have, and press takes them.
	more() []key.Binding
	press(msg tea.KeyPressMsg, s views.State) Effect // nil: it is no key of these
	// under draws what stands under the fields: what is wrong with them, or what
	// the step would do.
	under(s views.State, width, height int) []string
}

var _ parts = (*stepDialog)(nil)

// newStepDialog opens the dialog of a method that has nothing but its parameters.
func newStepDialog(s views.State, spec method.Spec) *stepDialog {
	d := &stepDialog{}
	d.begin(s, spec, spec.New(), d)
	return d
}

// begin makes the fields of a method's parameters. Variables begin with the
// selected one, and random methods get their seed now, so that the what-if is what
// applying does.
func (d *stepDialog) begin(s views.State, spec method.Spec, m method.Method, self parts) {
	d.self, d.title, d.name, d.method, d.seed = self, spec.Title, spec.Name, m, session.NewSeed()
	d.hint = "The figures stand here when the fields make a step."
	for _, param := range m.Params() {
		d.fields = append(d.fields, newParameterField(s, m, param))
	}
}

// take fills the fields from a step that is changed.
func (d *stepDialog) take(params map[string]json.RawMessage) error {
	return method.Decode(d.method, params)
}

// draw takes the seed of a step that is changed; 0 where it drew nothing.
func (d *stepDialog) draw(seed uint64) {
	if seed != 0 {
		d.seed = seed
	}
}

// Title names the method.
func (d *stepDialog) Title() string { return d.title }

// Typing reports whether a field is typed into.
func (d *stepDialog) Typing() bool { return d.form.Typing() }

// Keys returns the keys of the form and of the dialog's own parts.
func (d *stepDialog) Keys() []key.Binding {
	return append(append(d.form.keys(), d.self.more()...), bind("enter", "apply", "enter"), backKey(d.back))
}

// HandleKey edits the fields; enter applies the step as it stands.
func (d *stepDialog) HandleKey(msg tea.KeyPressMsg, s views.State) Effect {
	if !d.form.Typing() {
		if effect := d.self.press(msg, s); effect != nil {
			return effect
		}
	}
	if d.handle(msg) {
		return Stay{}
	}
	switch msg.String() {
	case "enter":
		return d.self.enter()
	case "esc":
		return backTo(d.back)
	}
	return Stay{}
}

// problem says what is wrong with the parameters; nil: nothing.
func (d *stepDialog) problem() error {
	if err := d.err(); err != nil {
		return err
	}
	return method.Validate(d.method)
}

func (d *stepDialog) step() session.StepSpec {
	step := stepOf(d.name, d.method)
	if drawing, ok := d.method.(session.Drawing); ok && drawing.Draws() {
		step.Seed = d.seed
	}
	return step
}

func (d *stepDialog) made() (session.StepSpec, bool) { return d.step(), d.problem() == nil }

func (d *stepDialog) enter() Effect {
	if step, ok := d.self.made(); ok {
		return Apply{Step: step}
	}
	return Stay{}
}

func (d *stepDialog) more() []key.Binding { return nil }

// Question asks for the figures after the step.
func (d *stepDialog) Question() *Question {
	step, ok := d.self.made()
	if !ok {
		return nil
	}
	return &Question{Step: step, NeedK: d.needK}
}

// View draws the fields, what the step would do, and the figures after it.
func (d *stepDialog) View(s views.State, width, height int) string {
	_, ok := d.self.made()
	return d.beside(s, d.figures(ok, d.hint), width, height, func(width, height int) []string {
		lines := append(d.form.view(s.Theme, width), "")
		if d.err() != nil {
			return lines // the field says what is wrong
		}
		under := d.self.under(s, width, height-len(lines))
		if len(lines)+len(under) > height {
			lines = append(d.viewWithin(s.Theme, width, max(1, height-len(under)-1)), "")
		}
		return append(lines, under...)
	})
}

func (d *stepDialog) under(s views.State, width, _ int) []string {
	if err := d.problem(); err != nil {
		return views.Wrapped(s.Theme.Error.Render, method.Said(err, d.method), width)
	}
	if d.answer.WhatIf == nil || d.answer.Pending {
		return nil
	}
	return append(views.Wrapped(s.Theme.Changed.Render, d.answer.WhatIf.Report.Effect, width), d.warnings(s, width)...)
}

// rows counts the fields, the help and what the step would do.
func (d *stepDialog) rows() int { return len(d.visible()) + 8 }

// stepOf returns the step of a method with its parameters set. Where they cannot
// be written down the step says so: the what-if shows it, and it is not made.
func stepOf(name string, m method.Method) session.StepSpec {
	step, err := session.NewSpec(name, m, 0)
	if err != nil {
		return session.StepSpec{Step: name, Problem: err}
	}
	return step
}

// currentColumn returns a variable as it is now; nil where there is none.
func currentColumn(s views.State, variable string) *microdata.Column {
	column, _ := s.Current.Data.Column(variable)
	return column
}

// noEntries is shown where there is no budget, and no strata.
const noEntries = "none"
