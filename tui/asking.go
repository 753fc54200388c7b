package tui

import (
	"context"
	"reflect"
	"slices"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/whatif"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/tui/job"
)

// asking is the what-if that a dialog is waiting for. The figures of one
// question are computed at a time; a newer one waits until they are there, so
// that the screen follows a held key, but not for long. An answer to an older
// question never stands as that to the newest.
type asking struct {
	job      job.Job
	question *dialogs.Question // the newest one; nil: none
	running  *dialogs.Question // the one whose figures are being computed; nil: none
	answer   dialogs.Answer
	search   *session.Search // of the newest question; nil: it has none, or it has not begun
	searches []searched      // that rest: a question that is asked again goes on with its own
}

const (
	// patience is how long a newer question waits for the figures of an older
	// one before it cancels them.
	patience = 100 * time.Millisecond
	// holdFor is how long the count of suppressions waits for another key, so
	// that a held key does not start it at every repetition.
	holdFor = 30 * time.Millisecond
)

// asker returns the open dialog that shows a what-if, one that help covers too;
// nil where there is none.
func (m *Model) asker() dialogs.Asking {
	dialog := m.dialog
	if m.covered != nil {
		dialog = m.covered
	}
	asker, _ := dialog.(dialogs.Asking)
	return asker
}

// ask looks at what the open dialog wants to know and has it computed where it
// is something new. The answer to a single key press starts at once. While the
// figures as they are now are not known there is nothing to compare with, and
// the question waits for them.
func (m *Model) ask() {
	dialog := m.asker()
	if dialog == nil || m.bench == nil {
		m.asking.forget()
		return
	}
	if m.bench.stale {
		return
	}
	question, a := dialog.Question(), &m.asking
	switch {
	case question == nil && a.question == nil:
		return
	case question == nil:
		a.forget()
		dialog.Answer(dialogs.Answer{})
		return
	case sameQuestion(question, a.question):
		m.extendSearch(question)
		return
	}
	a.question, a.search = question, nil
	a.answer.Pending, a.answer.Err, a.answer.Search, a.answer.NeedSince = true, nil, nil, time.Time{}
	if a.running == nil {
		m.answer()
		return
	}
	dialog.Answer(a.answer)
	m.run(a.job.After(m.options.After, patience, func() {
		if m.asker() == nil || !sameQuestion(question, a.question) || sameQuestion(question, a.running) {
			return // there is a newer one, or it is being computed
		}
		m.answer()
	}))
}

// sameQuestion reports whether the figures that answer a question answer
// another. How long to search is no part of it.
func sameQuestion(a, b *dialogs.Question) bool {
	if a == nil || b == nil {
		return a == b
	}
	if (a.Scenario != nil || b.Scenario != nil) && !reflect.DeepEqual(a.Scenario, b.Scenario) {
		return false
	}
	if (a.Plan != nil || b.Plan != nil) && !a.Plan.Same(b.Plan) {
		return false
	}
	return a.NeedK == b.NeedK && a.K == b.K && (a.Search > 0) == (b.Search > 0) && a.Makes(b.Step)
}

// failure returns why a step cannot be made, where the newest what-if has found
// that out.
func (a *asking) failure(step session.StepSpec) error {
	if a.answer.Pending || a.question == nil || !a.question.Makes(step) {
		return nil
	}
	return a.answer.Err
}

// handOver gives away the job that computes what a step gives, which is now to
// be made: it is not begun anew. nil: none does.
func (a *asking) handOver(step session.StepSpec) *job.Job {
	if a.running == nil || a.running.Search > 0 || !a.running.Makes(step) {
		return nil
	}
	given := a.job.HandOver()
	*a = asking{job: a.job}
	return given
}

// forget gives up the question and what was known, as when the data change.
func (a *asking) forget() {
	a.job.Drop()
	*a = asking{job: a.job}
}

// answer starts to compute the newest question.
func (m *Model) answer() {
	question := m.asking.question
	analyst := m.bench.analyst.Counting(question.K)
	data, scenario := m.asksAbout()
	step := question.Step
	if question.Search > 0 {
		search := m.asking.parked(question)
		m.beginOn(question, func(ctx context.Context, _ *progress.Meter) func() {
			var err error
			if search == nil {
				search, err = analyst.Search(ctx, data, scenario, step)
			}
			return m.reached(ctx, question, search, err)
		})
		return
	}
	m.beginOn(question, func(ctx context.Context, meter *progress.Meter) func() {
		var whatIf *whatif.Result
		var err error
		switch plan := question.Plan; {
		case question.Scenario != nil:
			whatIf, err = analyst.Under(ctx, data, scenario, question.Scenario)
		case plan != nil:
			whatIf, err = analyst.AfterAll(ctx, plan.Data, plan.Scenario, plan.Steps, meter)
		default:
			whatIf, err = analyst.WhatIf(ctx, data, scenario, step, meter)
		}
		return func() { m.receive(question, dialogs.Known(whatif.Answer{WhatIf: whatIf, Err: err})) }
	})
}

