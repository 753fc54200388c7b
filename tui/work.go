package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/progress"
)

// work is the one long piece of work that runs in the background, with its
// progress. What it computes with was handed to it when it started.
type work struct {
	id      int
	opening bool   // the session is being made: there is nothing else to do meanwhile
	dialog  Dialog // that was open when it began; nil: none
	title   string
	meter   progress.Meter
	cancel  context.CancelFunc
	started time.Time
}

// workDoneMsg is how work ends. then is carried out in the program's own turn,
// never beside it.
type workDoneMsg struct {
	id   int
	then func(m *Model) tea.Cmd
	err  error
}

// tickMsg makes the progress bar move; it comes only while work runs.
type tickMsg struct{ id int }

// tickEvery is how often progress is looked at.
const tickEvery = 100 * time.Millisecond

// task is what work does. It touches nothing of the program: what is to follow
// when it has ended well is returned.
type task func(ctx context.Context, meter *progress.Meter) (then func(m *Model) tea.Cmd, err error)

// start begins work in the background. What run returns is carried out when it
// has ended well. While other work runs nothing is begun.
func (m *Model) start(title string, run task) tea.Cmd {
	if m.work != nil {
		m.notify("wait until the work that runs has ended, or cancel it with esc", true)
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	m.works++
	w := &work{id: m.works, dialog: m.dialog, title: title, cancel: cancel, started: m.options.Now()}
	m.work = w
	return tea.Batch(func() tea.Msg {
		then, err := run(ctx, &w.meter)
		if err == nil {
			err = ctx.Err() // cancelled too late to stop it: it is not wanted all the same
		}
		return workDoneMsg{id: w.id, then: then, err: err}
	}, m.tick(w.id))
}

func (m *Model) tick(id int) tea.Cmd {
	return m.options.After(tickEvery, func(time.Time) tea.Msg { return tickMsg{id} })
}

// startOpening begins work that makes a session; it has the screen to itself.
func (m *Model) startOpening(title string, run task) tea.Cmd {
	cmd := m.start(title, run)
	if cmd != nil {
		m.work.opening = true
	}
	return cmd
}

// finish takes the end of work. Work that was cancelled leaves nothing behind,
// and what waited for it is dropped when it does not end well.
func (m *Model) finish(msg workDoneMsg) tea.Cmd {
	if m.work == nil || m.work.id != msg.id {
		return nil
	}
	title := m.work.title
	m.work.cancel()
	m.work = nil
	switch {
	case errors.Is(msg.err, context.Canceled):
		m.notify(title+": cancelled, nothing was changed", false)
	case msg.err != nil:
		m.notify(msg.err.Error(), true)
	default:
		var then tea.Cmd
		if msg.then != nil {
			then = msg.then(m)
		}
		return tea.Batch(then, m.settle())
	}
	m.queue = nil
	return m.land()
}

// cancelWork stops the work that runs; it ends by itself a moment later. What
// was asked for in its expectation is dropped.
func (m *Model) cancelWork() {
	if m.work != nil {
		m.work.cancel()
		m.queue = nil
	}
}

// waits keeps an act for the time when the work that runs has ended; false
// where none runs.
func (m *Model) waits(act func(m *Model) tea.Cmd) bool {
	if m.work == nil {
		return false
	}
	const most = 256
	if len(m.queue) < most {
		m.queue = append(m.queue, act)
	}
	m.notify("waits for: "+m.work.title+" (esc cancels it)", false)
	return true
}

// settle does what waited for work to end, until there is work again.
func (m *Model) settle() tea.Cmd {
	var commands []tea.Cmd
	for m.work == nil && len(m.queue) > 0 {
		act := m.queue[0]
		m.queue = m.queue[1:]
		commands = append(commands, act(m))
	}
	return tea.Batch(commands...)
}
