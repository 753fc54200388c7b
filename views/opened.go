package views

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Opened is a measure that somebody opened, and what it tells of the data at one
// position. While it is computed anew the old figures stay, with the position that
// they are of.
type Opened struct {
	Spec              measure.Spec    // of its name alone where the program does not have it
	Params            json.RawMessage // as the session keeps them
	Original, Current *measure.Entry  // nil: not known yet
	Of                string          // the position of the figures: "step 3"; "": none are known
	Stale             bool            // the data are others by now
	Stopped           bool            // somebody ended the computing
	Err               error
	Meter             *progress.Meter // of the computing; nil: it has not begun
	Since             time.Time
}

// Measured returns an open measure of a name; nil where there is none.
func (s State) Measured(name string) *Opened {
	for i := range s.Measures {
		if s.Measures[i].Spec.Name == name {
			return &s.Measures[i]
		}
	}
	return nil
}

// Waiting says why no figures stand there; "" where some do.
func (o *Opened) Waiting() string {
	switch {
	case o.Err != nil:
		return o.Err.Error()
	case o.Stopped && o.Current == nil:
		return "Not computed: it was stopped. c computes it."
	case o.Current == nil:
		return "counting …"
	case o.Current.NotApplicable != "":
		return notApplicable(o.Current.NotApplicable)
	}
	return ""
}

// News says that the figures are of an earlier position, and how far the new ones
// are; "" where they are of the current data.
func (o *Opened) News(s State, width int) string {
	if !o.Stale && o.Current != nil || o.Err != nil {
		return ""
	}
	text := ""
	if o.Of != "" {
		text = " " + draw.StaleMark + " as of " + o.Of + ", not of the current data"
	}
	if o.Stopped {
		return s.Warning.Fit(text+"; c computes it", width)
	}
	if line := Underway(s, o.Meter, o.Since, max(0, width-draw.Width(text))); line != "" {
		return s.Warning.Render(text) + line
	}
	return s.Warning.Fit(text, width)
}

// OriginalSet returns the figures of the data as they were read, as a set.
func (o *Opened) OriginalSet() measure.Set {
	if o.Original == nil {
		return nil
	}
	return measure.Set{*o.Original}
}

// tableBefore returns a table of the data as they were read; nil where there is none.
func (o *Opened) tableBefore(name string) *measure.Table {
	if o.Original == nil {
		return nil
	}
	tables := o.Original.Values.Tables
	if at := slices.IndexFunc(tables, func(t measure.Table) bool { return t.Name == name }); at >= 0 {
		return &tables[at]
	}
	return nil
}
