package dialogs

import (
	"strconv"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/whatif"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// LaterSteps asks what to do with the steps after one that is changed or removed: replay them, or leave them on their
// branch. It shows the figures after the last step, before and after the change, and names steps that no longer
// fit.
type LaterSteps struct {
	WhatIf
	KeyHandler
	heading string
	what    string         // what happens to the step
	step    int            // its number
	later   []session.Step // the steps after it
	undone  int            // number of these that are undone
	Found   *ReplayResult  // nil: not known yet
}

// ReplayResult is the result of replaying the later steps.
type ReplayResult struct {
	Result *session.Result
	WhatIf *whatif.Result // figures after the last step, before and after the change
	Err    error
}

// NewLater returns the dialog for a step, counted from 1, that is changed or removed; what says what happens to
// it. Enter replays the later steps, l leaves them.
func NewLater(heading, what string, step int, later []session.Step, undone int,
	replay func(views.State) draw.Action, leave func()) *LaterSteps {
	acts := []views.KeyAction{views.EmitsFrom("enter", "replay later steps", replay), views.Emits("l", "do not replay", Call(leave)),
		closing("cancel")}
	return &LaterSteps{KeyHandler: KeyHandler{func() []views.KeyAction { return acts }}, heading: heading, what: what, step: step, later: later,
		undone: undone}
}

// Title returns the heading.
func (d *LaterSteps) Title() string { return d.heading }

// Rows returns the number of lines of the question, the later steps, and the figures.
func (d *LaterSteps) Rows() int { return 2*len(d.later) + 12 }

// Counting shows that the later steps are being replayed.
func (d *LaterSteps) Counting(meter *progress.Meter, since time.Time) {
	d.Known = Known(whatif.Answer{Pending: true, Meter: meter, Since: since})
}

// Tried takes the result of the replay.
func (d *LaterSteps) Tried(r *ReplayResult) {
	d.Found, d.Known = r, Known(whatif.Answer{WhatIf: r.WhatIf, Err: r.Err})
}

// View draws the later steps, what happens to them, and the figures after the last one.
func (d *LaterSteps) View(s views.State, width, height int) string {
	s.NotApplicable = "" // the state after the last step matters, not the current one
	figures := d.Figures(true, "")
	figures.Within = "last step"
	return d.NextTo(s, figures, width, height, func(width, height int) []string {
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
		return Shortened(s.Theme, lines, width, height)
	})
}

// lines describes the later steps: a new effect if they are replayed, or why they no longer fit.
func (d *LaterSteps) lines(s views.State, width int) []string {
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
				lines = append(lines, s.Changed.Fit("    "+now+" (was "+brief(was, now)+")", width))
			}
			again = again[1:]
		}
	}
	return lines
}

// brief returns the earlier effect of a step, without the words after its number if the effect now has the same.
func brief(was, now string) string {
	if number, words, _ := strings.Cut(was, " "); words != "" && strings.HasSuffix(now, " "+words) {
		return number
	}
	return was
}

// left returns why a later step is left out, or nil if it is not or the result is not known.
func (d *LaterSteps) left(i int) *session.Conflict {
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
