package dialogs

import (
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/utility/tradeoff"
	"github.com/sdcdesk/sdcdesk/session"
)

// Grading is a dialog that shows what steps that mask more or less than its own give on
// all records. They are made beside the screen, one at a time, when the figures of its own
// step are there.
type Grading interface {
	Dialog
	// Wanted returns the step that is to be tried next on the data; nil: none. One that
	// is being tried stays wanted until Tried, or it is cancelled.
	Wanted(data *microdata.Dataset) *session.StepSpec
	// Tried takes what a step gave, or why it cannot be made, and how long that took.
	Tried(step session.StepSpec, found *tradeoff.Figures, err error, took time.Duration)
}
