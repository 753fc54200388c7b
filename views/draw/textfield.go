package draw

import (
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
)

// TextField is an editable line of text.
type TextField struct {
	input  textinput.Model
	unseen bool
}

// NewTextField returns a field with a text and the cursor at its end.
func NewTextField(text string) *TextField {
	input := textinput.New()
	input.Prompt = ""
	input.SetValue(text)
	input.CursorEnd()
	input.Focus()
	return &TextField{input: input}
}

// NewUnseenField returns an empty field whose characters are not shown.
func NewUnseenField() *TextField {
	f := NewTextField("")
	f.unseen = true
	return f
}

// Text returns the current text.
func (f *TextField) Text() string { return f.input.Value() }

// Set replaces the text.
func (f *TextField) Set(text string) {
	f.input.SetValue(text)
	f.input.CursorEnd()
}

// Handle handles a key. Deleting the last character as a word is done as deleting a character, because the library
// would read past the end.
func (f *TextField) Handle(msg tea.KeyPressMsg) {
	if key.Matches(msg, f.input.KeyMap.DeleteWordForward) && f.input.Position() == utf8.RuneCountInString(f.Text())-1 {
		msg = tea.KeyPressMsg{Code: tea.KeyDelete}
	}
	f.input, _ = f.input.Update(msg)
}

// View draws the text in width cells, with its end visible and a block at the cursor.
func (f *TextField) View(theme *Theme, width int) string {
	runes := []rune(f.Text())
	if f.unseen {
		runes = []rune(strings.Repeat("•", len(runes)))
	}
	at := min(f.input.Position(), len(runes))
	under := " "
	after := ""
	if at < len(runes) {
		under, after = string(runes[at]), string(runes[at+1:])
	}
	const longest = 16 // a shown character has at most 16 runes, so that a long text is cut without measuring it
	before := Safe(string(runes[max(0, at-longest*max(1, width)):at]))
	for Width(before) > max(0, width-1) {
		_, size := utf8.DecodeRuneInString(before)
		before = before[size:]
	}
	left := width - Width(before) - Width(Safe(under))
	return theme.Strong.Render(before) + theme.Selected.Render(Safe(under)) + theme.Strong.Fit(after, max(0, left))
}

// LineEditor is a text being typed on one line of a pane.
type LineEditor struct {
	TextField
	Active bool
	Keys   []key.Binding // the keys that end typing
}

// Begin starts typing with an initial text.
func (t *LineEditor) Begin(text string, keys ...key.Binding) {
	*t = LineEditor{*NewTextField(text), true, keys}
}

// TypedEnd is the state of typing after a key.
type TypedEnd uint8

// The states of typing.
const (
	TypedMore  TypedEnd = iota // typing continues
	TypedTaken                 // enter
	TypedLeft                  // esc
)

// Press handles a key while the text is typed.
func (t *LineEditor) Press(msg tea.KeyPressMsg) TypedEnd {
	switch {
	case key.Matches(msg, KeyEnter("")):
		t.Active = false
		return TypedTaken
	case key.Matches(msg, KeyEscape()):
		t.Active = false
		return TypedLeft
	}
	t.Handle(msg)
	return TypedMore
}

// Draw shows the text after a prompt.
func (t *LineEditor) Draw(theme *Theme, prompt string, width int) string {
	prompt = " " + prompt
	return theme.Key.Render(prompt) + t.View(theme, max(1, width-Width(prompt)))
}
