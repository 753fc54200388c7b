package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/session"
)

// asking is the what-if that a dialog is waiting for. Every question has an
// epoch: a newer one cancels the older, and an answer that comes too late is
// dropped.
type asking struct {
	epoch    int
	question *Question // the newest one; nil: none
	cancel   context.CancelFunc
	waiting  bool // the newest question has no answer yet
	answer   Answer
}

// holdFor is how long a question waits while an older one is unanswered, so
// that a held key does not start work at every repetition.
const holdFor = 30 * time.Millisecond

// The messages of a what-if.
type (
	askMsg    struct{ epoch int }
	answerMsg struct {
		epoch  int
		answer Answer
		more   bool // the suppressions are still to come
	}
)

// ask looks at what the open dialog wants to know and has it computed where it
// is something new. The answer to a single key press starts at once.
func (m *Model) ask() tea.Cmd {
	dialog, ok := m.dialog.(Asking)
	if !ok || m.bench == nil {
		m.asking.stop()
		return nil
	}
	question := dialog.Question()
	if sameQuestion(question, m.asking.question) {
		return nil
	}
	hold := m.asking.waiting
	m.asking.stop()
	m.asking.question = question
	if question == nil {
		m.asking.answer = Answer{}
		dialog.Answer(Answer{})
		return nil
	}
	m.asking.waiting = true
	pending := m.asking.answer
	pending.Pending, pending.Err = true, nil
	dialog.Answer(pending)
	epoch := m.asking.epoch
	if hold {
		return m.options.After(holdFor, func(time.Time) tea.Msg { return askMsg{epoch} })
	}
	return m.begin(epoch)
}

func sameQuestion(a, b *Question) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.NeedK == b.NeedK && a.Step.Step == b.Step.Step && a.Step.Seed == b.Step.Seed && string(a.Step.Params) == string(b.Step.Params)
}

// stop gives up the newest question.
func (a *asking) stop() {
	if a.cancel != nil {
		a.cancel()
	}
	a.epoch++
	a.cancel, a.question, a.waiting = nil, nil, false
}

// forget gives up the question and what was known, as when the data change.
func (a *asking) forget() {
	a.stop()
	a.answer = Answer{}
}

// begin starts to compute the newest question, unless there is a newer one.
func (m *Model) begin(epoch int) tea.Cmd {
	if epoch != m.asking.epoch || m.asking.question == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	m.asking.cancel = cancel
	step := m.asking.question.Step
	need := m.asking.question.NeedK > 0
	analyst, data, scenario := m.bench.analyst, m.bench.doc.Data(), m.bench.scenario
	return func() tea.Msg {
		whatIf, err := analyst.WhatIf(ctx, data, scenario, step)
		return answerMsg{epoch, Answer{WhatIf: whatIf, Err: err}, need && err == nil && whatIf.Table != nil}
	}
}

// need starts to compute what k-anonymity would need after the what-if.
func (m *Model) need(epoch int, whatIf *session.WhatIf) tea.Cmd {
	ctx, cancel := context.WithCancel(context.Background())
	m.asking.cancel = cancel
	k, analyst := m.asking.question.NeedK, m.bench.analyst
	return func() tea.Msg {
		need, err := analyst.Need(ctx, whatIf, k, "")
		if err != nil {
			need = nil // the figures stand; that k cannot be reached is said by its dialog
		}
		return answerMsg{epoch, Answer{WhatIf: whatIf, Need: need}, false}
	}
}

// receive hands an answer to the dialog that asked.
func (m *Model) receive(msg answerMsg) tea.Cmd {
	dialog, ok := m.dialog.(Asking)
	if !ok || msg.epoch != m.asking.epoch {
		return nil
	}
	m.asking.waiting = msg.more
	if msg.more {
		// The old count of suppressions stays, faint, until the new one is there.
		msg.answer.Need, msg.answer.NeedPending = m.asking.answer.Need, true
	}
	m.asking.answer = msg.answer
	dialog.Answer(msg.answer)
	if msg.more {
		return m.need(msg.epoch, msg.answer.WhatIf)
	}
	return nil
}
