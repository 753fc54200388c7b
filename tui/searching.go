package tui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
)

// searched is a search that rests: no piece of it runs.
type searched struct {
	question *dialogs.Question
	search   *session.Search
}

// restingSearches is the number of searches that are kept.
const restingSearches = 3

// rest keeps a search whose piece has ended.
func (a *asking) rest(question *dialogs.Question, search *session.Search) {
	a.searches = append(a.searches, searched{question, search})
	a.searches = a.searches[max(0, len(a.searches)-restingSearches):]
}

// resting takes the search of a question from those that rest; nil: there is
// none.
func (a *asking) resting(question *dialogs.Question) *session.Search {
	for i, one := range a.searches {
		if sameQuestion(question, one.question) {
			a.searches = slices.Delete(a.searches, i, i+1)
			return one.search
		}
	}
	return nil
}

// A search goes on in pieces of about this long; the screen follows each.
const searchPiece = 100 * time.Millisecond

// reached tells, from beside the program, how far the search of a question has
// come. The search then goes on; one whose time is over, or that cannot gain
// anything more, is followed by its figures.
func (m *Model) reached(ctx context.Context, question *dialogs.Question, search *session.Search, err error) (take func() tea.Cmd) {
	found := &dialogs.Searching{}
	if err == nil {
		found.Account, err = search.Account(ctx)
		found.Elapsed, found.Proven = search.Elapsed(), search.Done()
	}
	return func() tea.Cmd {
		a := &m.asking
		if err == nil {
			a.rest(question, search)
		}
		if err != nil || m.asker() == nil || !sameQuestion(question, a.question) {
			return m.receive(question, dialogs.Answer{Err: err})
		}
		a.search, a.answer.Search = search, found
		return m.searchOn()
	}
}

// searchOn goes on with the search of the newest question, or ends it.
func (m *Model) searchOn() tea.Cmd {
	question, search, found := m.asking.question, m.asking.search, *m.asking.answer.Search
	m.asking.resting(question)
	left := question.Search - search.Elapsed()
	if m.options.Longest > 0 {
		left = min(left, m.options.Longest-search.Elapsed())
	}
	return m.beginOn(question, func(ctx context.Context, _ *progress.Meter) func() tea.Cmd {
		if left > 0 && !found.Proven {
			return m.reached(ctx, question, search, search.Continue(ctx, min(left, searchPiece)))
		}
		answer := dialogs.Answer{Search: &found}
		if answer.WhatIf, answer.Err = search.WhatIf(ctx); answer.Err == nil {
			found.Step, answer.Err = search.Step()
		}
		return func() tea.Cmd {
			m.asking.rest(question, search)
			return m.receive(question, answer)
		}
	})
}

// prolong takes another wish of how long to search: a search that has ended goes
// on, one that goes on ends earlier or later.
func (m *Model) prolong(question *dialogs.Question) tea.Cmd {
	a := &m.asking
	if question.Search == a.question.Search {
		return nil
	}
	longer := question.Search > a.question.Search
	a.question = question
	if a.search == nil || a.under != nil || !longer || a.search.Done() {
		return nil
	}
	return m.searchOn()
}
