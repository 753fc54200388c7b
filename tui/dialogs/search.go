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

// search is what a dialog requests of the search for its step.
type search struct {
	data   *microdata.Dataset // the data to search in
	wanted time.Duration
	kept   session.StepSpec // a step being changed: while it is the same, there is no search
	typed  bool             // the user typed the iterations
}

// searchFor is the search time, and how much longer + searches.
const searchFor = 2 * time.Second

// beginSearch requests a search. The field of the iterations, if there is one, shows those of the search; a typed
// number is used instead.
func (d *StepDialog) beginSearch(data *microdata.Dataset) {
	d.search = search{data: data, wanted: searchFor}
	at := slices.IndexFunc(d.Fields, func(field *Field) bool { return field.name == "iterations" })
	if d.spec.Search == nil || at < 0 {
		return
	}
	field := d.Fields[at]
	value, typed, change := field.Value, field.Typed, field.Change
	field.Help += " If empty, as many as the search needs."
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

// Searches reports whether the method searches for its step.
func (d *StepDialog) Searches() bool {
	return d.spec.Search != nil && d.spec.Searches(d.Method, d.search.data)
}

// searching reports whether a search is running.
func (d *StepDialog) searching() bool {
	return d.Known.Search != nil && d.Known.Pending && d.Err() == nil
}

// Keep sets the step being changed, whose iterations are known.
func (d *StepDialog) Keep(step session.StepSpec) { d.search.kept = step }

// keeps reports whether the iterations of the step are given: the user typed them, or it is the step being
// changed.
func (d *StepDialog) keeps(step session.StepSpec) bool {
	kept := d.search.kept
	return d.search.typed || kept.Step != "" && string(kept.Params) == string(step.Params)
}

// searchLonger continues the search.
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

// found returns the step to apply: after a search the one of the figures shown, otherwise that of the fields.
func (d *StepDialog) found(step session.StepSpec) session.StepSpec {
	if d.Searches() && d.Known.Search != nil && d.Known.Search.Step.Step != "" {
		return d.Known.Search.Step
	}
	return step
}

// searchedSoFar draws the best result of a running search.
func (d *StepDialog) searchedSoFar(s views.State, width int) []string {
	if d.Known.Search == nil {
		return nil
	}
	return append(s.Changed.Wrapped(d.Known.Search.Account.Effect, width), d.Searched(s, width)...)
}

// Searched returns a line with the search time.
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
