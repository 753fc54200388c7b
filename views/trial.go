package views

import (
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Trial is a candidate: a step that was tried on the current data, and what measures
// tell of the data after it.
type Trial struct {
	Title    string
	Told     measure.Set // the numbers; nil: not known yet
	Err      error
	Meanings []method.Meaning // of what it names
	Counting bool             // it is being tried
	Stale    bool             // it was tried on other data than the current ones
}
