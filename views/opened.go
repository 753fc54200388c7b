package views

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Opened is an active measure with its figures at one position. While it is recomputed, the old figures remain
// with their position.
type Opened struct {
	Spec              measure.Spec    // has only a name if the program does not know the measure
	Params            json.RawMessage // as stored by the session
	Original, Current *measure.Entry  // nil if not known yet
	Of                string          // the position of the figures, such as "step 3"; "" if none are known
	Stale             bool            // the data have changed since
	Stopped           bool            // the user stopped the computation
	Err               error
	Meter             *progress.Meter // progress of the computation; nil if it has not begun
	Since             time.Time
}

// Measured returns the active measure with a name, or nil.
func (s State) Measured(name string) *Opened {
	for i := range s.Measures {
		if s.Measures[i].Spec.Name == name {
			return &s.Measures[i]
		}
	}
	return nil
}

// Waiting returns the reason why no figures are shown, or "".
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

// News returns a line that the figures are of an earlier position, and the progress of the new ones; "" if the
// figures are current.
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

// OriginalSet returns the figures of the original data as a set.
func (o *Opened) OriginalSet() measure.Set {
	if o.Original == nil {
		return nil
	}
	return measure.Set{*o.Original}
}

// tableBefore returns a table of the original data, or nil.
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
