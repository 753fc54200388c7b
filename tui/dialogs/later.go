package dialogs

import (
	"strconv"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/whatif"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Later asks what becomes of the steps after one that is changed or taken out: done
// again on top, or left on the branch they are on. It shows the figures after the
// last step as it is and as it would be, and names what does not fit any more.
type Later struct {
	WhatIf
	Keyed
	heading string
	what    string         // what becomes of the step
	step    int            // its number
	later   []session.Step // after it
	undone  int            // of these are undone
	Found   *Replayed      // nil: not known yet
}

// Replayed is what it gives to do the later steps again.
type Replayed struct {
	Result *session.Result
	WhatIf *whatif.Result // after the last step: before and as it would be
	Err    error
}

// NewLater returns the dialog of a step that is changed or taken out, its number
// counted from 1; what says what becomes of it. Enter does the later ones again, l
// leaves them.
func NewLater(heading, what string, step int, later []session.Step, undone int,
	replay func(views.State) draw.Action, leave func()) *Later {
	acts := []views.KeyAction{views.EmitsFrom("enter", "replay on top", replay), views.Emits("l", "leave on the old branch", Call(leave)),
		closing("cancel")}
	return &Later{Keyed: Keyed{func() []views.KeyAction { return acts }}, heading: heading, what: what, step: step, later: later,
		undone: undone}
}

// Title asks the question.
func (d *Later) Title() string { return d.heading }

// Rows is the number of lines of the question, of the later steps with what becomes of
// them, and of the figures.
func (d *Later) Rows() int { return 2*len(d.later) + 12 }

// Counting says that the later steps are being done again.
func (d *Later) Counting(meter *progress.Meter, since time.Time) {
	d.Known = Known(whatif.Answer{Pending: true, Meter: meter, Since: since})
}

// Tried takes what was found.
func (d *Later) Tried(r *Replayed) {
	d.Found, d.Known = r, Known(whatif.Answer{WhatIf: r.WhatIf, Err: r.Err})
}

// View draws the later steps, what becomes of them, and the figures after the last.
func (d *Later) View(s views.State, width, height int) string {
	s.NotApplicable = "" // of the last step that counts, not where the session stands
	figures := d.Figures(true, "")
	figures.Within = "last step"
	return d.Beside(s, figures, width, height, func(width, height int) []string {
		lines := s.Plain.Wrapped(d.what, width)
		text := wording.Counted(len(d.later), "later step")
		switch {
		case d.undone == len(d.later):
			text += ", undone"
		case d.undone > 0:
			text += ", " + wording.Number(d.undone) + " of them undone"
		}
		lines = append(lines, "", s.Heading.Fit(text+":", width))
		lines = append(lines, d.lines(s, width)...)
		if len(lines)+3 <= height {
			lines = append(lines, "")
			lines = s.Faint.Append(lines, "The old branch is kept; undo returns to it.", width)
		}
		return Shortened(s.Theme, lines, width, height)
	})
}

// lines name the later steps: what they do when they are done again, where that is
// something else, or why they do not fit any more.
func (d *Later) lines(s views.State, width int) []string {
	var lines []string
	var again []session.Step
	known := d.Found != nil && d.Found.Result != nil
	if known {
		again = d.Found.Result.Replayed()
	}
	for i := range d.later {
		text := strconv.Itoa(d.step+1+i) + " " + d.later[i].Title
		switch left := d.left(i); {
		case !known:
			lines = append(lines, s.Plain.Fit("  "+text, width))
		case left != nil:
			lines = append(lines, s.Warning.Fit("✗ "+text, width))
			lines = s.Warning.Append(lines, "no longer fits: "+left.Reason, width)
		default:
			lines = append(lines, s.Plain.Fit("✓ "+text, width))
			if was, now := d.later[i].Report.Effect, again[0].Report.Effect; was != now {
				lines = append(lines, s.Changed.Fit("    "+now+" (was: "+was+")", width))
			}
			again = again[1:]
		}
	}
	return lines
}

// left returns why a later step is left out; nil: it is not, or that is not known.
func (d *Later) left(i int) *session.Conflict {
	if d.Found == nil || d.Found.Result == nil {
		return nil
	}
	for j := range d.Found.Result.Left {
		if left := &d.Found.Result.Left[j]; left.Step == d.step+i { // counted from 0
			return left
		}
	}
	return nil
}
