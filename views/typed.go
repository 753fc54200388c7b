package views

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// typed is a text that is being typed on one line of a pane.
type typed struct {
	TextField
	active bool
	keys   []key.Binding // that end it
}

// begin starts typing with a text that is there already.
func (t *typed) begin(text string, keys ...key.Binding) { *t = typed{*NewTextField(text), true, keys} }

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
	}
	t.Handle(msg)
	return typedMore
}

// draw shows the text behind a prompt.
func (t *typed) draw(theme *Theme, prompt string, width int) string {
	prompt = " " + prompt
	return theme.Key.Render(prompt) + t.View(theme, max(1, width-Width(prompt)))
}
