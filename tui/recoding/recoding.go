package recoding

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// manyLevels is the number of levels from which a numeric variable opens with intervals instead of categories.
const manyLevels = 13

// NewDialog opens the recode dialog of a variable in the view that fits it, or returns nil if the variable does
// not exist or has no value to recode.
func NewDialog(s views.State, variable string) dialogs.Dialog {
	column := s.Current.Column(variable)
	if column == nil || len(column.Categories().Levels) == 0 {
		return nil
	}
	earlier := earlierIntervals(s, variable)
	source := column.Unrecoded()
	if _, dates := source.Categories().Days(); dates && source.Kind() == microdata.Category {
		spec := recode.DatesSpec()
		m := spec.New().(*recode.Dates)
		m.Variable = variable
		return newForm(s, spec, m)
	}
	if source.Numeric() && (earlier != nil || len(source.Categories().Levels) >= manyLevels) {
		return newRecodeIntervals(s, column, earlier)
	}
	return newRecodeGroups(s, column)
}

// NewForm opens the view or the form of a method that shows more than its parameters, or returns nil for other
// methods.
func NewForm(s views.State, spec method.Spec, m method.Method) dialogs.Dialog {
	switch m := m.(type) {
	case *recode.Group, *recode.Rename, *recode.Split, *recode.Order:
		return newCategories(s, spec, m)
	case method.Regrouper:
		return newForm(s, spec, m)
	}
	return nil
}

// newCategories opens the view of categories for a method, with the selected variable if it can be recoded.
func newCategories(s views.State, spec method.Spec, m method.Method) dialogs.Dialog {
	spec.Proposal(m, method.Input{Data: s.Current.Data, Scenario: s.Scenario}, s.Selected.Variable)
	column := s.Current.Column(method.TargetOf(m))
	if column == nil || len(column.Categories().Levels) == 0 {
		return nil
	}
	d := newRecodeGroups(s, column)
	d.about = &spec
	switch m.(type) {
	case *recode.Rename:
		d.message = "choose a category, then press r to rename it"
	case *recode.Split:
		d.message = "choose a category, then press x to split it"
	case *recode.Order:
		d.message = "choose a category, then press J or K to move it"
	}
	return d
}

// earlierIntervals returns the last applied recode by intervals of the variable, or nil.
func earlierIntervals(s views.State, variable string) *recode.Intervals {
	var steps []recode.RecodeFile
	for _, step := range s.Standing() {
		steps = append(steps, recode.RecodeFile{Step: step.Name, Params: step.Params})
	}
	standing, _ := session.StandingRecodes(steps) // applied steps can be parsed
	for _, saved := range slices.Backward(standing) {
		m, err := saved.Method()
		if earlier, ok := m.(*recode.Intervals); ok && err == nil && earlier.Variable == variable {
			return earlier
		}
	}
	return nil
}

// NewEditing opens the recode dialog of a step with its parameters, on the data before it. It returns nil if there
// is no such dialog, or if the data lack what the step names.
func NewEditing(s views.State, step session.StepSpec) dialogs.Dialog {
	saved := recode.RecodeFile{Step: step.Step, Params: step.Params}
	made, err := saved.Method()
	column := s.Current.Column(saved.Variable())
	if err != nil || column == nil {
		return nil
	}
	d := newRecodeGroups(s, column)
	switch m := made.(type) {
	case *recode.Intervals:
		return newRecodeIntervals(s, column, m)
	case *recode.Group:
		d.takeGroup(m)
	case *recode.Rename:
		if !d.takeLevel(m.Level) {
			return nil
		}
		d.input = draw.NewTextField(m.Label)
	case *recode.Split:
		if !d.takeLevel(m.Level) {
			return nil
		}
		d.beginSplit()
	case *recode.Order:
		d.takeOrder(m.Levels)
	default:
		return nil
	}
	return d
}

// takeGroup marks the categories of a merge, with the cursor on the last of them.
func (d *recodeGroups) takeGroup(m *recode.Group) {
	d.group = m.Label
	for at, code := range d.order {
		if code == 0 && m.IncludeMissing || code != 0 && slices.Contains(m.Levels, d.levelLabel(code)) {
			d.marked[code], d.at = true, at
		}
	}
}

// takeOrder puts the named categories first, in their order; the others keep theirs.
func (d *recodeGroups) takeOrder(labels []string) {
	place := make(map[string]int, len(labels))
	for i, label := range labels {
		place[label] = i - len(labels) // negative, so before all others
	}
	slices.SortStableFunc(d.order, func(a, b uint32) int {
		return place[d.levelLabel(a)] - place[d.levelLabel(b)] // missing stays last
	})
	d.intent = toOrder
}

// takeLevel moves the cursor to the category with a label; it returns false if there is none.
func (d *recodeGroups) takeLevel(label string) bool {
	code, ok := d.column.Categories().CodeOf(label)
	d.choose(code)
	return ok
}
