package recoding

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// editor is the common part of the views of a recode: each edits a draft from which the dialog makes a step. They
// share the list of categories with their records, the text field, and the keys that switch between views.
type editor struct {
	dialogs.StepDialog
	column  *microdata.Column // the column at the last key
	recode  func() (step string, m method.Regrouper)
	input   *draw.TextField // the text being typed; nil: none
	message string          // why the last key had no effect
	about   *method.Spec    // the method that the view was opened for; nil: none
	list    dialogs.RowsShown
	preview preview
}

// begin opens a view on a variable. recode returns the method of the draft, nil if it makes no step.
func (d *editor) begin(s views.State, column *microdata.Column, self dialogs.Parts, heading string,
	recode func() (step string, m method.Regrouper)) {
	d.column, d.Self, d.NeedK, d.Heading, d.recode = column, self, s.K, heading, recode
}

// Made returns the step of the draft; ok is false if there is none or a field has an error.
func (d *editor) Made() (step session.StepSpec, ok bool) {
	name, m := d.recode()
	if m == nil || d.Err() != nil {
		return step, false
	}
	return dialogs.StepOf(name, m), true
}

// Page explains the method of the draft.
func (d *editor) Page() *dialogs.Text {
	name, _ := d.recode()
	spec, ok := method.Catalog(recode.Specs()).Find(name)
	switch {
	case !ok && d.about != nil:
		spec = *d.about
	case !ok:
		spec = recode.GroupSpec()
	}
	return dialogs.NewMethodPage(spec, spec.New(), d.Self.(dialogs.Dialog).Keys())
}

// Typing reports whether a text is being typed.
func (d *editor) Typing() bool { return d.input != nil }

// typeInto handles a key while text is typed; take gets the text at enter.
func (d *editor) typeInto(msg tea.KeyPressMsg, take func(text string) draw.Action) draw.Action {
	switch msg.String() {
	case "esc":
		d.input = nil
	case "enter":
		return take(strings.TrimSpace(d.input.Text()))
	default:
		d.input.Handle(msg)
	}
	return draw.Handled{}
}

// otherViews returns the keys that switch to other views of the same variable; beyond is the top coding that
// starts at the cursor.
func (d *editor) otherViews(s views.State, view dialogs.Dialog, beyond recode.TopBottom) []views.KeyAction {
	leads := func(key, text string, other func() dialogs.Dialog) views.KeyAction {
		return views.EmitsFrom(key, text, dialogs.Swaps(other))
	}
	variable := d.column.Name()
	acts := []views.KeyAction{
		leads("H", "hierarchy", func() dialogs.Dialog { return newHierarchy(s, d.column, view) }),
		views.EmitsFrom("S", "suggest", func(views.State) draw.Action {
			if !slices.Contains(s.Scenario.Keys, variable) {
				d.message = "only recodes of key variables are suggested"
				return nil
			}
			return views.OpenPlans{Variable: variable}
		}),
	}
	if _, groups := view.(*recodeGroups); !groups {
		acts = append(acts, leads("v", "list categories", func() dialogs.Dialog { return newRecodeGroups(s, d.column) }))
	} else if d.column.Unrecoded().Numeric() {
		acts = append(acts, leads("v", "list intervals",
			func() dialogs.Dialog { return newRecodeIntervals(s, d.column, earlierIntervals(s, variable)) }))
	}
	s.Selected.Variable = variable
	if numeric := d.column.Unrecoded().Numeric(); numeric || d.column.Categories().Ordered {
		beyond.Variable, beyond.Replacement = variable, recode.ReplaceByThreshold
		acts = append(acts, leads("T", "top and bottom coding",
			func() dialogs.Dialog { return newForm(s, recode.TopBottomSpec(), &beyond) }))
		if numeric {
			acts = append(acts, leads("R", "round",
				func() dialogs.Dialog { return newForm(s, recode.RoundSpec(), &recode.Round{Variable: variable}) }))
		}
	}
	return append(acts, leads("o", "open file", func() dialogs.Dialog { return newReading(s, variable, view) }))
}

// hintLines is the number of lines of keys shown under the list, if there is room; the line before them is empty.
const hintLines = 4

// viewList draws lines, of which the first is the text field if text is typed, the rows of a list around the
// chosen one, and the keys that are not in known. If there is little room, the list is more important than the
// lines after the first.
func (d *editor) viewList(theme *draw.Theme, lines []string, width, height, n, at int, known []string,
	row func(i int) string) []string {
	if height <= len(lines)+1 {
		lines = lines[:1]
	}
	switch {
	case height == 1 && d.Typing():
		return lines
	case height == 1:
		lines = nil
	}
	rows, list := dialogs.InSight(theme, n, at, width, height-len(lines), row, nil)
	list.Top += len(lines)
	d.list, lines = list, append(lines, rows...)
	if d.Typing() {
		return lines
	}
	keys := slices.DeleteFunc(d.More(), func(b key.Binding) bool { return slices.Contains(known, b.Help().Key) })
	return append(lines, viewHints(theme, keys, width, height-len(lines))...)
}

// viewHints draws as many keys as fit below a list that leaves free lines, none if there is no room for two lines.
func viewHints(theme *draw.Theme, keys []key.Binding, width, free int) []string {
	rows := min(free-1, hintLines)
	if rows < 2 {
		return nil
	}
	lines, line, used := []string{""}, "", 0
	for _, binding := range keys {
		help := binding.Help()
		size := draw.Width(help.Key) + 1 + draw.Width(help.Desc)
		if used > 0 && used+2+size > width {
			if lines, line, used = append(lines, line), "", 0; len(lines) > rows {
				return lines
			}
		}
		if used > 0 {
			line, used = line+"  ", used+2
		}
		line += theme.Key.Render(help.Key) + " " + theme.KeyText.Fit(help.Desc,
			min(draw.Width(help.Desc), max(1, width-draw.Width(help.Key)-1)))
		used += size
	}
	return append(lines, line)
}

// viewRow draws a category: its name, a bar and its records.
func viewRow(theme *draw.Theme, style *draw.Style, name string, size, records, largest, width int) string {
	return style.Fit(name, size) + " " + dialogs.Bar(theme, records, largest, width-size-1)
}