// beginOn begins work on the figures of a question. A search tells itself how
// far it has come.
func (m *Model) beginOn(question *dialogs.Question, run job.Piece) {
	a := &m.asking
	m.begin(&a.job, m.asker(), run)
	a.running, a.answer.Pending = question, true
	if question.Search == 0 {
		a.answer.Meter, a.answer.Since = a.job.Meter, a.job.Started
	}
	m.tell(a.answer)
}

// receive hands figures to the dialog that asked. Those of an older question are
// shown as such, and the newest one is begun.
func (m *Model) receive(question *dialogs.Question, answer dialogs.Answer) {
	a := &m.asking
	a.running = nil
	if m.asker() == nil {
		return
	}
	if !sameQuestion(question, a.question) {
		if answer.WhatIf != nil {
			a.answer = dialogs.Known(whatif.Answer{WhatIf: answer.WhatIf, Need: a.answer.Need, Pending: true, NeedPending: true})
		}
		m.answer()
		return
	}
	counts := a.question.NeedK > 0 && answer.Err == nil && answer.WhatIf.Table != nil
	if counts {
		// The old count of suppressions stays, faint, until the new one is there.
		answer.Need, answer.NeedPending = a.answer.Need, true
	}
	m.tell(answer)
	if !counts {
		return
	}
	m.run(a.job.After(m.options.After, holdFor, m.need))
}

// need starts to count what k-anonymity would need after the what-if. It is
// cancelled by the next question.
func (m *Model) need() {
	whatIf, k, analyst := m.asking.answer.WhatIf, m.asking.question.NeedK, m.bench.analyst
	began := m.asking.answer
	began.NeedSince = m.options.Now()
	m.tell(began)
	m.begin(&m.asking.job, m.asker(), func(ctx context.Context, _ *progress.Meter) func() {
		need, err := analyst.Need(ctx, whatIf, k, "")
		if err != nil {
			need = nil // the figures stand; that k cannot be reached is said by its dialog
		}
		return func() {
			m.tell(dialogs.Known(whatif.Answer{WhatIf: whatIf, Need: need}))
		}
	})
}

// tell hands what is known to the dialog that asked; an error speaks of its fields.
func (m *Model) tell(answer dialogs.Answer) {
	if dialog := m.asker(); dialog != nil {
		m.asking.answer = answer
		if question := m.asking.question; answer.Err != nil && question != nil {
			answer.Err = m.screenError(answer.Err, question.Step)
		}
		dialog.Answer(answer)
	}
}

// searched is a search that rests: no piece of it runs.
type searched struct {
	question *dialogs.Question
	search   *session.Search
}

// restingSearches is the number of searches that are kept.
const restingSearches = 3

// park keeps a search whose piece has ended.
func (a *asking) park(question *dialogs.Question, search *session.Search) {
	a.searches = append(a.searches, searched{question, search})
	a.searches = a.searches[max(0, len(a.searches)-restingSearches):]
}

// parked takes the search of a question from those that rest; nil: there is
// none.
func (a *asking) parked(question *dialogs.Question) *session.Search {
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
func (m *Model) reached(ctx context.Context, question *dialogs.Question, search *session.Search,
	err error) (take func()) {
	found := &dialogs.Searching{}
	if err == nil {
		found.Account, err = search.Account(ctx)
		found.Elapsed, found.Proven, found.Iterations = search.Elapsed(), search.Done(), search.Iterations()
	}
	return func() {
		a := &m.asking
		if err == nil {
			a.park(question, search)
		}
		if err != nil || m.asker() == nil || !sameQuestion(question, a.question) {
			m.receive(question, dialogs.Known(whatif.Answer{Err: err}))
			return
		}
		a.search, a.answer.Search = search, found
		m.searchOn()
	}
}

// searchOn goes on with the search of the newest question, or ends it.
func (m *Model) searchOn() {
	question, search, found := m.asking.question, m.asking.search, *m.asking.answer.Search
	m.asking.parked(question)
	left := question.Search - search.Elapsed()
	if m.options.Longest > 0 {
		left = min(left, m.options.Longest-search.Elapsed())
	}
	m.beginOn(question, func(ctx context.Context, _ *progress.Meter) func() {
		if left > 0 && !found.Proven {
			return m.reached(ctx, question, search, search.ContinueFor(ctx, min(left, searchPiece)))
		}
		answer := dialogs.Answer{Search: &found}
		if answer.WhatIf, answer.Err = search.WhatIf(ctx); answer.Err == nil {
			found.Step, answer.Err = search.Step()
		}
		return func() {
			m.asking.park(question, search)
			m.receive(question, answer)
		}
	})
}

// extendSearch takes another wish of how long to search: a search that has ended goes
// on, one that goes on ends earlier or later.
func (m *Model) extendSearch(question *dialogs.Question) {
	a := &m.asking
	if question.Search == a.question.Search {
		return
	}
	longer := question.Search > a.question.Search
	a.question = question
	if a.search == nil || a.running != nil || !longer || a.search.Done() {
		return
	}
	m.searchOn()
}
