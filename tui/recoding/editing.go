package recoding

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// NewEditing opens the recode dialog of a step as the step was made, on
// the data before it; nil where it has no such dialog, or where the data no
// longer have what it names.
func NewEditing(s views.State, step session.StepSpec) dialogs.Dialog {
	saved := recode.Saved{Step: step.Step, Params: step.Params}
	made, err := saved.Method()
	if err != nil {
		return nil
	}
	variable := saved.Variable()
	column := s.Current.Column(variable)
	if column == nil {
		return nil
	}
	switch m := made.(type) {
	case *recode.Intervals:
		return newRecodeIntervals(s, column, m)
	case *recode.Hierarchy:
		d := newRecodeHierarchy(s, column, nil)
		d.takeMade(m)
		return d
	case *recode.ArgusFile:
		d := newRecodeReading(s, variable, nil)
		d.takeMade(m)
		return d
	}
	d := newRecodeGroups(s, column)
	if !d.takeMade(made) {
		return nil
	}
	return d
}

// takeMade puts the dialog back to where a step was made from it; false where
// the categories that the step names are not there.
func (d *recodeGroups) takeMade(made any) bool {
	switch m := made.(type) {
	case *recode.Group:
		d.takeGroup(m)
		return true
	case *recode.Rename:
		if !d.choose(m.Level) {
			return false
		}
		d.label, d.rename = draw.NewTextField(m.Label), true
		return true
	case *recode.Split:
		if !d.choose(m.Level) {
			return false
		}
		d.beginSplit()
		return true
	case *recode.Order:
		d.takeOrder(m.Levels)
		return true
	}
	return false
}

// takeGroup marks the categories of a merge, with the cursor on the last of them.
func (d *recodeGroups) takeGroup(m *recode.Group) {
	d.group = m.Label
	for i, level := range d.column.Categories().Levels {
		if slices.Contains(m.Levels, level.Label) {
			d.marked[uint32(i+1)] = true
		}
	}
	if m.IncludeMissing {
		d.marked[0] = true
	}
	for at, code := range d.order {
		if d.marked[code] {
			d.at = at
		}
	}
}

// takeOrder puts the named categories first, in their order; the others follow
// as they are.
func (d *recodeGroups) takeOrder(labels []string) {
	place := make(map[string]int, len(labels))
	for i, label := range labels {
		place[label] = i - len(labels) // below 0, which others have
	}
	slices.SortStableFunc(d.order, func(a, b uint32) int {
		return place[d.levelLabel(a)] - place[d.levelLabel(b)] // missing, the last, stays so
	})
	d.intent = toOrder
}

// choose moves the cursor to a category; false where there is none of the label.
func (d *recodeGroups) choose(label string) bool {
	code, ok := d.column.Categories().CodeOf(label)
	if !ok {
		return false
	}
	d.at = max(0, slices.Index(d.order, code))
	return true
}

// takeMade fills the fields from a step.
func (d *recodeHierarchy) takeMade(m *recode.Hierarchy) {
	d.unlisted = m.Unlisted
	switch {
	case m.Digits > 0:
		d.way, d.number = byCharacters, m.Digits
	case m.Cut > 0:
		d.way, d.number = byCut, m.Cut
	default:
		d.way, d.table, d.depth, d.At = byTable, m.Levels, m.Depth, 3 // how coarse is in focus
	}
}

// takeMade fills the fields from a step: its lines can be edited.
func (d *recodeReading) takeMade(m *recode.ArgusFile) {
	d.argus, d.Input, d.At = m, nil, 1
}
