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
	d := &dialogs.StepDialog{}
	d.Begin(s, spec, m, d)
	return d
}
