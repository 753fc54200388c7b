package tui

import (
	"context"

	"github.com/sdcdesk/sdcdesk/tui/dialogs"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
)

// refresh has the figures of the session's data computed. Until they are there
// the old ones stay on the screen, marked as stale.
func (m *Model) refresh() tea.Cmd {
	b := m.bench
	b.adopt()
	if b.current.Data == b.doc.Data() && b.current.Assessment != nil && b.original.Assessment != nil && !b.stale {
		m.figures.Drop()
		return nil
	}
	b.stale = true
	analyst, scenario, k, data := b.analyst, b.scenario, b.k, b.doc.Data()
	return m.figures.Begin(b, m.options.Now(), func(ctx context.Context, _ *progress.Meter) func() tea.Cmd {
		original, current, err := versions(ctx, analyst, data, scenario)
		views.Prepare(original, k)
		views.Prepare(current, k)
		return func() tea.Cmd { return m.show(original, current, err) }
	})
}

// versions returns the data with all figures, and the same records as they were
// read.
func versions(ctx context.Context, analyst *session.Analyst, data *microdata.Dataset, scenario *microdata.Scenario) (original, current views.Version, err error) {
	was, err := analyst.Originals(ctx, data, scenario, measure.Everywhere)
	var now measure.Set
	if err == nil {
		now, err = analyst.Figures(ctx, data, scenario, measure.Everywhere)
	}
	return views.NewVersion(data.Source(), was), views.NewVersion(data, now), err
}

// behind reports whether what panes and dialogs draw from are older data than
// those of the session. Steps that keep their dialog open name what they change,
// and may follow each other faster than figures; others are made on sight.
func (m *Model) behind() bool {
	return m.bench.stale && m.bench.current.Data != nil && m.bench.current.Data != m.bench.doc.Data()
}

// show takes figures in.
func (m *Model) show(original, current views.Version, err error) tea.Cmd {
	if err != nil {
		m.notify(err.Error(), true)
	}
	b := m.bench
	b.original, b.current, b.stale = original, current, false
	b.adopt()
	return m.ask()
}

// moved follows a change of the session: new data, other figures, and a dialog
// that stayed open asks anew. Until it can, what it shows belongs to older data.
func (m *Model) moved() tea.Cmd {
	if dialog := m.asker(); dialog != nil {
		a := m.asking.answer
		dialog.Answer(dialogs.Answer{WhatIf: a.WhatIf, Need: a.Need, Pending: true, NeedPending: true})
	}
	m.asking.forget()
	return tea.Batch(m.refresh(), m.ask())
}
