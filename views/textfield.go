package views

import (
	"unicode/utf8"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
)

// TextField is a line of text that is being typed.
type TextField struct{ input textinput.Model }

// NewTextField returns a field that holds a text, the cursor behind it.
func NewTextField(text string) *TextField {
	input := textinput.New()
	input.Prompt = ""
	input.SetValue(text)
	input.CursorEnd()
	input.Focus()
	return &TextField{input: input}
}

// Text returns the text so far.
func (f *TextField) Text() string { return f.input.Value() }

// Set replaces the text.
func (f *TextField) Set(text string) {
	f.input.SetValue(text)
	f.input.CursorEnd()
}

// Handle takes a key.
func (f *TextField) Handle(msg tea.KeyPressMsg) {
	f.input, _ = f.input.Update(msg)
}

// View draws the text in width cells, the end in sight, with a block where the
// cursor stands.
func (f *TextField) View(theme *Theme, width int) string {
	runes := []rune(f.Text())
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
	return theme.Strong.Render(before) + theme.Selected.Render(Safe(under)) + theme.Strong.Render(Fit(after, max(0, left)))
}
