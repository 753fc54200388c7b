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

// replacement describes a step to change or remove.
type replacement struct {
	heading, becomes string // heading of the question, and what is done to the step
	work             string // text of the progress line
	step             int    // counted from 0
	by               session.StepSpec
	prepare          func() (session.Job, error)
}

// replaceStep replaces the step being changed.
func (m *Model) replaceStep(step int, by session.StepSpec) {
	m.replace(replacement{"Change a step?", "Changing", "changing a step", step, by,
		func() (session.Job, error) { return m.bench.doc.PrepareEdit(step, by) }})
}

// removeStep removes a step.
func (m *Model) removeStep(step int) {
	m.replace(replacement{"Remove a step?", "Removing", "removing a step", step, session.StepSpec{},
		func() (session.Job, error) { return m.bench.doc.PrepareRemove(step) }})
}

// replace changes or removes a step. If there are later steps, it asks what to do with them.
func (m *Model) replace(r replacement) {
	m.idle(func() {
		change, err := r.prepare()
		switch {
		case m.failed(err):
		case len(change.Later()) > 0:
			m.askLater(r, change)
		case r.by.Step == "":
			m.change(r.work, nil, r.prepare)
		default:
			joined := m.asking.handOver(r.by)
			m.closeDialog()
			m.change(r.work, joined, r.prepare)
		}
	})
}

// askLater asks what to do with the steps after one that is changed or removed.
func (m *Model) askLater(r replacement, change session.Job) {
	var dialog *dialogs.LaterSteps
	replay := func(views.State) draw.Action {
		if found := dialog.Found; found != nil {
			return dialogs.Call(func() {
				if !m.failed(found.Err) {
					m.commit(found.Result)
				}
			})
		}
		joined := m.later.HandOver() // reuses the results of the replay
		return dialogs.Call(func() { m.change(r.work, joined, r.prepare) })
	}
	leave := func() {
		m.change(r.work, nil, func() (session.Job, error) {
			alone, err := r.prepare()
			return alone.WithoutLater(), err
		})
	}
	what := r.becomes + " step " + wording.Number(r.step+1) + " (" + m.bench.steps[r.step].Title +
		") starts a new branch and replays the later steps. The current branch is kept; undo returns to it."
	undone := len(m.bench.steps) - m.bench.doc.Position()
	dialog = dialogs.NewLater(r.heading, what, r.step+1, change.Later(), undone, replay, leave)
	m.begin(&m.later, dialog, m.replaying(change, dialog))
	dialog.Counting(m.later.Meter, m.later.Started)
	m.cover(dialog) // if cancelled, the step is still being changed
}

// replaying replays the later steps in the background and computes the figures after the last one, before and
// after the change.
func (m *Model) replaying(change session.Job, dialog *dialogs.LaterSteps) job.Piece {
	analyst, scenario := m.bench.analyst, m.bench.scenario
	last, err := m.bench.doc.PrepareMove(len(m.bench.steps))
	return func(ctx context.Context, meter *progress.Meter) func() {
		tried := &dialogs.ReplayResult{Err: err}
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
			tried.WhatIf.Elapsed = 0 // the time of the figures alone excludes the steps
			tried.WhatIf.Before, tried.Err = analyst.Figures(ctx, before.Data, session.Fitted(scenario, before.Data),
				measure.WhatIf)
		}
		return func() { dialog.Tried(tried) }
	}
}

// leftOut names the later steps that no longer fit.
func leftOut(result *session.Result) string {
	text := ""
	for _, left := range result.Left {
		text += "; step " + strconv.Itoa(left.Step+1) + " (" + left.Title +
			") no longer fits and stays on the previous branch"
	}
	return text
}
