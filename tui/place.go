package tui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// openPalette lists the keys of the place, then all commands.
func (m *Model) openPalette() tea.Cmd {
	p := &dialogs.Palette{Input: views.NewTextField("")}
	place, bindings := "", []key.Binding(nil)
	switch {
	case m.page != nil:
		place, bindings = "This page: ", m.page.Keys()
	case m.bench != nil:
		place, bindings = m.focused().Title()+": ", m.focused().Keys()
	}
	for _, b := range bindings {
		if slices.Contains(b.Keys(), b.Help().Key) { // what moves the cursor is no command
			p.Entries = append(p.Entries, dialogs.PaletteEntry{Name: place + b.Help().Desc, Keys: b.Help().Key,
				Command: func() tea.Cmd { return m.key(dialogs.Press(b.Help().Key)) }})
		}
	}
	for _, c := range m.commands() {
		if m.page != nil && !c.anywhere {
			continue
		}
		p.Entries = append(p.Entries, dialogs.PaletteEntry{Name: c.name, Keys: c.binding.Help().Key, Reason: c.why(m), Words: strings.Fields(c.words), Command: func() tea.Cmd { return c.do(m) }})
	}
	p.Filter()
	m.dialog = p
	return nil
}

// openHelp lists the keys of the room.
func (m *Model) openHelp() tea.Cmd {
	var lines []dialogs.Listed
	switch {
	case m.dialog != nil:
		lines = append(dialogs.ListKeys(m.dialog.Title(), m.dialog.Keys()), dialogs.Listed{Key: "ctrl+c", Text: "Quit; the session can be continued"})
	case m.page != nil:
		lines = append(dialogs.ListKeys("this page", m.page.Keys()), dialogs.Listed{Key: "esc", Text: "Go back"})
		lines = append(lines, m.listCommands(func(c *command) bool { return c.anywhere })...)
	default:
		lines = append(dialogs.ListKeys("pane "+m.focused().Title(), m.focused().Keys()), m.listCommands(func(*command) bool { return true })...)
		lines = append(lines, dialogs.Listed{Key: "esc", Text: "Leave the innermost thing: work, a dialog, a drill-down, the zoom"})
	}
	return m.cover(dialogs.NewList("Keys", lines))
}

// listCommands lists the commands that are wanted, with the reason where one cannot
// be used now.
func (m *Model) listCommands(wanted func(c *command) bool) []dialogs.Listed {
	lines := []dialogs.Listed{{Text: "everywhere"}}
	for _, c := range m.commands() {
		if keys := strings.Join(c.binding.Keys(), ", "); keys != "" && wanted(&c) {
			text := c.name
			if reason := c.why(m); reason != "" {
				text += " (now: " + reason + ")"
			}
			lines = append(lines, dialogs.Listed{Key: keys, Text: text})
		}
	}
	return lines
}

// openNotices lists what the status line said, the latest first.
func (m *Model) openNotices() tea.Cmd {
	var lines []dialogs.Listed
	for _, n := range slices.Backward(m.notices) {
		lines = append(lines, dialogs.Listed{Key: n.at.Local().Format("15:04:05"), Text: n.text})
	}
	m.dialog = dialogs.NewList("Messages", lines)
	return nil
}
