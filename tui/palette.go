package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
)

// commandPalette finds a command by its name. Commands that cannot be used now
// stand there too, with the reason.
type commandPalette struct {
	entries []paletteEntry
	shown   []int // places of the entries that match what was typed
	input   *textField
	at      int
}

type paletteEntry struct {
	name, keys, reason string
	command            func(m *Model) tea.Cmd
}

// openPalette lists all commands.
func (m *Model) openPalette() tea.Cmd {
	p := &commandPalette{input: newTextField("")}
	for _, c := range commands() {
		entry := paletteEntry{name: c.name, keys: c.binding.Help().Key, command: c.do}
		if c.reason != nil {
			entry.reason = c.reason(m)
		}
		p.entries = append(p.entries, entry)
	}
	p.filter()
	m.dialog = p
	return nil
}

// filter keeps the entries that have all typed words, in any order.
func (p *commandPalette) filter() {
	p.shown = p.shown[:0]
	words := strings.Fields(strings.ToLower(p.input.text()))
	for i := range p.entries {
		name := strings.ToLower(p.entries[i].name)
		matches := true
		for _, word := range words {
			matches = matches && strings.Contains(name, word)
		}
		if matches {
			p.shown = append(p.shown, i)
		}
	}
	p.at = max(0, min(p.at, len(p.shown)-1))
}

func (p *commandPalette) Title() string { return "Commands" }

func (p *commandPalette) Typing() bool { return true }

func (p *commandPalette) Keys() []key.Binding {
	return []key.Binding{bind("↑↓", "choose", "up", "down"), bind("enter", "do it", "enter"), bind("esc", "close", "esc")}
}

func (p *commandPalette) HandleKey(msg tea.KeyPressMsg, _ views.State) Effect {
	switch pressed := msg.String(); pressed {
	case "esc":
		return Close{}
	case "up", "down", "pgup", "pgdown":
		p.at = moved(p.at, len(p.shown), pressed)
	case "enter":
		if len(p.shown) > 0 && p.entries[p.shown[p.at]].reason == "" {
			return Call{p.entries[p.shown[p.at]].command}
		}
	default:
		p.input.handle(msg)
		p.filter()
	}
	return Stay{}
}

func (p *commandPalette) View(s views.State, width, height int) string {
	theme := s.Theme
	lines := []string{theme.Key.Render(": ") + p.input.view(theme, max(1, width-2)), ""}
	rows := max(1, height-len(lines))
	first := window(p.at, len(p.shown), rows)
	for i := first; i < min(len(p.shown), first+rows); i++ {
		entry := p.entries[p.shown[i]]
		name := entry.name
		if entry.reason != "" {
			name += " — " + entry.reason
		}
		style := theme.Plain
		switch {
		case i == p.at:
			style = theme.Selected
		case entry.reason != "":
			style = theme.Faint
		}
		lines = append(lines, style.Render(views.Fit(" "+name, max(1, width-11)))+theme.Key.Render(views.FitRight(entry.keys, min(10, width))))
	}
	if len(p.shown) == 0 {
		lines = append(lines, theme.Faint.Render(views.Fit(" no command has these words", width)))
	}
	return strings.Join(lines, "\n")
}
