package tui

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
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
		if text, ok := param.Value.(*string); ok && param.Editor == method.EditFile {
			d.fields = append(d.fields, fileParameter(strings.ReplaceAll(param.Name, "_", " "), d.method, param, text))
			continue
		}
		if field := newParameterField(s, param, d.variable); field != nil {
			d.fields = append(d.fields, field)
		}
	}
	return d
}

// newParameterField returns the field of a parameter; nil for one that no line
// can edit. variable tells which variable the method works on.
func newParameterField(s views.State, param method.Param, variable func() string) *formField {
	label := strings.ReplaceAll(param.Name, "_", " ")
	switch value := param.Value.(type) {
	case method.Written:
		return writtenParameter(label, param, value)
	case *[]string:
		switch param.Editor {
		case method.EditVariables:
			return textsParameter(label, param, value, variableKnown(s))
		case method.EditLevels:
			return textsParameter(label, param, value, levelKnown(s, variable))
		}
		return textsParameter(label, param, value, nil)
	case *[]int:
		return wholesParameter(label, param, value)
	case **int:
		return optionalWhole(label, param, value)
	case *[]float64:
		return numbersParameter(label, param, value)
	case *map[string]int:
		return importanceParameter(label, param, value, variableKnown(s))
	case *string:
		return textParameter(s, label, param, value)
	case *int:
		return intParameter(label, param, value)
	case *float64:
		return &formField{label: label, help: param.Help, value: func() string { return number(*value) }, typed: typedNumber(param, value)}
	case **float64:
		return optionalParameter(label, param, value)
	case *bool:
		return &formField{label: label, help: param.Help, value: func() string { return yesNo(*value) }, change: func(int) { *value = !*value }}
	}
	return nil
}

// variable returns the variable that the method works on; "" where it has no
// such parameter.
func (d *parameters) variable() string {
	for _, param := range d.method.Params() {
		if value, ok := param.Value.(*string); ok && param.Editor == method.EditVariable {
			return *value
		}
	}
	return ""
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// textParameter edits a choice, a variable, or a text.
func textParameter(s views.State, label string, param method.Param, value *string) *formField {
	choices := param.Choices
	if param.Editor == method.EditVariable {
		choices = variableChoices(s)
		*value = s.Selected.Variable
		if !slices.Contains(choices, *value) && len(choices) > 0 {
			*value = choices[0]
		}
	}
	field := &formField{label: label, help: param.Help, value: func() string { return *value }}
	if len(choices) > 0 {
		field.change = func(by int) {
			at := max(0, slices.Index(choices, *value))
			*value = choices[(at+by+len(choices))%len(choices)]
		}
		return field
	}
	field.typed = func(text string) error { *value = text; return nil }
	return field
}

// variableChoices returns the variables of the file, key variables first.
func variableChoices(s views.State) []string {
	names := slices.Clone(s.Scenario.Keys)
	for _, column := range s.Current.Data.Columns() {
		if !slices.Contains(names, column.Name()) {
			names = append(names, column.Name())
		}
	}
	return names
}

func intParameter(label string, param method.Param, value *int) *formField {
	return &formField{
		label: label, help: param.Help,
		value: func() string { return strconv.Itoa(*value) },
		change: func(by int) {
			if changed := float64(*value + by); (param.Min == nil || changed >= *param.Min) && (param.Max == nil || changed <= *param.Max) {
				*value += by
			}
		},
		typed: func(text string) error {
			typed, err := strconv.Atoi(text)
			if err != nil {
				return fmt.Errorf("%s is a whole number", label)
			}
			*value = typed
			return nil
		},
	}
}

func typedNumber(param method.Param, value *float64) func(text string) error {
	return func(text string) error {
		typed, err := finite(text)
		if err != nil {
			return fmt.Errorf("%s is a number", param.Name)
		}
		*value = typed
		return nil
	}
}

// optionalParameter edits a number that can be left out.
func optionalParameter(label string, param method.Param, value **float64) *formField {
	return &formField{
		label: label, help: param.Help + "; an empty field for none",
		value: func() string {
			if *value == nil {
				return "none"
			}
			return number(**value)
		},
		typed: func(text string) error {
			if text == "" || text == "none" {
				*value = nil
				return nil
			}
			var typed float64
			if err := typedNumber(param, &typed)(text); err != nil {
				return err
			}
			*value = &typed
			return nil
		},
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
		return append(lines, wrap(s.Theme.Error.Render, err.Error(), width)...)
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
