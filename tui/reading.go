package tui

import (
	"context"

	"github.com/sdcdesk/sdcdesk/tui/dialogs"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/progress"
)

// awaited returns the field of the open dialog whose file is not there yet.
func (m *Model) awaited() *dialogs.Field {
	if dialog, ok := m.dialog.(interface{ Awaited() *dialogs.Field }); ok {
		return dialog.Awaited()
	}
	return nil
}

// readFile begins to read the file whose path was typed into the open dialog.
func (m *Model) readFile() tea.Cmd {
	field := m.awaited()
	if field == nil || field.Reading.Job.Runs() {
		return nil
	}
	path, load := field.Reading.Path, field.Reading.Load
	return field.Reading.Job.Begin(m.dialog, m.options.Now(), func(context.Context, *progress.Meter) func() tea.Cmd {
		take := load(path)
		return func() tea.Cmd {
			if field.Err = take(); field.Err == nil {
				field.Refused = ""
			}
			return tea.Batch(m.ask(), m.typeAhead())
		}
	})
}

// waitsForFile keeps keys that do not belong to the path for the time when the
// file is there, so that enter after a path means the file.
func (m *Model) waitsForFile(msg tea.KeyPressMsg) bool {
	field := m.awaited()
	switch {
	case field == nil || msg.String() == "esc":
		m.ahead = nil
		return false
	case len(m.ahead) == 0 && m.dialog.Typing() && (msg.Text != "" || msg.String() == "backspace"):
		return false
	}
	m.ahead = append(m.ahead, msg)
	return true
}

// typeAhead carries out the keys that waited for a file.
func (m *Model) typeAhead() tea.Cmd {
	var commands []tea.Cmd
	keys := m.ahead
	m.ahead = nil
	for _, msg := range keys {
		commands = append(commands, m.key(msg))
	}
	return tea.Batch(commands...)
}
