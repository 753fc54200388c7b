package tui

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
)

// textField is a line of text that is being typed.
type textField struct{ input textinput.Model }

// newTextField returns a field that holds a text, the cursor behind it.
func newTextField(text string) *textField {
	input := textinput.New()
	input.Prompt = ""
	input.SetValue(text)
	input.CursorEnd()
	input.Focus()
	return &textField{input: input}
}

func (f *textField) text() string { return f.input.Value() }

func (f *textField) set(text string) {
	f.input.SetValue(text)
	f.input.CursorEnd()
}

func (f *textField) handle(msg tea.KeyPressMsg) {
	f.input, _ = f.input.Update(msg)
}

// view draws the text in width cells, the end in sight, with a block where the
// cursor stands.
func (f *textField) view(theme *views.Theme, width int) string {
	runes := []rune(f.text())
	at := min(f.input.Position(), len(runes))
	under := " "
	after := ""
	if at < len(runes) {
		under, after = string(runes[at]), string(runes[at+1:])
	}
	const longest = 16 // no character that is shown takes more of them; a long text is cut without measuring it
	before := views.Safe(string(runes[max(0, at-longest*max(1, width)):at]))
	for views.Width(before) > max(0, width-1) {
		_, rest := firstRune(before)
		before = rest
	}
	left := width - views.Width(before) - views.Width(views.Safe(under))
	return theme.Strong.Render(before) + theme.Selected.Render(views.Safe(under)) + theme.Strong.Render(views.Fit(after, max(0, left)))
}

func firstRune(s string) (rune, string) {
	for i, r := range s {
		if i > 0 {
			return r, s[i:]
		}
	}
	return 0, ""
}
