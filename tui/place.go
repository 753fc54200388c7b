package tui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"

	"github.com/sdcdesk/sdcdesk/tui/dialogs"

	tea "charm.land/bubbletea/v2"

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
	h := &dialogs.Help{Heading: "Keys"}
	switch {
	case m.dialog != nil:
		h.Add("", m.dialog.Title())
		h.AddBindings(m.dialog.Keys())
		h.Add("ctrl+c", "Quit; the session can be continued")
	case m.page != nil:
		h.Add("", "this page")
		h.AddBindings(m.page.Keys())
		h.Add("esc", "Go back")
		m.addCommands(h, func(c *command) bool { return c.anywhere })
	default:
		h.Add("", "pane "+m.focused().Title())
		h.AddBindings(m.focused().Keys())
		m.addCommands(h, func(*command) bool { return true })
		h.Add("esc", "Leave the innermost thing: work, a dialog, a drill-down, the zoom")
	}
	return m.cover(h)
}

// addCommands lists the commands that are wanted, with the reason where one
// cannot be used now.
func (m *Model) addCommands(h *dialogs.Help, wanted func(c *command) bool) {
	h.Add("", "everywhere")
	for _, c := range m.commands() {
		if keys := strings.Join(c.binding.Keys(), ", "); keys != "" && wanted(&c) {
			text := c.name
			if reason := c.why(m); reason != "" {
				text += " (now: " + reason + ")"
			}
			h.Add(keys, text)
		}
	}
}

// openNotices lists what the status line said, the latest first.
func (m *Model) openNotices() tea.Cmd {
	h := &dialogs.Help{Heading: "Messages"}
	for i := len(m.notices) - 1; i >= 0; i-- {
		h.Add(m.notices[i].at.Local().Format("15:04:05"), m.notices[i].text)
	}
	m.dialog = h
	return nil
}
