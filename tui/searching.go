package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/session"
)

// A search goes on in pieces of about this long; the screen follows each.
const searchPiece = 100 * time.Millisecond

// searchMsg brings how far the search of a question has come.
type searchMsg struct {
	epoch   int
	search  *session.Search
	account *method.Suppression
	err     error
}

func newSearchMsg(ctx context.Context, epoch int, search *session.Search, err error) searchMsg {
	msg := searchMsg{epoch: epoch, search: search, err: err}
	if err == nil {
		msg.account, msg.err = search.Account(ctx)
	}
	return msg
}

// searched shows how far the search has come and lets it go on; one whose time
// is over, or that cannot gain anything more, is followed by its figures.
func (m *Model) searched(msg searchMsg) tea.Cmd {
	a := &m.asking
	dialog, ok := m.dialog.(Asking)
	switch {
	case !ok || a.question == nil || msg.epoch != a.running:
		return nil
	case msg.epoch != a.epoch:
		a.stop()
		return m.begin(a.epoch)
	case msg.err != nil:
		a.stop()
		a.answer = Answer{Err: msg.err}
		dialog.Answer(a.answer)
		return nil
	}
	a.search = msg.search
	a.answer.Pending = true
	a.answer.Search = &Searching{Account: msg.account, Elapsed: msg.search.Elapsed(), Proven: msg.search.Done()}
	dialog.Answer(a.answer)
	return m.searchOn()
}

// searchOn goes on with the search of the newest question, or ends it.
func (m *Model) searchOn() tea.Cmd {
	a := &m.asking
	ctx, epoch, search := a.ctx, a.epoch, a.search
	left := a.question.Search - search.Elapsed()
	if m.options.Longest > 0 {
		left = min(left, m.options.Longest-search.Elapsed())
	}
	if left > 0 && !search.Done() {
		return func() tea.Msg {
			return newSearchMsg(ctx, epoch, search, search.Continue(ctx, min(left, searchPiece)))
		}
	}
	found := *a.answer.Search
	return func() tea.Msg {
		answer := Answer{Search: &found}
		if answer.WhatIf, answer.Err = search.WhatIf(ctx); answer.Err == nil {
			found.Step, answer.Err = search.Step()
		}
		return answerMsg{epoch, answer, true}
	}
}

// prolong takes another wish of how long to search: a search that has ended goes
// on, one that goes on ends earlier or later.
func (m *Model) prolong(question *Question) tea.Cmd {
	a := &m.asking
	if question == nil || question.Search == a.question.Search {
		return nil
	}
	longer := question.Search > a.question.Search
	a.question = question
	dialog, ok := m.dialog.(Asking)
	if a.search == nil || a.running != 0 || !longer || a.search.Done() || !ok {
		return nil
	}
	a.ctx, a.cancel = context.WithCancel(context.Background())
	a.running = a.epoch
	a.answer.Pending = true
	dialog.Answer(a.answer)
	return m.searchOn()
}
