package tui

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/suppress"
	"github.com/sdcdesk/sdcdesk/engine/wording"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
)

// riskThreshold is the dialog of suppression above a risk threshold: while the
// threshold moves, the records above it are counted and drawn.
type riskThreshold struct {
	whatIf
	form
	method *suppress.AboveRisk
	keys   []string
	curves map[string]*suppress.RiskCurve // per key variable, made when first looked at
	finer  key.Binding
}

// thresholdSteps is the number of key presses from one end of the risks to the
// other, roughly.
const thresholdSteps = 60

// newRiskThreshold opens the dialog; nil where there is nothing that could be
// suppressed, or the risks are not known.
func newRiskThreshold(s views.State) Dialog {
	if len(s.Scenario.Keys) == 0 || s.Current.Assessment == nil {
		return nil
	}
	d := &riskThreshold{method: suppress.NewAboveRisk(), keys: s.Scenario.Keys, curves: map[string]*suppress.RiskCurve{},
		finer: bind("shift+←→", "one risk at a time", "shift+left", "shift+right")}
	d.method.Variable = s.Selected.Variable
	if !slices.Contains(d.keys, d.method.Variable) {
		d.method.Variable = d.keys[0]
	}
	d.fields = []*formField{{
		label: "variable", help: "The key variable that loses its value in the records above the threshold.",
		value: func() string { return d.method.Variable },
		change: func(by int) {
			at := max(0, slices.Index(d.keys, d.method.Variable))
			d.method.Variable = d.keys[(at+by+len(d.keys))%len(d.keys)]
		},
	}, d.fieldThreshold(s)}
	d.at = 1 // the threshold is what moves
	return d
}

func (d *riskThreshold) fieldThreshold(s views.State) *formField {
	return &formField{
		label: "threshold",
		help:  "Records whose individual risk lies above it lose a value. Arrows move it along the risks of the file; a number can be typed.",
		value: func() string { return strconv.FormatFloat(d.method.Threshold, 'g', 6, 64) },
		change: func(by int) {
			d.move(s, by*max(1, len(d.curve(s).Thresholds())/thresholdSteps))
		},
		typed: func(text string) error {
			t, err := method.ParseNumber(text)
			if err != nil || !(t >= 0 && t <= 1) {
				return fmt.Errorf("a risk threshold is a number from 0 to 1")
			}
			d.method.Threshold = t
			return nil
		},
	}
}

// curve returns the curve of the chosen variable.
func (d *riskThreshold) curve(s views.State) *suppress.RiskCurve {
	made, ok := d.curves[d.method.Variable]
	if !ok {
		var err error
		in := method.Input{Data: s.Current.Data, Scenario: s.Scenario}
		made, err = suppress.NewRiskCurve(s.Current.Assessment, in, slices.Index(d.keys, d.method.Variable))
		if err != nil {
			made = &suppress.RiskCurve{} // the what-if says what is wrong
		}
		d.curves[d.method.Variable] = made
	}
	return made
}

// move sets the threshold to another risk of the file, so many further.
func (d *riskThreshold) move(s views.State, by int) {
	risks := d.curve(s).Thresholds()
	if len(risks) == 0 {
		return
	}
	at, found := slices.BinarySearch(risks, d.method.Threshold)
	if !found && by > 0 {
		at-- // the next higher one is the first step
	}
	d.method.Threshold = risks[max(0, min(len(risks)-1, at+by))]
}

func (d *riskThreshold) take(params map[string]json.RawMessage) error {
	return method.Decode(d.method, params)
}

func (d *riskThreshold) Title() string { return "Suppression above a risk threshold" }

func (d *riskThreshold) Typing() bool { return d.form.Typing() }

func (d *riskThreshold) Keys() []key.Binding {
	return append(d.form.keys(), d.finer, bind("enter", "apply", "enter"), bind("esc", "cancel", "esc"))
}

// HandleKey moves the threshold; enter applies.
func (d *riskThreshold) HandleKey(msg tea.KeyPressMsg, s views.State) Effect {
	if !d.Typing() && key.Matches(msg, d.finer) {
		by := 1
		if msg.String() == "shift+left" {
			by = -1
		}
		d.move(s, by)
		return Stay{}
	}
	if d.handle(msg) {
		return Stay{}
	}
	switch msg.String() {
	case "enter":
		if d.err() == nil && method.Validate(d.method) == nil {
			return Apply{Step: d.step()}
		}
	case "esc":
		return Close{}
	}
	return Stay{}
}

func (d *riskThreshold) step() session.StepSpec { return stepOf("suppress-risk", d.method) }

// Question asks for the figures after the step.
func (d *riskThreshold) Question() *Question {
	if d.err() != nil {
		return nil
	}
	return &Question{Step: d.step()}
}

// View draws the fields, the records above the threshold, and the figures after
// the step.
func (d *riskThreshold) View(s views.State, width, height int) string {
	return d.beside(s, d.figures(d.err() == nil, "The figures stand here when the threshold is a number."), width, height,
		func(width, height int) []string {
			lines := d.form.view(s.Theme, width)
			curve := d.curve(s)
			records, cells := curve.Above(d.method.Threshold)
			text := fmt.Sprintf("%s (%s) above it; %s of %s would go", wording.Counted(records, "record"),
				views.Percent(records, s.Current.Data.Len()), wording.Counted(cells, "cell"), views.Safe(d.method.Variable))
			if curve.Shared() {
				text += ", those of all members of a household together"
			}
			lines = append(lines, "")
			lines = append(lines, wrap(s.Theme.Suppressed.Render, text, width)...)
			if d.answer.WhatIf != nil && !d.answer.Pending {
				for _, warning := range d.answer.WhatIf.Report.Warnings {
					lines = append(lines, wrap(s.Theme.Warning.Render, warning, width)...)
				}
			}
			return append(append(lines, ""), views.RiskCut(s.Theme, curve, d.method.Threshold, width, height-len(lines)-1)...)
		})
}

// rows counts the fields, the help and the bars.
func (d *riskThreshold) rows() int { return 24 }
