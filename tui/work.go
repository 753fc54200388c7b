package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/database"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/tui/job"
	"github.com/sdcdesk/sdcdesk/views"
)

// work is the one long piece of work that changes the session or writes files,
// with its progress. Its owner is the dialog that was open when it began.
type work struct {
	job.Job
	makes   bool // a step: undo cancels it
	undone  bool // it was cancelled by undo; what was asked for since then is done when it has ended
	opening bool // the session is being made: there is nothing else to do meanwhile
	title   string
	pace    pace
	joined  *job.Job // the what-if of the step, whose result is taken as soon as it is there; nil: none
	locked  func()   // asks for a password that a server wants; nil: none can
}

// Cancel asks the work to end.
func (w *work) Cancel() {
	w.Job.Cancel()
	if w.joined != nil {
		w.joined.Cancel()
	}
}

// task is what work does. It touches nothing of the program: what is to follow
// when it has ended well is returned.
type task func(ctx context.Context, meter *progress.Meter) (then func(), err error)

// startOpening begins work that makes a session; it has the screen to itself.
// then leads on from the workbench of the session, and locked asks for a password
// that a server wants; nil: none does.
func (m *Model) startOpening(title string, open func(ctx context.Context, meter *progress.Meter) (*session.Session, error),
	then, locked func()) {
	m.start(&work{title: title, opening: true, locked: locked},
		func(ctx context.Context, meter *progress.Meter) (func(), error) {
			doc, err := open(ctx, meter)
			if err == nil && ctx.Err() != nil {
				err = errors.Join(ctx.Err(), doc.Close()) // cancelled too late to stop it
			}
			return func() {
				m.endLesson()
				m.bench, m.options.Journal, m.page = newWorkbench(doc, m.options.Measures), "", nil
				m.bench.analyst = m.bench.analyst.Recognising(m.options.Patterns)
				then()
			}, err
		})
}

// startNew is startOpening for a session that begins with data; journal is where it is kept, and nothing of one that is
// volatile is.
func (m *Model) startNew(title, journal string, volatile bool,
	open func(ctx context.Context, meter *progress.Meter) (session.Opening, error), then, locked func()) {
	methods := m.options.Methods
	m.startOpening(title, func(ctx context.Context, meter *progress.Meter) (*session.Session, error) {
		opening, err := open(ctx, meter)
		if err != nil {
			return nil, err
		}
		opening.Journal, opening.Methods, opening.Volatile = journal, methods, opening.Volatile || volatile
		return session.New(opening)
	}, then, locked)
}

// start begins work in the background, or has it wait for the work that runs.
// What run returns is carried out when it has ended well.
func (m *Model) start(w *work, run task) {
	m.idle(func() {
		m.work = w
		m.begin(&w.Job, m.dialog, func(ctx context.Context, meter *progress.Meter) func() {
			if w.joined != nil {
				meter = w.joined.Meter
			}
			then, err := run(ctx, meter)
			if err == nil {
				err = ctx.Err() // cancelled too late to stop it: it is not wanted all the same
			}
			return func() { m.finish(then, err) }
		})
		if w.joined != nil {
			w.Meter, w.Started = w.joined.Meter, w.joined.Started
		}
	})
}

// finish takes the end of work. Work that was cancelled leaves nothing behind,
// and what waited for it is dropped when it does not end well.
func (m *Model) finish(then func(), err error) {
	title, locked, undone := m.work.title, m.work.locked, m.work.undone
	m.work.Cancel() // lets go of the what-if that it joined
	m.work = nil
	switch {
	case errors.Is(err, context.Canceled):
		m.say(title + ": cancelled, nothing was changed")
		if undone {
			m.settle()
			return
		}
	case locked != nil && errors.Is(err, database.ErrPassword):
		m.queue = nil
		locked()
		return
	case err != nil:
		m.fail(err)
	default:
		then()
		m.settle()
		return
	}
	m.queue = nil
	m.startIfEmpty()
}

// cancelWork stops the work that runs; it ends by itself a moment later. What
// was asked for in its expectation is dropped.
func (m *Model) cancelWork() {
	m.work.Cancel()
	m.queue = nil
}

// idle carries out an act, or keeps it for the time when the work that runs has ended.
func (m *Model) idle(act func()) {
	if m.work == nil {
		act()
		return
	}
	const most = 256
	if len(m.queue) < most {
		m.queue = append(m.queue, act)
	}
	m.say("waits for: " + m.work.title + " (esc cancels it)")
}

// settle does what waited for work to end, until there is work again.
func (m *Model) settle() {
	for m.work == nil && len(m.queue) > 0 {
		act := m.queue[0]
		m.queue = m.queue[1:]
		act()
	}
}

// opening reports whether a session is being made.
func (m *Model) opening() bool { return m.work != nil && m.work.opening }

// tickMsg makes progress move on the screen; it comes only while something runs
// that shows it.
type tickMsg struct{}

// tickEvery is how often progress is looked at.
const tickEvery = 100 * time.Millisecond

// tick has progress looked at again while something runs; where that is not work, only
// when it takes longer than the eye waits for.
func (m *Model) tick() {
	now := m.options.Now()
	since, runs := now, m.work != nil
	for _, j := range m.jobs() {
		if j.Runs() {
			runs = true
			if j.Started.Before(since) {
				since = j.Started
			}
		}
	}
	if m.ticking || !runs {
		return
	}
	wait := tickEvery
	if m.work == nil {
		wait = max(wait, views.Unhurried-now.Sub(since))
	}
	m.ticking = true
	m.run(m.options.After(wait, func(time.Time) tea.Msg { return tickMsg{} }))
}

// jobs are all but work.
func (m *Model) jobs() []*job.Job {
	return []*job.Job{&m.asking.job, &m.seeking, &m.later, &m.figures, &m.measuring, &m.trying, &m.grading.job}
}

// stopJobs cancels everything that runs; only work still tells how it ended.
func (m *Model) stopJobs() {
	m.asking.forget()
	for _, j := range m.jobs() {
		j.Drop()
	}
	if m.work != nil {
		m.cancelWork()
	}
}

// launch starts the work of the open dialog. When it ends well the dialog
// closes or makes way, where it is still open, and the notice is shown.
func (m *Model) launch(e dialogs.Launch) {
	dialog := m.dialog
	m.start(&work{title: e.Title}, func(ctx context.Context, meter *progress.Meter) (func(), error) {
		notice, err := e.Work(ctx, meter)
		return func() {
			m.say(notice)
			switch {
			case m.dialog != dialog:
			case e.Back != nil:
				m.do(dialogs.Swap{Dialog: e.Back})
			default:
				m.closeDialog()
			}
		}, err
	})
}

// write has a file written by the session's document as it is now.
func (m *Model) write(e dialogs.Write) {
	doc := m.bench.doc.Document()
	m.launch(dialogs.Launch{Title: e.Title, Back: e.Back,
		Work: func(context.Context, *progress.Meter) (string, error) {
			return e.Notice, doc.WriteFile(e.Path, e.Replace, e.Content)
		}})
}
