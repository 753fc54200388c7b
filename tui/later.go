package tui

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/tui/job"
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
func (m *Model) askLater(r replacement, atOnce func() tea.Cmd) tea.Cmd {
	if m.waits(func() tea.Cmd { return m.askLater(r, atOnce) }) {
		return nil
	}
	change, err := r.prepare()
	if err != nil {
		return m.fail(err)
	}
	if len(change.Later()) == 0 {
		return atOnce()
	}
	var found *dialogs.Replayed
	replay := func(tea.KeyPressMsg) dialogs.Effect {
		if found != nil {
			return dialogs.Call{Command: func() tea.Cmd { return m.take(found) }}
		}
		joined := m.later // it goes on, and what it has found is used
		joined.Disown()
		m.later = new(job.Job)
		return dialogs.Call{Command: func() tea.Cmd { return m.change(r.work, joined, r.prepare) }}
	}
	leave := func(tea.KeyPressMsg) dialogs.Effect {
		return dialogs.Call{Command: func() tea.Cmd {
			return m.change(r.work, nil, func() (session.Job, error) {
				alone, err := r.prepare()
				return alone.WithoutLater(), err
			})
		}}
	}
	undone := len(m.bench.steps) - m.bench.doc.Position()
	dialog := dialogs.NewLater(r.heading, r.what, r.step+1, change.Later(), undone, replay, leave)
	cmd := m.later.Begin(dialog, m.options.Now(), m.replaying(change, func(tried *dialogs.Replayed) {
		found = tried
		dialog.Tried(tried)
	}))
	dialog.Counting(m.later.Meter, m.later.Started)
	if m.dialog == nil {
		m.dialog = dialog
		return cmd
	}
	return tea.Batch(m.cover(dialog), cmd) // cancelled, the step is being changed as before
}

// replaying does the later steps again beside the program, and looks up the figures
// after the last one as it is and as it would be.
func (m *Model) replaying(change session.Job, tell func(*dialogs.Replayed)) job.Piece {
	analyst, scenario := m.bench.analyst, m.bench.scenario
	last, err := m.bench.doc.PrepareMove(len(m.bench.steps))
	return func(ctx context.Context, meter *progress.Meter) func() tea.Cmd {
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
		return func() tea.Cmd {
			tell(tried)
			return nil
		}
	}
}

// take makes what was found part of the session.
func (m *Model) take(found *dialogs.Replayed) tea.Cmd {
	if found.Err != nil {
		return m.fail(found.Err)
	}
	return m.commit(found.Result)
}

// replaceStep puts another step in the place of the one that is being changed.
func (m *Model) replaceStep(edited *editing, step session.StepSpec) tea.Cmd {
	prepare := func() (session.Job, error) { return m.bench.doc.PrepareEdit(edited.step, step) }
	what := "Step " + wording.Number(edited.step+1) + " (" + m.bench.steps[edited.step].Title +
		") becomes another one on a branch of its own."
	return m.askLater(replacement{heading: "Change a step?", what: what, work: "changing a step", step: edited.step,
		prepare: prepare}, func() tea.Cmd {
		joined := m.asking.handOver(step)
		m.closeDialog()
		return m.change("changing a step", joined, prepare)
	})
}

// removeStep takes a step out.
func (m *Model) removeStep(step int) tea.Cmd {
	what := "Step " + wording.Number(step+1) + " (" + m.bench.steps[step].Title + ") is taken out on a branch of its own."
	prepare := func() (session.Job, error) { return m.bench.doc.PrepareRemove(step) }
	return m.askLater(replacement{heading: "Remove a step?", what: what, work: "removing a step", step: step,
		prepare: prepare}, func() tea.Cmd {
		return m.change("removing a step", nil, prepare)
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
