package tui

import (
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/tui/dialogs"
)

// Run runs the program in the terminal until it is quit. It returns where the
// session's journal is; "" where there is none. After a panic the terminal is
// restored and the error says where the session can be continued.
func Run(options Options) (journal string, err error) {
	m := New(options)
	_, err = tea.NewProgram(m).Run()
	return m.ended(err)
}

// ended lets go of the session after the program has ended, in whatever way: it
// was quit, a signal came, or a panic, which Bubble Tea has caught.
func (m *Model) ended(err error) (journal string, _ error) {
	m.stopJobs()
	err = errors.Join(err, m.broken)
	if m.bench != nil {
		journal = m.bench.doc.JournalPath()
		err = errors.Join(err, m.bench.doc.Close())
	}
	switch {
	case err == nil || errors.Is(err, tea.ErrInterrupted):
		return journal, nil
	case journal == "":
		return "", fmt.Errorf("the program ended unexpectedly: %w", err)
	default:
		return journal, fmt.Errorf("the program ended unexpectedly: %w; the session is kept in %s: opening the file again, or --session with this file, continues it",
			err, journal)
	}
}

const quitQuestion = "Quit while work runs?"

// quit ends the program; while work runs it asks first. Every step that was
// shown is on disk already.
func (m *Model) quit() tea.Cmd {
	if m.work == nil {
		return m.end()
	}
	if m.dialog != nil && m.dialog.Title() == quitQuestion {
		return m.end() // the second time it is meant
	}
	return m.cover(dialogs.NewConfirm(quitQuestion,
		m.work.title+" is not finished; it would be given up. All steps before it are kept.", "quit", m.end))
}

// end cancels everything and leaves; the session is let go of when the program
// has ended.
func (m *Model) end() tea.Cmd {
	m.stopJobs()
	return tea.Quit
}
