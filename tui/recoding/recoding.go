package recoding

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// manyLevels is the number of levels from which a numeric variable opens
// with intervals instead of categories.
const manyLevels = 13

// NewDialog opens the recode dialog of a variable in the form that fits
// it; nil where the variable is not in the file or has no value to recode.
func NewDialog(s views.State, variable string) dialogs.Dialog {
	column := s.Current.Column(variable)
	if column == nil || len(column.Categories().Levels) == 0 {
		return nil
	}
	earlier := earlierIntervals(s, variable)
	source := column.Unrecoded()
	if source.Numeric() && (earlier != nil || len(source.Categories().Levels) >= manyLevels) {
		return newRecodeIntervals(s, column, earlier)
	}
	return newRecodeGroups(s, column)
}

// earlierIntervals returns the last recode by intervals of the variable that
// stands; nil where there is none.
func earlierIntervals(s views.State, variable string) *recode.Intervals {
	standing, _ := standingRecodes(s, variable) // steps that were made can be read
	for _, saved := range slices.Backward(standing) {
		m, err := saved.Method()
		if earlier, ok := m.(*recode.Intervals); ok && err == nil {
			return earlier
		}
	}
	return nil
}

// standingRecodes returns the recodes of the variable that stand, in their order.
func standingRecodes(s views.State, variable string) ([]recode.Saved, error) {
	var steps []recode.Saved
	for _, step := range s.Standing() {
		steps = append(steps, recode.Saved{Step: step.Name, Params: step.Params})
	}
	standing, err := session.StandingRecodes(steps)
	return slices.DeleteFunc(standing, func(saved recode.Saved) bool { return saved.Variable() != variable }), err
}

// newCoding opens the form of top and bottom coding on a variable, with a
// threshold above which values are replaced, or none: by the threshold, a given
// number, or the mean of those beyond.
func newCoding(s views.State, variable string, top *float64) dialogs.Dialog {
	spec := recode.TopBottomSpec()
	m := spec.New()
	if top != nil {
		threshold := *top
		m.(*recode.TopBottom).Top = &threshold
	}
	return newForm(s, spec, variable, m)
}

// newForm opens the form of a method on a variable, some of its parameters set.
func newForm(s views.State, spec method.Spec, variable string, m method.Method) dialogs.Dialog {
	s.Selected.Variable = variable
	if d := NewForm(s, spec, m); d != nil {
		return d
	}
	d := &dialogs.StepDialog{}
	d.Begin(s, spec, m, d)
	return d
}

// NewForm opens the form of a method that shows a picture; nil of one that has none.
func NewForm(s views.State, spec method.Spec, m method.Method) dialogs.Dialog {
	switch m := m.(type) {
	case *recode.TopBottom:
		return newTailCoding(s, spec, m)
	case *recode.Round:
		return newRounding(s, spec, m)
	}
	return nil
}

// suggestAct opens the suggestions for a variable; for one that is no key the message
// says why there are none.
func suggestAct(s views.State, variable string, back dialogs.Dialog, message *string) dialogs.Act {
	return dialogs.NewAct("S", "suggest", dialogs.Swaps(func() dialogs.Dialog {
		if !slices.Contains(s.Scenario.Keys, variable) {
			*message = "only recodes of key variables are suggested: others have no violators"
			return nil
		}
		return NewSuggestions(s, variable, back)
	}))
}

// fileActs read recodes of a variable from a file, and write those that stand and the
// one that is being made.
func fileActs(s views.State, variable string, back makes) []dialogs.Act {
	return []dialogs.Act{
		dialogs.NewAct("o", "open file", dialogs.Swaps(func() dialogs.Dialog { return newRecodeReading(s, variable, back) })),
		dialogs.NewAct("w", "write file",
			dialogs.Swaps(func() dialogs.Dialog { return newRecodeWriting(s, variable, back) })),
	}
}
