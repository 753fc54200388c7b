package tui

import (
	"context"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/tui/job"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// replacement is a step that is to be changed or taken out.
type replacement struct {
	heading, what string
	work          string // what runs, in the line of work
	step          int    // counted from 0
	prepare       func() (session.Job, error)
}

// askLater asks what becomes of the steps after one that is changed or taken out;
// where there are none, that is done at once.
func (m *Model) askLater(r replacement, atOnce func()) {
	m.idle(func() {
		change, err := r.prepare()
		if err != nil {
			m.fail(err)
			return
		}
		if len(change.Later()) == 0 {
			atOnce()
			return
		}
		var found *dialogs.Replayed
		replay := func(views.State) draw.Action {
			if found != nil {
				return dialogs.Call(func() { m.take(found) })
			}
			joined := m.later // it goes on, and what it has found is used
			joined.Disown()
			m.later = new(job.Job)
			return dialogs.Call(func() { m.change(r.work, joined, r.prepare) })
		}
		leave := func() {
			m.change(r.work, nil, func() (session.Job, error) {
				alone, err := r.prepare()
				return alone.WithoutLater(), err
			})
		}
		undone := len(m.bench.steps) - m.bench.doc.Position()
		dialog := dialogs.NewLater(r.heading, r.what, r.step+1, change.Later(), undone, replay, leave)
		m.begin(m.later, dialog, m.replaying(change, func(tried *dialogs.Replayed) {
			found = tried
			dialog.Tried(tried)
		}))
		dialog.Counting(m.later.Meter, m.later.Started)
		m.cover(dialog) // cancelled, the step is being changed as before
	})
}

// replaying does the later steps again beside the program, and looks up the figures
// after the last one as it is and as it would be.
func (m *Model) replaying(change session.Job, tell func(*dialogs.Replayed)) job.Piece {
	analyst, scenario := m.bench.analyst, m.bench.scenario
	last, err := m.bench.doc.PrepareMove(len(m.bench.steps))
	return func(ctx context.Context, meter *progress.Meter) func() {
		tried := &dialogs.Replayed{Err: err}
		if tried.Err == nil {
			tried.Result, tried.Err = change.Run(ctx, analyst, meter)
		}
		var before *session.Result
		if tried.Err == nil {
			before, tried.Err = last.Run(ctx, analyst, nil)
		}
		if tried.Err == nil {
			tried.WhatIf, tried.Err = analyst.AfterAll(ctx, tried.Result.Data, scenario, nil, nil)
		}
		if tried.Err == nil {
			tried.WhatIf.Elapsed = 0 // that of the figures alone says nothing of the steps
			tried.WhatIf.Before, tried.Err = analyst.Figures(ctx, before.Data, session.Fitted(scenario, before.Data),
				measure.WhatIf)
		}
		return func() {
			tell(tried)
		}
	}
}

// take makes what was found part of the session.
func (m *Model) take(found *dialogs.Replayed) {
	if found.Err != nil {
		m.fail(found.Err)
		return
	}
	m.commit(found.Result)
}

// replaceStep puts another step in the place of the one that is being changed.
func (m *Model) replaceStep(edited *editing, step session.StepSpec) {
	prepare := func() (session.Job, error) { return m.bench.doc.PrepareEdit(edited.step, step) }
	what := "Step " + wording.Number(edited.step+1) + " (" + m.bench.steps[edited.step].Title +
		") becomes another one on a branch of its own."
	m.askLater(replacement{heading: "Change a step?", what: what, work: "changing a step", step: edited.step,
		prepare: prepare}, func() {
		joined := m.asking.handOver(step)
		m.closeDialog()
		m.change("changing a step", joined, prepare)
	})
}

// removeStep takes a step out.
func (m *Model) removeStep(step int) {
	what := "Step " + wording.Number(step+1) + " (" + m.bench.steps[step].Title + ") is taken out on a branch of its own."
	prepare := func() (session.Job, error) { return m.bench.doc.PrepareRemove(step) }
	m.askLater(replacement{heading: "Remove a step?", what: what, work: "removing a step", step: step,
		prepare: prepare}, func() {
		m.change("removing a step", nil, prepare)
	})
}

// leftOut names the later steps that did not fit any more.
func leftOut(result *session.Result) string {
	text := ""
	for _, left := range result.Left {
		text += "; step " + strconv.Itoa(left.Step+1) + " (" + left.Title +
			") does not fit any more and stays on the old branch"
	}
	return text
}
