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

// previewQuestion is the what-if that a dialog waits for. One question is computed at a time; a newer one waits until it is
// answered, but not long, so that the screen follows a held key. An answer to an earlier question is never shown
// as the answer to the latest one.
type previewQuestion struct {
	job      job.Job
	question *dialogs.Question // the latest one; nil: none
	running  *dialogs.Question // the one being computed; nil: none
	answer   dialogs.Answer
	search   *session.Search // search for the latest question; nil if it needs none or has not begun
	searches []pausedSearch  // paused searches, resumed if their question is asked again
}

const (
	// patience is how long a newer question waits for the answer to an earlier one before it cancels that.
	patience = 100 * time.Millisecond
	// holdFor is how long counting suppressions waits for another key, so that a held key does not start it at
	// every repetition.
	holdFor = 30 * time.Millisecond
)

// asker returns the open dialog that shows a what-if, even if help covers it, or nil.
func (m *Model) asker() dialogs.Previewer {
	dialog := m.dialog
	if m.covered != nil {
		dialog = m.covered
	}
	asker, _ := dialog.(dialogs.Previewer)
	return asker
}

// ask computes the what-if of the open dialog if its question is new. A single key press is answered at once.
// While the current figures are not known, the question waits, because there is nothing to compare with.
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

// sameQuestion reports whether two questions have the same answer. The search time does not matter.
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

// failure returns the reason why a step is not possible, if the latest what-if has found one.
func (a *previewQuestion) failure(step session.StepSpec) error {
	if a.answer.Pending || a.question == nil || !a.question.Makes(step) {
		return nil
	}
	return a.answer.Err
}

// handOver hands over the job that computes the what-if of a step, so that applying the step does not compute it
// again. It returns nil if there is no such job.
func (a *previewQuestion) handOver(step session.StepSpec) *job.Job {
	if a.running == nil || a.running.Search > 0 || !a.running.Makes(step) {
		return nil
	}
	given := a.job.HandOver()
	*a = previewQuestion{job: a.job}
	return given
}

// forget drops the question and its answer, for example if the data change.
func (a *previewQuestion) forget() {
	a.job.Drop()
	*a = previewQuestion{job: a.job}
}

// answer starts computing the latest question.
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

// beginOn starts work on the figures of a question. A search reports its own progress.
func (m *Model) beginOn(question *dialogs.Question, run job.Piece) {
	a := &m.asking
	m.begin(&a.job, m.asker(), run)
	a.running, a.answer.Pending = question, true
	if question.Search == 0 {
		a.answer.Meter, a.answer.Since = a.job.Meter, a.job.Started
	}
	m.tell(a.answer)
}

// receive passes figures to the dialog that asked. Figures of an earlier question are marked, and the latest
// question is started.
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
		// The old count of suppressions stays, faint, until there is a new one.
		answer.Need, answer.NeedPending = a.answer.Need, true
	}
	m.tell(answer)
	if !counts {
		return
	}
	m.run(a.job.After(m.options.After, holdFor, m.need))
}

// need starts counting the cells that k-anonymity would suppress after the what-if. The next question cancels it.
func (m *Model) need() {
	whatIf, k, analyst := m.asking.answer.WhatIf, m.asking.question.NeedK, m.bench.analyst
	began := m.asking.answer
	began.NeedSince = m.options.Now()
	m.tell(began)
	m.begin(&m.asking.job, m.asker(), func(ctx context.Context, _ *progress.Meter) func() {
		need, err := analyst.Need(ctx, whatIf, k, "")
		if err != nil {
			need = nil // the figures stay; the dialog reports that k cannot be reached
		}
		return func() {
			m.tell(dialogs.Known(whatif.Answer{WhatIf: whatIf, Need: need}))
		}
	})
}

// tell passes an answer to the dialog that asked; an error names the fields of the dialog.
func (m *Model) tell(answer dialogs.Answer) {
	if dialog := m.asker(); dialog != nil {
		m.asking.answer = answer
		if question := m.asking.question; answer.Err != nil && question != nil {
			answer.Err = m.screenError(answer.Err, question.Step)
		}
		dialog.Answer(answer)
	}
}

// pausedSearch is a paused search.
type pausedSearch struct {
	question *dialogs.Question
	search   *session.Search
}

// restingSearches is the number of paused searches kept.
const restingSearches = 3

// park keeps a search after its piece has ended.
func (a *previewQuestion) park(question *dialogs.Question, search *session.Search) {
	a.searches = append(a.searches, pausedSearch{question, search})
	a.searches = a.searches[max(0, len(a.searches)-restingSearches):]
}

// parked takes the paused search of a question, or returns nil.
func (a *previewQuestion) parked(question *dialogs.Question) *session.Search {
	for i, one := range a.searches {
		if sameQuestion(question, one.question) {
			a.searches = slices.Delete(a.searches, i, i+1)
			return one.search
		}
	}
	return nil
}

// searchPiece is the approximate duration of one piece of a search; the screen is updated after each.
const searchPiece = 100 * time.Millisecond

// reached reports, in the background, the progress of the search of a question. Then the search continues, or its
// figures follow if its time is over or it cannot improve.
func (m *Model) reached(ctx context.Context, question *dialogs.Question, search *session.Search,
	err error) (take func()) {
	found := &dialogs.SearchProgress{}
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

// searchOn continues the search of the latest question, or ends it.
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

// extendSearch applies a new search time: a finished search continues, a running one ends earlier or later.
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
