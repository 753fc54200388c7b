package recoding

import (
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recode"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// newCoding opens the form of top and bottom coding on a variable, with a
// threshold above which values are replaced, or none: by the threshold, a given
// number, or the mean of those beyond.
func newCoding(s views.State, variable string, top *float64) dialogs.Dialog {
	return newForm(s, recode.TopBottomSpec(), variable, func(m method.Method) {
		if coding, ok := m.(*recode.TopBottom); ok && top != nil {
			threshold := *top
			coding.Top = &threshold
		}
	})
}

// newRounding opens the form of rounding on a variable, with a base.
func newRounding(s views.State, variable string, base float64) dialogs.Dialog {
	return newForm(s, recode.RoundSpec(), variable, func(m method.Method) {
		if round, ok := m.(*recode.Round); ok {
			round.Base = base
		}
	})
}

// newForm opens the form of a method on a variable, with some parameters set.
func newForm(s views.State, spec method.Spec, variable string, set func(method.Method)) dialogs.Dialog {
	s.Selected.Variable = variable
	d := dialogs.NewStepDialog(s, spec)
	set(d.Method)
	return d
}
