package dialogs

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
)

// explain shows what a figure means, how it is computed and with which values.
type explain struct {
	Narrow
	figures []views.Figure
	at      int
	first   int // the first line shown
}

// NewExplain explains figures, the first one first; nil where there is none.
func NewExplain(figures []views.Figure) Dialog {
	if len(figures) == 0 {
		return nil
	}
	return &explain{figures: figures}
}

func (e *explain) Title() string { return e.figures[e.at].Name }

func (e *explain) Typing() bool { return false }

func (e *explain) Keys() []key.Binding {
	keys := []key.Binding{}
	if len(e.figures) > 1 {
		keys = append(keys, Bind("shift+tab", "figure before", "shift+tab", "left"), Bind("↑↓", "scroll", "up", "down"),
			Bind("tab", "next figure", "tab", "right"))
	}
	return append(keys, Bind("esc", "close", "esc"))
}

func (e *explain) HandleKey(msg tea.KeyPressMsg, _ views.State) Effect {
	n := len(e.figures)
	switch msg.String() {
	case "esc", "i", "q", "enter":
		return Close{}
	case "tab", "right":
		e.at, e.first = (e.at+1)%n, 0
	case "shift+tab", "left":
		e.at, e.first = (e.at+n-1)%n, 0
	case "up", "k":
		e.first = max(0, e.first-1)
	case "down", "j":
		e.first++
	}
	return Stay{}
}

func (e *explain) View(s views.State, width, height int) string {
	theme, f := s.Theme, e.figures[e.at]
	var lines []string
	part := func(heading string, render func(...string) string, texts ...string) {
		if len(texts) == 0 || texts[0] == "" {
			return
		}
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, theme.Heading.Render(heading))
		for _, text := range texts {
			lines = append(lines, views.Wrapped(render, text, width)...)
		}
	}
	part("value", theme.Strong.Render, f.Value)
	part("what it is", theme.Plain.Render, f.Definition)
	part("formula", theme.Changed.Render, f.Formula)
	part("here", theme.Plain.Render, f.Values...)
	part("source", theme.Faint.Render, f.Source)
	height = max(1, height)
	e.first = max(0, min(e.first, len(lines)-height))
	lines = lines[e.first:min(len(lines), e.first+height)]
	return strings.Join(lines, "\n")
}
