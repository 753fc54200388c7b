package tui

import tea "charm.land/bubbletea/v2"

// quit ends the program; while work runs it asks first. Every step that was
// shown is on disk already.
func (m *Model) quit() tea.Cmd {
	if m.work == nil {
		return m.end()
	}
	if _, asked := m.dialog.(*confirm); asked {
		return m.end() // the second time it is meant
	}
	m.dialog = newConfirm("Quit while work runs?",
		m.work.title+" is not finished; it would be given up. All steps before it are kept.", "quit", func(m *Model) tea.Cmd { return m.end() })
	return nil
}

// end cancels everything and leaves; the session is let go of when the program
// has ended.
func (m *Model) end() tea.Cmd {
	m.cancelWork()
	m.asking.stop()
	if m.bench != nil && m.bench.cancel != nil {
		m.bench.cancel()
	}
	return tea.Quit
}
