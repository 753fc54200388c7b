package draw

import (
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
)

// TextField is a line of text that is being typed.
type TextField struct {
	input  textinput.Model
	unseen bool
}

// NewTextField returns a field that holds a text, the cursor behind it.
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

// Text returns the text so far.
func (f *TextField) Text() string { return f.input.Value() }

// Set replaces the text.
func (f *TextField) Set(text string) {
	f.input.SetValue(text)
	f.input.CursorEnd()
}

// Handle takes a key. Where a word is deleted that is the last character, this one is
// deleted: the library would look behind it.
func (f *TextField) Handle(msg tea.KeyPressMsg) {
	if key.Matches(msg, f.input.KeyMap.DeleteWordForward) && f.input.Position() == utf8.RuneCountInString(f.Text())-1 {
		msg = tea.KeyPressMsg{Code: tea.KeyDelete}
	}
	f.input, _ = f.input.Update(msg)
}

// View draws the text in width cells, the end in sight, with a block where the
// cursor stands.
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
	const longest = 16 // no character that is shown takes more of them; a long text is cut without measuring it
	before := Safe(string(runes[max(0, at-longest*max(1, width)):at]))
	for Width(before) > max(0, width-1) {
		_, size := utf8.DecodeRuneInString(before)
		before = before[size:]
	}
	left := width - Width(before) - Width(Safe(under))
	return theme.Strong.Render(before) + theme.Selected.Render(Safe(under)) + theme.Strong.Fit(after, max(0, left))
}

// Typing is a text that is being typed on one line of a pane.
type Typing struct {
	TextField
	Active bool
	Keys   []key.Binding // that end it
}

// Begin starts typing with a text that is there already.
func (t *Typing) Begin(text string, keys ...key.Binding) {
	*t = Typing{*NewTextField(text), true, keys}
}

// TypedEnd says how typing goes on after a key.
type TypedEnd uint8

// How typing goes on.
const (
	TypedMore  TypedEnd = iota // the text may change
	TypedTaken                 // enter
	TypedLeft                  // esc
)

// Press takes a key while the text is typed.
func (t *Typing) Press(msg tea.KeyPressMsg) TypedEnd {
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

// Draw shows the text behind a prompt.
func (t *Typing) Draw(theme *Theme, prompt string, width int) string {
	prompt = " " + prompt
	return theme.Key.Render(prompt) + t.View(theme, max(1, width-Width(prompt)))
}
