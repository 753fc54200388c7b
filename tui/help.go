package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
)

// help lists all keys of the place it was opened from.
type help struct {
	reading
	title string
	lines []helpLine
	at    int
}

// helpLine is one key and what it does; a heading where keys is empty.
type helpLine struct{ keys, text string }

func (h *help) add(keys, text string) { h.lines = append(h.lines, helpLine{keys, text}) }

func (h *help) addBindings(bindings []key.Binding) {
	for _, b := range bindings {
		h.add(b.Help().Key, b.Help().Desc)
	}
}

func (h *help) Title() string { return h.title }

func (h *help) Typing() bool { return false }

func (h *help) Keys() []key.Binding {
	return []key.Binding{bind("↑↓", "scroll", "up", "down"), bind("esc", "close", "esc")}
}

func (h *help) HandleKey(msg tea.KeyPressMsg, _ views.State) Effect {
	switch pressed := msg.String(); pressed {
	case "esc", "q", "?", "enter":
		return Close{}
	default:
		h.at = moved(h.at, 4*len(h.lines), pressed) // lines may take several rows
	}
	return Stay{}
}

func (h *help) View(s views.State, width, height int) string {
	keysWidth := 0
	for _, line := range h.lines {
		keysWidth = max(keysWidth, views.Width(line.keys))
	}
	keysWidth = min(keysWidth, max(4, width/3))
	var lines []string
	for _, line := range h.lines {
		lines = append(lines, line.view(s.Theme, keysWidth, width)...)
	}
	height = max(1, height)
	h.at = max(0, min(h.at, len(lines)-height))
	return strings.Join(lines[h.at:min(len(lines), h.at+height)], "\n")
}

// view draws a line, or several where the text needs them.
func (l *helpLine) view(theme *views.Theme, keysWidth, width int) []string {
	if l.keys == "" {
		return []string{theme.Title.Render(views.Fit(l.text, width))}
	}
	lines := views.Wrapped(theme.Plain.Render, l.text, max(1, width-keysWidth-4))
	for i := range lines {
		keys := ""
		if i == 0 {
			keys = l.keys
		}
		lines[i] = "  " + theme.Key.Render(views.Fit(keys, keysWidth)) + "  " + lines[i]
	}
	return lines
}
