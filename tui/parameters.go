package tui

import (
	"encoding/json"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/fileio"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/wording"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
)

// parameters is the dialog of a method that has none of its own: a form of its
// parameters, with the what-if of the step they make.
type parameters struct {
	whatIf
	form
	spec   method.Spec
	method method.Method
	seed   uint64
}

// newParameters opens the form of a method. Variables begin with the selected
// one, and random methods get their seed now, so that the what-if is what
// applying does.
func newParameters(s views.State, spec method.Spec) Dialog {
	d := &parameters{spec: spec, method: spec.New(), seed: session.NewSeed()}
	for _, param := range d.method.Params() {
		d.fields = append(d.fields, newParameterField(s, d.method, param))
	}
	return d
}

// newParameterField returns the field of a parameter. A variable begins with the
// selected one where the method works on it.
func newParameterField(s views.State, m method.Method, param method.Param) *formField {
	if param.Kind == method.KindFile {
		return fileField(m, param)
	}
	field := &formField{label: param.Label(), help: param.ScreenHelp(), value: param.Value.String}
	choices := param.Choices(s.Current.Data, s.Scenario)
	set := func(choice string) { field.err = param.Value.Set(choice) }
	switch {
	case param.Kind == method.KindVariable && slices.Contains(choices, s.Selected.Variable):
		set(s.Selected.Variable)
	case param.Kind == method.KindVariable && len(choices) > 0:
		set(choices[0])
	}
	if choices != nil {
		field.change = func(by int) { set(ring(choices, param.Value.String(), by)) }
		return field
	}
	field.typed = func(text string) error { return param.SetText(text, s.Current.Data) }
	if param.Step > 0 {
		field.change = param.Move
	}
	return field
}

// ring returns the choice that is so many places behind another; the first comes
// after the last.
func ring[T comparable](choices []T, now T, by int) T {
	if len(choices) == 0 {
		return now
	}
	at := max(0, slices.Index(choices, now))
	return choices[(at+by+len(choices))%len(choices)]
}

// fileField edits a parameter that is the text of a file: the path of the file is
// typed, and its text is taken, so that nothing depends on the file any more. A
// file that it names for another parameter is taken with it.
func fileField(m method.Method, param method.Param) *formField {
	path := ""
	return &formField{
		label: param.Label(), help: param.ScreenHelp(),
		value: func() string {
			text := param.Value.String()
			if path != "" || text == "" {
				return path
			}
			return wording.Counted(strings.Count(strings.TrimSpace(text), "\n")+1, "line")
		},
		typed: func(text string) error {
			if text == "" {
				path = ""
				return param.Value.Set("")
			}
			content, err := fileio.ReadText(expandHome(text))
			if err == nil {
				err = param.Value.Set(content)
			}
			if err != nil {
				return err
			}
			path = text
			takeAccompanying(m, param.Name, expandHome(text))
			return nil
		},
	}
}

// takeAccompanying reads the file that the file of a parameter names for another
// one. Where it cannot be read, that parameter is empty: it can be typed.
func takeAccompanying(m method.Method, param, path string) {
	accompanied, ok := m.(method.Accompanied)
	if !ok {
		return
	}
	other, name := accompanied.Accompanies(param)
	for _, p := range m.Params() {
		if p.Name != other {
			continue
		}
		content := ""
		if name != "" {
			if text, err := fileio.ReadBeside(path, name); err == nil {
				content = text
			}
		}
		if p.Value.Set(content) != nil {
			return // it is not the text of a file
		}
	}
}
func (d *parameters) take(params map[string]json.RawMessage) error {
	return method.Decode(d.method, params)
}

// draw takes the seed of a step that is changed; 0 where it drew nothing.
func (d *parameters) draw(seed uint64) {
	if seed != 0 {
		d.seed = seed
	}
}

func (d *parameters) Title() string { return d.spec.Title }

func (d *parameters) Typing() bool { return d.form.Typing() }

func (d *parameters) Keys() []key.Binding {
	return append(d.form.keys(), bind("enter", "apply", "enter"), bind("esc", "cancel", "esc"))
}

// HandleKey edits the fields; enter applies the step as it stands.
func (d *parameters) HandleKey(msg tea.KeyPressMsg, _ views.State) Effect {
	if d.handle(msg) {
		return Stay{}
	}
	switch msg.String() {
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
func (d *parameters) problem() error {
	if err := d.err(); err != nil {
		return err
	}
	return method.Validate(d.method)
}

func (d *parameters) step() session.StepSpec {
	step := stepOf(d.spec.Name, d.method)
	if drawing, ok := d.method.(session.Drawing); ok && drawing.Draws() {
		step.Seed = d.seed
	}
	return step
}

// Question asks for the figures after the step.
func (d *parameters) Question() *Question {
	if d.problem() != nil {
		return nil
	}
	return &Question{Step: d.step()}
}

// View draws the fields, what the step would do, and the figures after it.
func (d *parameters) View(s views.State, width, height int) string {
	return d.beside(s, d.expected(), width, height, func(width, _ int) []string { return d.lines(s, width) })
}

// expected are the figures after the step.
func (d *parameters) expected() views.WhatIfFigures {
	return d.figures(d.problem() == nil, "The figures stand here when the fields make a step.")
}

// lines are the fields and what the step would do, or what is wrong with them.
func (d *parameters) lines(s views.State, width int) []string {
	lines := append(d.form.view(s.Theme, width), "")
	if d.err() != nil {
		return lines // the field in focus says it
	}
	if err := d.problem(); err != nil {
		return append(lines, wrap(s.Theme.Error.Render, method.Said(err, d.method), width)...)
	}
	if d.answer.WhatIf != nil && !d.answer.Pending {
		lines = append(lines, wrap(s.Theme.Changed.Render, d.answer.WhatIf.Report.Effect, width)...)
		for _, warning := range d.answer.WhatIf.Report.Warnings {
			lines = append(lines, wrap(s.Theme.Warning.Render, warning, width)...)
		}
	}
	return lines
}

// rows counts the fields, the help and what the step would do.
func (d *parameters) rows() int { return len(d.visible()) + 8 }
