package suppression

import (
	"time"

	"github.com/sdcdesk/sdcdesk/engine/suppress"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
)

// searching reports whether a search goes on.
func (d *kAnonymity) searching() bool {
	return d.Known.Search != nil && d.Known.Pending && d.Err() == nil
}

// keeps reports whether the dialog stands at the thorough step that is being
// changed: its iterations are known.
func (d *kAnonymity) keeps() bool {
	return d.kept.Step != "" && string(d.kept.Params) == string(d.Step().Params)
}

// searchLonger lets the search go on from where it is.
func (d *kAnonymity) searchLonger() {
	if d.keeps() {
		d.kept, d.method.Iterations, d.search = session.StepSpec{}, 0, searchFor
		return
	}
	reached := time.Duration(0)
	if d.Known.Search != nil {
		reached = d.Known.Search.Elapsed
	}
	d.search = max(d.search, reached) + searchFor
}

// found returns the step to apply: of a search, that which gives what the
// figures show.
func (d *kAnonymity) found() session.StepSpec {
	if d.method.Algorithm == suppress.Thorough && d.Known.Search != nil && d.Known.Search.Step.Step != "" {
		return d.Known.Search.Step
	}
	return d.Step()
}

// progress draws how far the search has come: a bar over its time, and the best
// so far beside the bound.
func (d *kAnonymity) progress(s views.State, width int) []string {
	search := d.Known.Search
	if d.method.Algorithm != suppress.Thorough || search == nil {
		return nil
	}
	text := "searched for " + views.Duration(search.Elapsed)
	switch {
	case search.Proven:
		text += ": nothing better exists"
	case d.searching():
		text = "searching " + views.Duration(search.Elapsed) + " of " + views.Duration(d.search) + " · enter ends it"
	default:
		text += " · + goes on"
	}
	return views.Wrapped(s.Theme.Faint.Render, text, width)
}
