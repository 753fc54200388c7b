package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
)

// figuresMsg brings the figures of the data that were current when they were
// asked for.
type figuresMsg struct {
	epoch             int
	original, current views.Version
	err               error
}

// refresh has the figures of the session's data computed. Until they are there
// the old ones stay on the screen, marked as stale.
func (m *Model) refresh() tea.Cmd {
	b := m.bench
	if b.cancel != nil {
		b.cancel()
	}
	b.adopt()
	b.figures++
	if b.current.Data == b.doc.Data() && b.current.Assessment != nil && b.original.Assessment != nil && !b.stale {
		return nil
	}
	b.stale = true
	ctx, cancel := context.WithCancel(context.Background())
	b.cancel = cancel
	epoch, analyst, scenario, k := b.figures, b.analyst, b.scenario, b.k
	data := b.doc.Data()
	original := data.Source()
	applicable := b.doc.NotApplicable(b.doc.Position()) == ""
	return func() tea.Msg {
		msg := figuresMsg{epoch: epoch, original: views.Version{Data: original}, current: views.Version{Data: data}}
		if msg.original.Assessment, msg.err = analyst.Assess(ctx, original, scenario); msg.err == nil && applicable {
			msg.current.Assessment, msg.err = analyst.Assess(ctx, data, scenario)
		}
		views.Prepare(msg.original, k)
		views.Prepare(msg.current, k)
		return msg
	}
}

// behind reports whether what panes and dialogs draw from are older data than
// those of the session. Steps that keep their dialog open name what they change,
// and may follow each other faster than figures; others are made on sight.
func (m *Model) behind() bool {
	return m.bench.stale && m.bench.current.Data != nil && m.bench.current.Data != m.bench.doc.Data()
}

// show takes figures in, unless the session has moved on since.
func (m *Model) show(msg figuresMsg) tea.Cmd {
	b := m.bench
	if b == nil || msg.epoch != b.figures {
		return nil
	}
	if msg.err != nil {
		m.notify(msg.err.Error(), true)
	}
	b.original, b.current, b.stale = msg.original, msg.current, false
	b.adopt()
	return m.ask()
}

// moved follows a change of the session: new data, other figures, and a dialog
// that stayed open asks anew. Until it can, what it shows belongs to older data.
func (m *Model) moved() tea.Cmd {
	if dialog, ok := m.dialog.(Asking); ok {
		a := m.asking.answer
		dialog.Answer(Answer{WhatIf: a.WhatIf, Need: a.Need, Pending: true, NeedPending: true})
	}
	m.asking.forget()
	return tea.Batch(m.refresh(), m.ask())
}
