package dialogs

import (
	"slices"
	"strconv"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// search is what a dialog wishes of the search for its step.
type search struct {
	data   *microdata.Dataset // in which it is looked for
	wanted time.Duration
	kept   session.StepSpec // a step that is changed: as long as it is the same, it is not searched for
	typed  bool             // the iterations are those that were typed
}

// searchFor is how long steps are searched for, and by how much longer.
const searchFor = 2 * time.Second

// beginSearch wishes a search. The field of the iterations, where there is one, shows
// those of the search; one that is typed into is made with what was typed.
func (d *StepDialog) beginSearch(data *microdata.Dataset) {
	d.search = search{data: data, wanted: searchFor}
	at := slices.IndexFunc(d.Fields, func(field *Field) bool { return field.name == "iterations" })
	if d.spec.Search == nil || at < 0 {
		return
	}
	field := d.Fields[at]
	value, typed, change := field.Value, field.Typed, field.Change
	field.Help += "; if empty, as many as the search needs"
	field.Value = func() string {
		if step, _ := d.Self.Made(); d.Known.Search != nil && d.Searches() && !d.keeps(step) {
			return strconv.Itoa(d.Known.Search.Iterations)
		}
		return value()
	}
	field.Typed = func(text string) error {
		err := typed(text)
		d.search.typed = d.search.typed || err == nil
		return err
	}
	if change == nil {
		return
	}
	field.Change = func(by int) {
		if field.Typed(field.Value()) == nil {
			change(by)
		}
	}
}

// Searches reports whether the step is one that is searched for.
func (d *StepDialog) Searches() bool {
	return d.spec.Search != nil && d.spec.Searches(d.Method, d.search.data)
}

// searching reports whether a search goes on.
func (d *StepDialog) searching() bool {
	return d.Known.Search != nil && d.Known.Pending && d.Err() == nil
}

// Keep sets the step that is being changed, of which the iterations are known.
func (d *StepDialog) Keep(step session.StepSpec) { d.search.kept = step }

// keeps reports whether the iterations of the dialog's step are given: they were typed,
// or it is the step that is being changed.
func (d *StepDialog) keeps(step session.StepSpec) bool {
	kept := d.search.kept
	return d.search.typed || kept.Step != "" && string(kept.Params) == string(step.Params)
}

// searchLonger lets the search go on from where it is.
func (d *StepDialog) searchLonger() {
	if step, _ := d.Self.Made(); d.keeps(step) {
		d.search = search{data: d.search.data, wanted: searchFor}
		return
	}
	reached := time.Duration(0)
	if d.Known.Search != nil {
		reached = d.Known.Search.Elapsed
	}
	d.search.wanted = max(d.search.wanted, reached) + searchFor
}

// found returns the step to apply: of a search, that which gives what the
// figures show, in the place of that of the fields.
func (d *StepDialog) found(step session.StepSpec) session.StepSpec {
	if d.Searches() && d.Known.Search != nil && d.Known.Search.Step.Step != "" {
		return d.Known.Search.Step
	}
	return step
}

// searchedSoFar draws the best that a search which goes on has found.
func (d *StepDialog) searchedSoFar(s views.State, width int) []string {
	if d.Known.Search == nil {
		return nil
	}
	return append(s.Changed.Wrapped(d.Known.Search.Account.Effect, width), d.Searched(s, width)...)
}

// Searched says for how long has been searched.
func (d *StepDialog) Searched(s views.State, width int) []string {
	search := d.Known.Search
	if !d.Searches() || search == nil {
		return nil
	}
	text := "searched for " + draw.Duration(search.Elapsed)
	switch {
	case search.Proven:
		text += ": optimal"
	case d.searching():
		text = "searching " + draw.Duration(search.Elapsed) + " of " + draw.Duration(d.search.wanted) + " · enter ends it"
	default:
		text += " · + goes on"
	}
	return s.Faint.Wrapped(text, width)
}
