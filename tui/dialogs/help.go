package dialogs

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
)

// Help lists all keys of the place it was opened from.
type Help struct {
	Narrow
	Heading string
	lines   []helpLine
	at      int
}

// helpLine is one key and what it does; a heading where keys is empty.
type helpLine struct{ keys, text string }

// Add appends a key and what it does; a heading where keys is empty.
func (h *Help) Add(keys, text string) { h.lines = append(h.lines, helpLine{keys, text}) }

// AddBindings appends keys with their own texts.
func (h *Help) AddBindings(bindings []key.Binding) {
	for _, b := range bindings {
		h.Add(b.Help().Key, b.Help().Desc)
	}
}

// Title says what is listed.
func (h *Help) Title() string { return h.Heading }

// Typing reports that nothing is typed.
func (h *Help) Typing() bool { return false }

// Keys scroll and close.
func (h *Help) Keys() []key.Binding {
	return []key.Binding{Bind("↑↓", "scroll", "up", "down"), Bind("esc", "close", "esc")}
}

// HandleKey scrolls.
func (h *Help) HandleKey(msg tea.KeyPressMsg, _ views.State) Effect {
	switch pressed := msg.String(); pressed {
	case "esc", "q", "?", "enter":
		return Close{}
	default:
		h.at = Moved(h.at, 4*len(h.lines), pressed) // lines may take several rows
	}
	return Stay{}
}

// View draws the lines, from the one that was scrolled to.
func (h *Help) View(s views.State, width, height int) string {
	keysWidth := 0
	for _, line := range h.lines {
		keysWidth = max(keysWidth, views.Width(line.keys))
	}
	keysWidth = min(keysWidth, max(4, width/3))
	var lines []string
	for _, line := range h.lines {
		lines = append(lines, line.View(s.Theme, keysWidth, width)...)
	}
	height = max(1, height)
	h.at = max(0, min(h.at, len(lines)-height))
	return strings.Join(lines[h.at:min(len(lines), h.at+height)], "\n")
}

// View draws a line, or several where the text needs them.
func (l *helpLine) View(theme *views.Theme, keysWidth, width int) []string {
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
