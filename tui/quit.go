package tui

import (
	"github.com/sdcdesk/sdcdesk/tui/dialogs"

	tea "charm.land/bubbletea/v2"
)

const quitQuestion = "Quit while work runs?"

// quit ends the program; while work runs it asks first. Every step that was
// shown is on disk already.
func (m *Model) quit() tea.Cmd {
	if m.work == nil {
		return m.end()
	}
	if question, ok := m.dialog.(*dialogs.Confirm); ok && question.Title() == quitQuestion {
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
