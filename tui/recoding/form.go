package recoding

import (
	"slices"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// form is the dialog of a recode that is defined by its parameters: top and bottom coding, rounding, hierarchies,
// files. The resulting categories are drawn under the fields.
type form struct {
	dialogs.StepDialog
	preview preview
}

// newForm opens the form of a recode.
func newForm(s views.State, spec method.Spec, m method.Method) *form {
	d := &form{}
	d.Begin(s, spec, m, d)
	switch m := m.(type) {
	case *recode.TopBottom:
		d.focusIfChosen(s)
		d.addThresholds(s, m)
	case *recode.Round:
		d.focusIfChosen(s)
		d.Named("base").Change = func(by int) {
			if m.Base > 0 && by > 0 {
				m.Base = profile.RoundStep(1.2 * m.Base)
			} else if m.Base > 0 {
				m.Base = profile.RoundStep(m.Base / 3)
			}
		}
	case *recode.Hierarchy:
		d.oneOf(map[string]string{"levels": "", "table": "", "digits": "0", "cut": "0"})
	case *recode.ArgusFile:
		d.Fields = slices.Insert(d.Fields, 2, linesField(&m.Recode))
	}
	return d
}

// focusIfChosen focuses the threshold if the selected variable is set already.
func (d *form) focusIfChosen(s views.State) {
	if d.Named("variable").Value() == s.Selected.Variable {
		d.At = 1
	}
}

// newHierarchy opens the form of a hierarchy of a variable, with one character less than the longest code.
func newHierarchy(s views.State, column *microdata.Column, back dialogs.Dialog) dialogs.Dialog {
	m := &recode.Hierarchy{Variable: column.Name(), Depth: 1, Digits: 1, Unlisted: recode.UnlistedKeep}
	for _, level := range column.Unrecoded().Categories().Levels {
		m.Digits = max(m.Digits, utf8.RuneCountInString(level.Label)-1)
	}
	d := newForm(s, recode.HierarchySpec(), m)
	d.Back, d.NeedK, d.Heading = back, s.K, "Hierarchy of "+s.Titled(column.Name())
	d.At = slices.Index(d.Visible(), d.Named("digits"))
	return d
}

// addThresholds makes arrow keys move the thresholds along the values of the variable, or along its ordered
// categories, and hides the fields that do not apply.
func (d *form) addThresholds(s views.State, m *recode.TopBottom) {
	for _, top := range []bool{true, false} {
		name, number, label := "bottom", &m.Bottom, &m.BottomLevel
		if top {
			name, number, label = "top", &m.Top, &m.TopLevel
		}
		column := func() *microdata.Column { return s.Current.Column(m.Variable) }
		ordered := func() bool { c := column(); return c != nil && !c.Numeric() && c.Categories().Ordered }
		threshold, level := d.Named(name), d.Named(name+"_level")
		threshold.Change = func(by int) {
			if !ordered() { // a number between intervals is typed; names of intervals are moved
				moveThreshold(column(), top, number, label, by)
			}
		}
		threshold.Hidden = func() bool {
			if !ordered() {
				return false
			}
			_, spans := microdata.Spans(column().Categories().Levels)
			return !spans
		}
		threshold.Means = func(s views.State) string { return s.Meaning([]string{threshold.Value()}, m.Variable) }
		level.Change = func(by int) { moveThreshold(column(), top, number, label, by) }
		level.Hidden = func() bool { return !ordered() }
		d.Named(name + "_value").Hidden = func() bool { return m.Replacement != recode.ReplaceByValue }
	}
}

// thresholdSteps is the approximate number of key presses from one end of the values to the other.
const thresholdSteps = 100

// moveThreshold moves a threshold along the values that occur. It starts at its end of the values; moving back
// there removes it.
func moveThreshold(column *microdata.Column, top bool, number **float64, label *string, by int) {
	if column == nil {
		return
	}
	levels, counts, place := []microdata.Level(nil), column.Categories().Counts(), -1
	for i, level := range column.Categories().Levels {
		if counts[i+1] == 0 {
			continue
		}
		if column.Numeric() && *number != nil && level.Value <= **number || !column.Numeric() && level.Label == *label {
			place = len(levels)
		}
		levels = append(levels, level)
	}
	if len(levels) == 0 {
		return
	}
	end := 0
	if top {
		end = len(levels) - 1
	}
	if *number == nil && *label == "" {
		place = end
	}
	if column.Numeric() {
		by *= max(1, len(levels)/thresholdSteps)
	}
	place = max(0, min(len(levels)-1, place+by))
	switch *number, *label = nil, ""; {
	case place == end:
	case column.Numeric():
		*number = &levels[place].Value
	default:
		*label = levels[place].Label
	}
}

// oneOf makes fields mutually exclusive: setting one empties the others.
func (d *form) oneOf(empty map[string]string) {
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

// Under draws the effect of the step and the resulting categories.
func (d *form) Under(s views.State, width, height int) []string {
	lines := d.StepDialog.Under(s, width, height)
	if regrouper, ok := d.Method.(method.Regrouper); ok && d.Problem() == nil {
		p := d.preview.look(s, d.Step(), regrouper, s.Current.Column(method.TargetOf(regrouper)))
		return append(lines, p.view(s, width, height-len(lines))...)
	}
	return lines
}

// Rows returns the number of lines of the fields, the help and the picture.
func (d *form) Rows() int { return 30 }
