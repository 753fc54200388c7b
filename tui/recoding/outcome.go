package recoding

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// draft is what a recode makes of the categories of a variable, kept while it is the same.
type draft struct {
	step   session.StepSpec
	of     *microdata.Column
	made   *method.Regrouping // nil: nothing, and the what-if says why
	levels method.Counts
	said   *microdata.Description
}

// look returns what a recode makes of a column; it is nil where the fields make none.
func (d *draft) look(s views.State, step session.StepSpec, m method.Regrouper, column *microdata.Column) *draft {
	if step.Same(d.step) && d.of == column {
		return d
	}
	*d = draft{step: step, of: column}
	if m == nil || column == nil {
		return d
	}
	if r, err := m.Regroup(method.Input{Data: s.Current.Data, Scenario: s.Scenario}, column); err == nil {
		d.made, d.levels, d.said = &r, r.Table(), r.Said()
	}
	return d
}

// outcome is the form of a recode with the categories that come about under its fields.
type outcome struct {
	dialogs.StepDialog
	drafted draft
}

// newOutcome opens the form of a recode. Of the ways to say a hierarchy the one that is
// set last counts; the lines of a file of mu-Argus can be typed.
func newOutcome(s views.State, spec method.Spec, m method.Method) *outcome {
	d := &outcome{}
	d.Begin(s, spec, m, d)
	switch m := m.(type) {
	case *recode.Hierarchy:
		d.oneOf(map[string]string{"levels": "", "table": "", "digits": "0", "cut": "0"})
	case *recode.ArgusFile:
		d.Fields = slices.Insert(d.Fields, 2, linesField(&m.Recode))
	}
	return d
}

// newHierarchy opens the form of a hierarchy of a variable: all characters of the longest
// code but one stay.
func newHierarchy(s views.State, column *microdata.Column, back dialogs.Dialog) dialogs.Dialog {
	m := &recode.Hierarchy{Variable: column.Name(), Depth: 1, Digits: 1, Unlisted: recode.UnlistedKeep}
	for _, level := range column.Unrecoded().Categories().Levels {
		m.Digits = max(m.Digits, utf8.RuneCountInString(level.Label)-1)
	}
	d := newOutcome(s, recode.HierarchySpec(), m)
	d.Back, d.NeedK, d.Heading = back, s.K, "Hierarchy of "+s.Titled(column.Name())
	d.At = slices.Index(d.Visible(), d.Named("digits"))
	return d
}

// oneOf makes some fields such that what is set in one empties the others.
func (d *outcome) oneOf(empty map[string]string) {
	for name := range empty {
		field := d.Named(name)
		typed, change := field.Typed, field.Change
		others := func() {
			for _, p := range d.Method.Params() {
				if text, one := empty[p.Name]; one && p.Name != name {
					_ = p.Value.Set(text)
				}
			}
		}
		field.Typed = func(text string) error {
			others()
			return typed(text)
		}
		if change != nil {
			field.Change = func(by int) {
				others()
				change(by)
			}
		}
	}
}

// lineMark parts the lines of a recode file of mu-Argus that is typed.
const lineMark = ";"

// linesField edits the text of a recode file of mu-Argus itself.
func linesField(text *string) *dialogs.Field {
	return &dialogs.Field{Label: "or lines",
		Help: "The lines of a recode file of mu-Argus, with semicolons between: 1: 1-10; 2: 11-20, 25; <MISSING> 98 " +
			"99.",
		Value: func() string {
			lines := strings.FieldsFunc(*text, func(r rune) bool { return r == '\n' || r == '\r' })
			return strings.Join(lines, lineMark+" ")
		},
		Typed: func(typed string) error {
			*text = ""
			for line := range strings.SplitSeq(typed, lineMark) {
				*text += strings.TrimSpace(line) + "\n"
			}
			return nil
		},
		Hidden: func() bool { return strings.ContainsAny(*text, lineMark+"{") }}
}

// Under draws the categories that come about, as many as there is room for.
func (d *outcome) Under(s views.State, width, height int) []string {
	lines := d.StepDialog.Under(s, width, height)
	regrouper, ok := d.Method.(method.Regrouper)
	if !ok || d.Problem() != nil {
		return lines
	}
	column := s.Current.Column(method.TargetOf(regrouper))
	draft := d.drafted.look(s, d.Step(), regrouper, column)
	if len(draft.levels) == 0 {
		return lines
	}
	room, largest, size := max(0, height-len(lines)), 1, min(28, max(8, width/3))
	for _, level := range draft.levels {
		largest = max(largest, level.Count)
	}
	for i, level := range draft.levels {
		if i == room-1 && i < len(draft.levels)-1 {
			return append(lines, s.Theme.Faint.Fit("  … "+draw.Count(len(draft.levels)-i)+" more", width))
		}
		lines = append(lines,
			viewRow(s.Theme, &s.Theme.Plain, "  "+s.WithMeaning(draft.said, level.Name), size, level.Count, largest, width))
	}
	return lines
}

// Rows asks for the fields and the categories.
func (d *outcome) Rows() int { return d.StepDialog.Rows() + len(d.drafted.levels) + 2 }

// reading is the form of a recode file: its recodes are made for the variable that it was
// opened on, or as the file says where that names the variable.
type reading struct {
	dialogs.StepDialog
	method   *recode.Several
	variable string
	read     string // the text that the variables were chosen for
}

func newReading(s views.State, variable string, back dialogs.Dialog) *reading {
	d := &reading{method: &recode.Several{}, variable: variable}
	d.Begin(s, recode.SeveralSpec(), d.method, d)
	d.Fields = slices.Insert(d.Fields, 1, linesField(&d.method.Recodes))
	d.Back, d.NeedK, d.Heading, d.Input = back, s.K, "Recode "+variable+" by a file", draw.NewTextField("")
	return d
}

// Made returns the step that the file makes; ok is false where there is none.
func (d *reading) Made() (session.StepSpec, bool) {
	if text := d.method.Recodes; text != d.read {
		recodes, _ := recode.LoadRecodes([]byte(text)) // the what-if says what is wrong with it
		names := slices.ContainsFunc(recodes, func(one recode.Saved) bool { return one.Variable() == d.variable })
		if d.read = text; names {
			d.method.Variables = nil
		} else if d.method.Variables == nil {
			d.method.Variables = []string{d.variable}
		}
	}
	return d.StepDialog.Made()
}
