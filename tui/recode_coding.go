package tui

import (
	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recode"
	"github.com/sdcdesk/sdcdesk/views"
)

// newCoding opens the form of top and bottom coding on a variable, with a
// threshold above which values are replaced, or none: by the threshold, a given
// number, or the mean of those beyond.
func newCoding(s views.State, variable string, top *float64) Dialog {
	return newForm(s, "recode-topbottom", variable, func(m method.Method) {
		if coding, ok := m.(*recode.TopBottom); ok && top != nil {
			threshold := *top
			coding.Top = &threshold
		}
	})
}

// newRounding opens the form of rounding on a variable, with a base.
func newRounding(s views.State, variable string, base float64) Dialog {
	return newForm(s, "recode-round", variable, func(m method.Method) {
		if round, ok := m.(*recode.Round); ok {
			round.Base = base
		}
	})
}

// newForm opens the form of a method on a variable, with some parameters set;
// nil where there is no such method.
func newForm(s views.State, name, variable string, set func(method.Method)) Dialog {
	spec, ok := catalog.Find(name)
	if !ok {
		return nil
	}
	s.Selected.Variable = variable
	d := newStepDialog(s, spec)
	set(d.method)
	return d
}
