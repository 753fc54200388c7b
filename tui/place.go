package tui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
)

// openPalette lists the keys of the place, then all commands.
func (m *Model) openPalette() tea.Cmd {
	p := &commandPalette{input: views.NewTextField("")}
	place, bindings := "", []key.Binding(nil)
	switch {
	case m.page != nil:
		place, bindings = "This page: ", m.page.Keys()
	case m.bench != nil:
		place, bindings = m.focused().Title()+": ", m.focused().Keys()
	}
	for _, b := range bindings {
		if slices.Contains(b.Keys(), b.Help().Key) { // what moves the cursor is no command
			p.entries = append(p.entries, paletteEntry{name: place + b.Help().Desc, keys: b.Help().Key,
				command: func() tea.Cmd { return m.key(press(b.Help().Key)) }})
		}
	}
	for _, c := range m.commands() {
		if m.page != nil && !c.anywhere {
			continue
		}
		p.entries = append(p.entries, paletteEntry{name: c.name, keys: c.binding.Help().Key, reason: c.why(m), words: strings.Fields(c.words), command: func() tea.Cmd { return c.do(m) }})
	}
	p.filter()
	m.dialog = p
	return nil
}

// openHelp lists the keys of the room.
func (m *Model) openHelp() tea.Cmd {
	h := &help{title: "Keys"}
	switch {
	case m.dialog != nil:
		h.add("", m.dialog.Title())
		h.addBindings(m.dialog.Keys())
		h.add("ctrl+c", "Quit; the session can be continued")
	case m.page != nil:
		h.add("", "this page")
		h.addBindings(m.page.Keys())
		h.add("esc", "Go back")
		m.addCommands(h, func(c *command) bool { return c.anywhere })
	default:
		h.add("", "pane "+m.focused().Title())
		h.addBindings(m.focused().Keys())
		m.addCommands(h, func(*command) bool { return true })
		h.add("esc", "Leave the innermost thing: work, a dialog, a drill-down, the zoom")
	}
	return m.cover(h)
}

// addCommands lists the commands that are wanted, with the reason where one
// cannot be used now.
func (m *Model) addCommands(h *help, wanted func(c *command) bool) {
	h.add("", "everywhere")
	for _, c := range m.commands() {
		if keys := strings.Join(c.binding.Keys(), ", "); keys != "" && wanted(&c) {
			text := c.name
			if reason := c.why(m); reason != "" {
				text += " (now: " + reason + ")"
			}
			h.add(keys, text)
		}
	}
}

// openNotices lists what the status line said, the latest first.
func (m *Model) openNotices() tea.Cmd {
	h := &help{title: "Messages"}
	for i := len(m.notices) - 1; i >= 0; i-- {
		h.add(m.notices[i].at.Local().Format("15:04:05"), m.notices[i].text)
	}
	m.dialog = h
	return nil
}
