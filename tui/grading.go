package tui

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/tui/job"
)

// grading is the job that makes the steps of a dialog that grades, on all records.
type grading struct {
	job  job.Job
	step session.StepSpec // that is being made
}

// grade has the step made that the open dialog wants to know about. One that is not
// wanted any more is cancelled; the figures of the dialog's own step go first.
func (m *Model) grade() {
	g := &m.grading
	dialog, ok := m.asker().(dialogs.Grading)
	if !ok || m.bench == nil || m.bench.stale {
		g.job.Drop()
		return
	}
	data, scenario := m.asksAbout()
	step := dialog.Wanted(data)
	switch {
	case step == nil:
		g.job.Drop()
		return
	case g.job.RunsFor(dialog) && (&dialogs.Question{Step: g.step}).Makes(*step) || m.asking.running != nil:
		return
	}
	g.step = *step
	analyst, made := m.bench.analyst, g.step
	m.begin(&g.job, dialog, func(ctx context.Context, meter *progress.Meter) func() {
		found, err := analyst.TradeOff(ctx, data, scenario, made, meter)
		return func() {
			dialog.Tried(made, found, err, m.options.Now().Sub(g.job.Started))
		}
	})
}

// asksAbout returns the data that the open dialog's step would change, and the scenario.
func (m *Model) asksAbout() (*microdata.Dataset, *microdata.Scenario) {
	if m.editing != nil {
		return m.editing.before.Data, m.editing.scenario
	}
	return m.bench.doc.Data(), m.bench.scenario
}
