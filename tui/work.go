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

// work is the one long piece of work that changes the session or writes files. Its owner is the dialog that was
// open when it began.
type work struct {
	job.Job
	makes   bool // it applies a step: undo cancels it
	undone  bool // undo cancelled it; the queue is still executed when it ends
	opening bool // the session is being opened: nothing else can be done meanwhile
	title   string
	pace    pace
	joined  *job.Job // the what-if of the step, whose result is used when it is ready; nil: none
	locked  func()   // asks for the password of a server; nil: no password needed
}

// Cancel asks the work to end.
func (w *work) Cancel() {
	w.Job.Cancel()
	if w.joined != nil {
		w.joined.Cancel()
	}
}

// task is the function of a work. It must not touch the program; it returns a function to call after success.
type task func(ctx context.Context, meter *progress.Meter) (then func(), err error)

// startOpening starts work that opens a session; nothing else is shown meanwhile. then is called in the workbench
// of the session, and locked asks for the password of a server, nil if there is none.
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

// startNew is startOpening for a session that starts with data. journal is its path; a volatile session has none.
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

// start starts work in the background, or queues it after the running work. The function that run returns is
// called after success.
func (m *Model) start(w *work, run task) {
	m.idle(func() {
		m.work = w
		m.begin(&w.Job, m.dialog, func(ctx context.Context, meter *progress.Meter) func() {
			if w.joined != nil {
				meter = w.joined.Meter
			}
			then, err := run(ctx, meter)
			if err == nil {
				err = ctx.Err() // cancelled too late to stop it, but no longer wanted
			}
			return func() { m.finish(then, err) }
		})
		if w.joined != nil {
			w.Meter, w.Started = w.joined.Meter, w.joined.Started
		}
	})
}

// finish handles the end of work. Cancelled work has no effect, and unless it succeeded, the queue is dropped.
func (m *Model) finish(then func(), err error) {
	title, locked, undone := m.work.title, m.work.locked, m.work.undone
	m.work.Cancel() // releases the what-if it joined
	m.work = nil
	switch {
	case errors.Is(err, context.Canceled):
		m.say(title + ": cancelled, nothing was changed")
		if undone {
			m.runQueue()
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
		m.runQueue()
		return
	}
	m.queue = nil
	m.startIfEmpty()
}

// cancelWork cancels the running work, which ends a moment later, and drops the queue.
func (m *Model) cancelWork() {
	m.work.Cancel()
	m.queue = nil
}

// idle executes an act, or queues it until the running work has ended.
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

// runQueue executes the queue until there is work again.
func (m *Model) runQueue() {
	for m.work == nil && len(m.queue) > 0 {
		act := m.queue[0]
		m.queue = m.queue[1:]
		act()
	}
}

// opening reports whether a session is being opened.
func (m *Model) opening() bool { return m.work != nil && m.work.opening }

// tickMsg updates the progress on the screen while something that shows progress runs.
type tickMsg struct{}

// tickEvery is the interval of progress updates.
const tickEvery = 100 * time.Millisecond

// tick schedules the next progress update while something runs; for jobs other than work, only if they take
// noticeably long.
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

// jobs returns all jobs except work.
func (m *Model) jobs() []*job.Job {
	return []*job.Job{&m.asking.job, &m.seeking, &m.later, &m.figures, &m.measuring, &m.trying, &m.grading.job}
}

// stopJobs cancels everything that runs; only work still reports its end.
func (m *Model) stopJobs() {
	m.asking.forget()
	for _, j := range m.jobs() {
		j.Drop()
	}
	if m.work != nil {
		m.cancelWork()
	}
}

// launch starts the work of the open dialog. After success it shows the notice, and closes or replaces the dialog
// if that is still open.
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

// write writes a file from the current document of the session.
func (m *Model) write(e dialogs.Write) {
	doc := m.bench.doc.Document()
	m.launch(dialogs.Launch{Title: e.Title, Back: e.Back,
		Work: func(context.Context, *progress.Meter) (string, error) {
			return e.Notice, doc.WriteFile(e.Path, e.Replace, e.Content)
		}})
}
