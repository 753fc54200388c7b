package dialogs

import (
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/utility/tradeoff"
	"github.com/sdcdesk/sdcdesk/session"
)

// Grading is a dialog that shows, on all records, the figures of steps that mask more or less than its own. They
// are computed in the background, one at a time, after the figures of its own step.
type Grading interface {
	Dialog
	// Wanted returns the next step to try on the data, or nil. The step being tried must stay wanted until Tried
	// is called, otherwise it is cancelled.
	Wanted(data *microdata.Dataset) *session.StepSpec
	// Tried takes the figures of a step, or the error, and the time it took.
	Tried(step session.StepSpec, found *tradeoff.Figures, err error, took time.Duration)
}
