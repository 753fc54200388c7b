package views

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// typed is a text that is being typed on one line of a pane.
type typed struct {
	active bool
	text   string
}

// begin starts typing with a text that is there already.
func (t *typed) begin(text string) { t.active, t.text = true, text }

// typedEnd says how typing goes on after a key.
type typedEnd uint8

const (
	typedMore  typedEnd = iota
	typedTaken          // enter
	typedLeft           // esc
)

// press takes a key while the text is typed.
func (t *typed) press(msg tea.KeyPressMsg) typedEnd {
	switch {
	case key.Matches(msg, keyEnter("")):
		t.active = false
		return typedTaken
	case key.Matches(msg, keyEscape()):
		t.active = false
		return typedLeft
	case key.Matches(msg, bind("", "", "backspace", "ctrl+h")):
		runes := []rune(t.text)
		t.text = string(runes[:max(0, len(runes)-1)])
	case key.Matches(msg, bind("", "", "ctrl+w", "alt+backspace")):
		text := strings.TrimRight(t.text, " ")
		t.text = text[:strings.LastIndexByte(text, ' ')+1]
	case key.Matches(msg, bind("", "", "ctrl+u")):
		t.text = ""
	default:
		t.text += msg.Text
	}
	return typedMore
}

// draw shows the text behind a prompt, its end in sight, with a cursor.
func (t *typed) draw(theme *Theme, prompt string, width int) string {
	l := newLine(width, nil)
	l.text(&theme.Key, " "+prompt)
	text := Safe(shortened(t.text))
	for runes := []rune(text); Width(text)+1 > l.rest() && len(runes) > 0; text = string(runes) {
		runes = runes[1:]
	}
	l.text(&theme.Strong, text)
	l.text(&theme.Key, "▏")
	return l.String()
}
