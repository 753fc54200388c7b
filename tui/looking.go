package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
)

// lookMsg lets the focused pane look through the next records.
type lookMsg struct{}

// look has the focused pane look through records, a part between two frames,
// as long as there are some that it has not looked at.
func (m *Model) look() tea.Cmd {
	worker, ok := m.focused().(views.Worker)
	if !ok || m.looking || m.page != nil || !worker.Pending(m.state()) {
		return nil
	}
	m.looking = true
	return func() tea.Msg { return lookMsg{} }
}

// lookOn takes a look that was asked for.
func (m *Model) lookOn() {
	m.looking = false
	if worker, ok := m.focused().(views.Worker); ok {
		worker.Work(m.state())
	}
}
