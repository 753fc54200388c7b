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

// StepDialog is the dialog of every method: a form of its parameters and the
// what-if of the step they make. A dialog that shows more, such as a curve or a
// matrix, embeds it and does its own parts.
type StepDialog struct {
	WhatIf
	formDialog
	proposal
	spec   method.Spec
	Self   Parts  // the dialog that embeds it
	name   string // of the step
	Method method.Method
	seed   uint64
	Hint   string // stands in the place of the figures while the fields make no step
	Within string // what the figures are of: see views.WhatIf
	Yes    string // what enter does; "": apply
	search search // for the step, where its method searches
}

// Parts is what a dialog can do otherwise than stepDialog, which has all of it.
type Parts interface {
	// made returns the step that the fields make; ok is false where they make none.
	Made() (step session.StepSpec, ok bool)
	// enter is what the key does.
	Enter() draw.Action
	// acts are the keys that the form does not have; press takes them, and what
	// else is no matter of the form.
	Acts(s views.State) []views.KeyAction
	Press(msg tea.KeyPressMsg, s views.State) draw.Action // nil: it is no key of these
	// under draws what stands under the fields: what is wrong with them, or what
	// the step would do.
	Under(s views.State, width, height int) []string
	Explained(s views.State) []views.Figure
}

var _ Parts = (*StepDialog)(nil)

// NewStepDialog opens the dialog of a method that has nothing but its parameters.
func NewStepDialog(s views.State, spec method.Spec) *StepDialog {
	d := &StepDialog{}
	d.Begin(s, spec, spec.New(), d)
	return d
}

// Begin makes the fields of a method's parameters, which begin with what is proposed
// for the data. Random methods get their seed now, so that the what-if is what applying
// does.
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

// Take fills the fields from a step that is changed. It keeps its seed, so that what
// was drawn changes only where the parameters make it.
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

// Keys returns the keys of the form and of the dialog's own parts.
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

// keyTry puts the step among the candidates.
var keyTry = draw.Bind("ctrl+t", "candidate")

// Rare reports whether a key gives way to all others where room is short.
func Rare(binding key.Binding) bool { return binding.Help() == keyTry.Help() }

// KeyLabels works in all dialogs that have no such key of their own.
var KeyLabels = draw.Bind("L", "show or hide labels of codes and variables")

// KeyPick opens the list that the value of the field in focus is chosen from.
var KeyPick = draw.Bind("space", "choose from a list")

// picker opens the list of what fits the field of a parameter under a scenario; nil
// where its value is typed. then is called when something was taken.
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

// pick gives the field what was picked, as if it had been typed where it can be.
func (field *Field) pick(names []string, several bool) error {
	switch {
	case field.Typed == nil || len(names) == 0:
		return field.param.Pick(names)
	case several:
		return field.Typed(method.WrittenList(names))
	}
	return field.Typed(names[0])
}

// applicable reports whether enter can apply the step: nothing is wrong with it that
// is known.
func (d *StepDialog) applicable() bool {
	_, ok := d.Self.Made()
	return ok && d.lacks() == "" && (d.Known.Err == nil || d.Known.Pending)
}

// HandleKey edits the fields; enter applies the step as it stands.
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

// Problem says what is wrong with the parameters; nil: nothing.
func (d *StepDialog) Problem() error {
	if err := d.Err(); err != nil {
		return err
	}
	return method.Validate(d.Method)
}

// Step returns the step of the parameters as they are, with the seed where it draws.
func (d *StepDialog) Step() session.StepSpec {
	step := StepOf(d.name, d.Method)
	if d.spec.Random(d.Method) {
		step.Seed = d.seed
	}
	return step
}

// Made returns the step of valid parameters.
func (d *StepDialog) Made() (session.StepSpec, bool) {
	return d.Step(), d.lacks() == "" && d.Problem() == nil
}

// Enter applies the step, where there is one; a search that goes on is ended.
func (d *StepDialog) Enter() draw.Action {
	step, ok := d.Self.Made()
	switch {
	case d.searching():
		d.search.wanted = time.Nanosecond // it ends with the piece that runs
	case ok:
		return Apply{Step: d.found(step)}
	}
	return nil
}

// Acts lets a search go on; the form has all other keys.
func (d *StepDialog) Acts(views.State) []views.KeyAction {
	if !d.Searches() {
		return nil
	}
	return []views.KeyAction{views.Handles("+", "search 2 s longer", d.searchLonger)}
}

// More returns the keys that the form does not have.
func (d *StepDialog) More() []key.Binding { return views.Bindings(d.Self.Acts(views.State{})) }

// Press does what a key is for that the form does not have.
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

// askedK returns the k that the method is to reach; 0 where it has none.
func (d *StepDialog) askedK() int {
	if d.Method == nil { // a dialog that makes its steps in another way
		return 0
	}
	for _, p := range d.Method.Params() {
		if p.Name == "k" && p.Kind == method.KindNumber {
			k, _ := strconv.Atoi(p.Value.String()) // 0: it is no whole number
			return k
		}
	}
	return 0
}

// View draws the fields, what the step would do, and the figures after it.
func (d *StepDialog) View(s views.State, width, height int) string {
	if k := d.askedK(); k >= 2 {
		s.K = k
	}
	return d.Beside(s, d.Shown(), width, height, func(width, height int) []string {
		return d.WithUnder(s, width, height, func(height int) []string { return d.Self.Under(s, width, height) })
	})
}

// Shown is what stands beside the fields.
func (d *StepDialog) Shown() views.WhatIf {
	_, ok := d.Self.Made()
	figures := d.Figures(ok, cmp.Or(d.lacks(), d.Hint))
	figures.Within = d.Within
	return figures
}

// Under draws what is wrong with the parameters, or the effect of the step.
func (d *StepDialog) Under(s views.State, width, _ int) []string {
	if d.lacks() != "" {
		return nil // it stands in the place of the figures
	}
	if err := d.Problem(); err != nil {
		return s.Error.Wrapped(method.Said(err, d.Method), width)
	}
	if d.Known.WhatIf == nil || d.Known.Pending {
		return d.searchedSoFar(s, width)
	}
	lines := append(s.Changed.Wrapped(d.Known.WhatIf.Report.Effect, width), d.Searched(s, width)...)
	return append(lines, d.Warnings(s, width)...)
}

// Rows counts the fields, the help and what the step would do.
func (d *StepDialog) Rows() int { return len(d.Visible()) + 8 }

// StepOf returns the step of a method with its parameters set. Where they cannot
// be written down the step says so: the what-if shows it, and it is not made.
func StepOf(name string, m method.Method) session.StepSpec {
	step, err := session.NewSpec(name, m, 0)
	if err != nil {
		return session.StepSpec{Step: name, Problem: err}
	}
	return step
}

// NoEntries is shown where there is no budget, and no strata.
const NoEntries = "none"
