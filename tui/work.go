package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/views"
)

// work is the one long piece of work that changes the session or writes files,
// with its progress. Its owner is the dialog that was open when it began.
type work struct {
	job
	opening bool // the session is being made: there is nothing else to do meanwhile
	title   string
}

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
	m.work = &work{title: title}
	return m.work.begin(m.dialog, m.options.Now(), func(ctx context.Context, meter *progress.Meter) func() tea.Cmd {
		then, err := run(ctx, meter)
		if err == nil {
			err = ctx.Err() // cancelled too late to stop it: it is not wanted all the same
		}
		return func() tea.Cmd { return m.finish(then, err) }
	})
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
func (m *Model) finish(then func(m *Model) tea.Cmd, err error) tea.Cmd {
	title := m.work.title
	m.work = nil
	switch {
	case errors.Is(err, context.Canceled):
		m.notify(title+": cancelled, nothing was changed", false)
	case err != nil:
		m.notify(err.Error(), true)
	default:
		var next tea.Cmd
		if then != nil {
			next = then(m)
		}
		return tea.Batch(next, m.settle())
	}
	m.queue = nil
	return m.land()
}

// cancelWork stops the work that runs; it ends by itself a moment later. What
// was asked for in its expectation is dropped.
func (m *Model) cancelWork() {
	m.work.cancel()
	m.queue = nil
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

// tickMsg makes progress move on the screen; it comes only while something runs
// that shows it.
type tickMsg struct{}

// tickEvery is how often progress is looked at.
const tickEvery = 100 * time.Millisecond

// tick has progress looked at again; of a what-if only when it takes longer than
// the eye waits for.
func (m *Model) tick() tea.Cmd {
	if m.ticking || m.work == nil && m.asking.under == nil {
		return nil
	}
	wait := tickEvery
	if m.work == nil {
		wait = max(wait, views.Unhurried-m.options.Now().Sub(m.asking.job.started))
	}
	m.ticking = true
	return m.options.After(wait, func(time.Time) tea.Msg { return tickMsg{} })
}
