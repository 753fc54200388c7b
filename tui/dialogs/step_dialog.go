package dialogs

import (
	"cmp"
	"encoding/json"
	"strconv"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// StepDialog is the dialog of every method: a form of its parameters and the what-if of its step. Dialogs that
// show more, such as a curve or a matrix, embed it and override some of Parts.
type StepDialog struct {
	WhatIf
	formDialog
	proposal
	spec   method.Spec
	Self   Parts  // the dialog that embeds it
	name   string // of the step
	Method method.Method
	seed   uint64
	Hint   string // shown instead of the figures while the fields make no step
	Within string // what the figures cover, see views.WhatIf
	Yes    string // what enter does; "": apply
	search search // for a method that searches for its step
}

// Parts are the methods of a StepDialog that a dialog embedding it can override.
type Parts interface {
	// Made returns the step of the fields; ok is false if they make none.
	Made() (step session.StepSpec, ok bool)
	// Enter returns the action of enter.
	Enter() draw.Action
	// Acts returns the keys that the form does not have; Press handles them and other keys outside the form.
	Acts(s views.State) []views.KeyAction
	Press(msg tea.KeyPressMsg, s views.State) draw.Action // nil: another key
	// Under draws what is below the fields: their error, or the effect of the step.
	Under(s views.State, width, height int) []string
	Explained(s views.State) []views.Figure
}

var _ Parts = (*StepDialog)(nil)

// NewStepDialog opens the dialog of a method that needs only its parameters.
func NewStepDialog(s views.State, spec method.Spec) *StepDialog {
	d := &StepDialog{}
	d.Begin(s, spec, spec.New(), d)
	return d
}

// Begin makes the fields of a method's parameters, with values proposed for the data. Random methods get their
// seed now, so that applying gives the result of the what-if.
func (d *StepDialog) Begin(s views.State, spec method.Spec, m method.Method, self Parts) {
	d.spec, d.Self, d.Heading, d.name, d.Method, d.seed = spec, self, spec.Title, spec.Name, m, session.NewSeed()
	d.explained = true
	d.Hint = "Complete the fields to see the figures after the step."
	d.propose(s, &d.spec, m)
	for _, param := range m.Params() {
		d.Fields = append(d.Fields, NewParameterField(s, m, param))
	}
	d.beginSearch(s.Current.Data)
}

// Take fills the fields from a step being changed. The seed is kept, so that random values change only because of
// the parameters.
func (d *StepDialog) Take(step session.StepSpec) error {
	params := map[string]json.RawMessage{}
	if err := json.Unmarshal(step.Params, &params); err != nil {
		return err
	}
	d.seed = cmp.Or(step.Seed, d.seed)
	d.proposal = proposal{}
	err := method.Decode(d.Method, params)
	d.Keep(d.Step())
	return err
}

// Keys returns the keys of the form and of the embedding dialog.
func (d *StepDialog) Keys() []key.Binding {
	more := d.More()
	more = append(more, d.listKeys(d.Known.WhatIf != nil)...)
	if step, _ := d.Self.Made(); d.applicable() && step.Step != "" {
		more = append(more, keyTry)
	}
	keys := d.keys(cmp.Or(d.Yes, "apply"), more...)
	enter := &keys[len(keys)-2]
	enter.SetEnabled(d.applicable())
	if d.searching() {
		enter.SetHelp("enter", "end the search")
	}
	return keys
}

// keyExplain explains the figures of the what-if.
var keyExplain = draw.Bind("i", "explain the figures", "i", "alt+i")

// keyTry adds the step to the candidates.
var keyTry = draw.Bind("ctrl+t", "candidate")

// Rare reports whether a key is dropped first if there is little room.
func Rare(binding key.Binding) bool { return binding.Help() == keyTry.Help() }

// KeyLabels works in all dialogs that do not use this key.
var KeyLabels = draw.Bind("L", "show or hide labels of codes and variables")

// KeyPick opens the list of values for the field in focus.
var KeyPick = draw.Bind("space", "choose from a list")

// picker opens the list of values for a parameter under a scenario, or returns nil if the value can only be typed.
// then is called after a value was taken.
func (field *Field) picker(s views.State, heading string, scenario *microdata.Scenario, then func()) Dialog {
	offer, ok := field.param.Offers(s.Current.Data, scenario)
	if !ok {
		return nil
	}
	return NewPicker(s, heading+": "+field.Label, offer, func(names []string) error {
		if err := field.pick(names, offer.Several); err != nil {
			return err
		}
		field.Err, field.Refused = nil, ""
		then()
		return nil
	})
}

// pick sets the field to what was picked, as if it had been typed if that is possible.
func (field *Field) pick(names []string, several bool) error {
	switch {
	case field.Typed == nil || len(names) == 0:
		return field.param.Pick(names)
	case several:
		return field.Typed(method.WrittenList(names))
	}
	return field.Typed(names[0])
}

// applicable reports whether enter can apply the step: there is no known error.
func (d *StepDialog) applicable() bool {
	_, ok := d.Self.Made()
	return ok && d.lacks() == "" && (d.Known.Err == nil || d.Known.Pending)
}

// HandleKey edits the fields; enter applies the step.
func (d *StepDialog) HandleKey(msg tea.KeyPressMsg, s views.State) draw.Action {
	if !d.Form.Typing() {
		if action := d.Self.Press(msg, s); action != nil {
			return action
		}
		if action := d.list(msg, s, s.Scenario, d.Self.Explained,
			func() { d.follow(s, &d.spec, d.Method) }); action != nil {
			return action
		}
	}
	if key.Matches(msg, keyTry) {
		if step, ok := d.Self.Made(); ok && step.Step != "" {
			return Try{Step: d.found(step)}
		}
		return nil
	}
	action := d.handle(msg, d.Self.Enter)
	d.follow(s, &d.spec, d.Method)
	return action
}

// Problem returns the error of the parameters, or nil.
func (d *StepDialog) Problem() error {
	if err := d.Err(); err != nil {
		return err
	}
	return method.Validate(d.Method)
}

// Step returns the step of the parameters, with the seed if it is random.
func (d *StepDialog) Step() session.StepSpec {
	step := StepOf(d.name, d.Method)
	if d.spec.Random(d.Method) {
		step.Seed = d.seed
	}
	return step
}

// Made returns the step if the parameters are valid.
func (d *StepDialog) Made() (session.StepSpec, bool) {
	return d.Step(), d.lacks() == "" && d.Problem() == nil
}

// Enter ends a running search, otherwise it applies the step, if there is one.
func (d *StepDialog) Enter() draw.Action {
	step, ok := d.Self.Made()
	switch {
	case d.searching():
		d.search.wanted = time.Nanosecond // ends the search after the running piece
	case ok:
		return Apply{Step: d.found(step)}
	}
	return nil
}

// Acts returns the key that continues a search.
func (d *StepDialog) Acts(views.State) []views.KeyAction {
	if !d.Searches() {
		return nil
	}
	return []views.KeyAction{views.Handles("+", "search 2 s longer", d.searchLonger)}
}

// More returns the keys that the form does not have.
func (d *StepDialog) More() []key.Binding { return views.Bindings(d.Self.Acts(views.State{})) }

// Press performs the action of a key that the form does not have.
func (d *StepDialog) Press(msg tea.KeyPressMsg, s views.State) draw.Action {
	return views.CarryOut(d.Self.Acts(s), msg, s)
}

// Question asks for the figures after the step.
func (d *StepDialog) Question() *Question {
	step, ok := d.Self.Made()
	if !ok {
		return nil
	}
	question := &Question{Step: step, NeedK: d.NeedK, K: d.askedK()}
	if d.Searches() && !d.keeps(step) {
		question.Search = d.search.wanted
	}
	return question
}

// askedK returns the target k of the method, or 0 if it has none.
func (d *StepDialog) askedK() int {
	if d.Method == nil { // a dialog with several methods
		return 0
	}
	for _, p := range d.Method.Params() {
		if p.Name == "k" && p.Kind == method.KindNumber {
			k, _ := strconv.Atoi(p.Value.String()) // 0: not an integer
			return k
		}
	}
	return 0
}

// View draws the fields, the effect of the step, and the figures after it.
func (d *StepDialog) View(s views.State, width, height int) string {
	if k := d.askedK(); k >= 2 {
		s.K = k
	}
	return d.NextTo(s, d.Shown(), width, height, func(width, height int) []string {
		return d.WithUnder(s, width, height, func(height int) []string { return d.Self.Under(s, width, height) })
	})
}

// Shown returns the what-if next to the fields.
func (d *StepDialog) Shown() views.WhatIf {
	_, ok := d.Self.Made()
	figures := d.Figures(ok, cmp.Or(d.lacks(), d.Hint))
	figures.Within = d.Within
	return figures
}

// EffectText labels the effect of a step that is not applied yet, or returns "".
func EffectText(effect string) string {
	if effect == "" {
		return ""
	}
	return "effect: " + effect
}

// Under draws the error of the parameters, or the effect of the step.
func (d *StepDialog) Under(s views.State, width, _ int) []string {
	if d.lacks() != "" {
		return nil // shown instead of the figures
	}
	if err := d.Problem(); err != nil {
		return s.Error.Wrapped(method.Said(err, d.Method), width)
	}
	if d.Known.WhatIf == nil || d.Known.Pending {
		return d.searchedSoFar(s, width)
	}
	lines := append(s.Changed.Wrapped(EffectText(d.Known.WhatIf.Report.Effect), width), d.Searched(s, width)...)
	return append(lines, d.Warnings(s, width)...)
}

// Rows returns the number of lines of the fields, the help and the effect of the step.
func (d *StepDialog) Rows() int { return len(d.Visible()) + 8 }

// StepOf returns the step of a method with its parameters. If they cannot be encoded, the step has the error: the
// what-if shows it, and it cannot be applied.
func StepOf(name string, m method.Method) session.StepSpec {
	step, err := session.NewSpec(name, m, 0)
	if err != nil {
		return session.StepSpec{Step: name, Problem: err}
	}
	return step
}

// NoEntries is shown if there is no budget, and if there are no strata.
const NoEntries = "none"
