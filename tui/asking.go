package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/session"
)

// asking is the what-if that a dialog is waiting for. Every question has an
// epoch. Figures of one question are computed at a time; a newer one waits until
// they are there, so that the screen follows a held key, but not for long. An
// answer to an older question never stands as that to the newest.
type asking struct {
	question *Question       // the newest one; nil: none
	epoch    int             // of the newest question
	running  int             // epoch of the question whose figures are being computed; 0: none
	ctx      context.Context // of what is being computed
	cancel   context.CancelFunc
	answer   Answer
	search   *session.Search // of the newest question; nil: it has none, or it has not begun
}

const (
	// patience is how long a newer question waits for the figures of an older
	// one before it cancels them.
	patience = 100 * time.Millisecond
	// holdFor is how long the count of suppressions waits for another key, so
	// that a held key does not start it at every repetition.
	holdFor = 30 * time.Millisecond
)

// The messages of a what-if.
type (
	askMsg    struct{ epoch int } // the question of the epoch has waited long enough
	needMsg   struct{ epoch int } // no other key came: count the suppressions
	answerMsg struct {
		epoch   int
		answer  Answer
		figures bool // the figures; else the suppressions
	}
)

// ask looks at what the open dialog wants to know and has it computed where it
// is something new. The answer to a single key press starts at once. While the
// figures as they are now are not known there is nothing to compare with, and
// the question waits for them.
func (m *Model) ask() tea.Cmd {
	dialog, ok := m.dialog.(Asking)
	if !ok || m.bench == nil {
		m.asking.forget()
		return nil
	}
	if m.bench.stale {
		return nil
	}
	question, a := dialog.Question(), &m.asking
	if sameQuestion(question, a.question) {
		return m.prolong(question)
	}
	a.epoch++
	a.question, a.search = question, nil
	if question == nil {
		a.forget()
		dialog.Answer(Answer{})
		return nil
	}
	a.answer.Pending, a.answer.Err, a.answer.Search = true, nil, nil
	dialog.Answer(a.answer)
	if a.running != 0 {
		epoch := a.epoch
		return m.options.After(patience, func(time.Time) tea.Msg { return askMsg{epoch} })
	}
	return m.begin(a.epoch)
}

// sameQuestion reports whether the figures that answer a question answer
// another. How long to search is no part of it.
func sameQuestion(a, b *Question) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Step.Problem != nil || b.Step.Problem != nil {
		return a.Step.Problem != nil && b.Step.Problem != nil && a.Step.Problem.Error() == b.Step.Problem.Error()
	}
	return a.NeedK == b.NeedK && (a.Search > 0) == (b.Search > 0) && a.Step.Step == b.Step.Step && a.Step.Seed == b.Step.Seed && string(a.Step.Params) == string(b.Step.Params)
}

// failure returns why a step cannot be made, where the newest what-if has found
// that out.
func (a *asking) failure(step session.StepSpec) error {
	if a.answer.Pending || a.question == nil || !sameQuestion(&Question{Step: step, NeedK: a.question.NeedK}, a.question) {
		return nil
	}
	return a.answer.Err
}

// stop ends what is being computed.
func (a *asking) stop() {
	if a.cancel != nil {
		a.cancel()
	}
	a.cancel, a.running = nil, 0
}

// forget gives up the question and what was known, as when the data change.
func (a *asking) forget() {
	a.stop()
	a.epoch++
	a.question, a.answer, a.search = nil, Answer{}, nil
}

// begin starts to compute the newest question, unless there is a newer one or
// it is being computed.
func (m *Model) begin(epoch int) tea.Cmd {
	a := &m.asking
	if epoch != a.epoch || epoch == a.running || a.question == nil || !a.answer.Pending {
		return nil
	}
	a.stop()
	ctx, cancel := context.WithCancel(context.Background())
	a.ctx, a.cancel, a.running = ctx, cancel, epoch
	step, analyst, data, scenario := a.question.Step, m.bench.analyst, m.bench.doc.Data(), m.bench.scenario
	if m.editing != nil {
		data, scenario = m.editing.before.Data, m.editing.scenario
	}
	if a.question.Search > 0 {
		return func() tea.Msg {
			search, err := analyst.Search(ctx, data, scenario, step)
			return newSearchMsg(ctx, epoch, search, err)
		}
	}
	return func() tea.Msg {
		whatIf, err := analyst.WhatIf(ctx, data, scenario, step)
		return answerMsg{epoch, Answer{WhatIf: whatIf, Err: err}, true}
	}
}

// receive hands an answer to the dialog that asked. The figures of an older
// question are shown as such, and the newest one is begun.
func (m *Model) receive(msg answerMsg) tea.Cmd {
	a := &m.asking
	dialog, ok := m.dialog.(Asking)
	switch {
	case !ok || a.question == nil || msg.figures && msg.epoch != a.running || !msg.figures && msg.epoch != a.epoch:
		return nil
	case !msg.figures:
		a.stop()
		a.answer = msg.answer
		dialog.Answer(a.answer)
		return nil
	}
	a.stop()
	if msg.epoch != a.epoch {
		if msg.answer.Err == nil {
			a.answer = Answer{WhatIf: msg.answer.WhatIf, Need: a.answer.Need, Pending: true, NeedPending: true}
			dialog.Answer(a.answer)
		}
		return m.begin(a.epoch)
	}
	counts := a.question.NeedK > 0 && msg.answer.Err == nil && msg.answer.WhatIf.Table != nil
	if counts {
		// The old count of suppressions stays, faint, until the new one is there.
		msg.answer.Need, msg.answer.NeedPending = a.answer.Need, true
	}
	a.answer = msg.answer
	dialog.Answer(a.answer)
	if !counts {
		return nil
	}
	return m.options.After(holdFor, func(time.Time) tea.Msg { return needMsg{msg.epoch} })
}

// need starts to count what k-anonymity would need after the what-if.
func (m *Model) need(epoch int) tea.Cmd {
	a := &m.asking
	if epoch != a.epoch || a.question == nil || a.answer.Pending || a.answer.WhatIf == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	a.cancel = cancel
	whatIf, k, analyst := a.answer.WhatIf, a.question.NeedK, m.bench.analyst
	return func() tea.Msg {
		need, err := analyst.Need(ctx, whatIf, k, "")
		if err != nil {
			need = nil // the figures stand; that k cannot be reached is said by its dialog
		}
		return answerMsg{epoch, Answer{WhatIf: whatIf, Need: need}, false}
	}
}
