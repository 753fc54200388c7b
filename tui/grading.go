package tui

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/tui/job"
)

// grading is the job that computes the curve of a dialog, step by step on all records.
type grading struct {
	job  job.Job
	step session.StepSpec // the step being computed
}

// grade computes the next step that the open dialog asks for and cancels one no longer wanted. The what-if of the
// dialog comes first.
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

// asksAbout returns the data that the step of the open dialog would change, and their scenario.
func (m *Model) asksAbout() (*microdata.Dataset, *microdata.Scenario) {
	if m.editing != nil {
		return m.editing.before.Data, m.editing.scenario
	}
	return m.bench.doc.Data(), m.bench.scenario
}
