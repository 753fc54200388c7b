package tui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
)

// form is a list of fields, one line each, one of them in focus. Arrows up and
// down choose the field, left and right change it; a field of text is typed
// into as soon as a character is.
type form struct {
	fields []*formField
	at     int
	typing *views.TextField
	shown  rowsShown
	values int // column where the values begin
}

// formField is one line of a form.
type formField struct {
	name    string // of the parameter; "": it is of none
	label   string
	help    string                  // shown under the form while the field is in focus
	value   func() string           // as shown
	change  func(by int)            // left and right; nil: they do nothing
	typed   func(text string) error // takes typed text; nil: it cannot be typed
	reading *fileReading            // of the file whose path is typed; nil: something else is
	hidden  func() bool             // nil: always shown
	err     error                   // why the last text was not taken
	refused string                  // that text; it stays until it is mended or given up
}

// named returns the field of a parameter.
func (f *form) named(name string) *formField {
	return f.fields[slices.IndexFunc(f.fields, func(field *formField) bool { return field.name == name })]
}

// visible returns the fields that are shown.
func (f *form) visible() []*formField {
	var shown []*formField
	for _, field := range f.fields {
		if field.hidden == nil || !field.hidden() {
			shown = append(shown, field)
		}
	}
	return shown
}

// field returns the field in focus; nil in an empty form.
func (f *form) field() *formField {
	shown := f.visible()
	if len(shown) == 0 {
		return nil
	}
	f.at = max(0, min(f.at, len(shown)-1))
	return shown[f.at]
}

// Typing reports whether text is being typed.
func (f *form) Typing() bool { return f.typing != nil }

// handle takes a key; taken is false where the form has no use for it.
func (f *form) handle(msg tea.KeyPressMsg) (taken bool) {
	if f.typing != nil {
		return f.handleTyping(msg)
	}
	field := f.field()
	if field == nil {
		return false
	}
	switch pressed := msg.String(); pressed {
	case "up", "shift+tab":
		f.at = max(0, f.at-1)
	case "down", "tab":
		f.at = min(len(f.visible())-1, f.at+1)
	case "left", "right", "space":
		if field.change == nil {
			return field.typed != nil && f.begin(field, field.text(), msg)
		}
		by := 1
		if pressed == "left" {
			by = -1
		}
		f.alter(field, by)
	case "backspace":
		return field.typed != nil && f.begin(field, field.text(), msg)
	default:
		return msg.Text != "" && field.typed != nil && f.begin(field, "", msg)
	}
	return true
}

// Click brings the field of a row into focus; in focus already, it is changed as
// by the arrow that was clicked.
func (f *form) Click(x, y int, _ views.State) Effect {
	place, ok := f.shown.at(x, y)
	if !ok {
		return Stay{}
	}
	f.leave()
	if place != f.at {
		f.at = place
		return Stay{}
	}
	if field := f.field(); field != nil && field.change != nil && x >= f.values {
		by := 1
		if x <= f.values+1 {
			by = -1
		}
		f.alter(field, by)
	}
	return Stay{}
}

// alter changes a field, which stays in focus when that hides or shows others.
func (f *form) alter(field *formField, by int) {
	field.change(by)
	field.err, field.refused = nil, ""
	f.at = max(0, slices.Index(f.visible(), field))
}

// begin starts to type into a field.
func (f *form) begin(field *formField, text string, msg tea.KeyPressMsg) bool {
	f.typing = views.NewTextField(text)
	f.typing.Handle(msg)
	f.take(field)
	return true
}

func (f *form) take(field *formField) {
	field.err = field.typed(strings.TrimSpace(f.typing.Text()))
}

// handleTyping edits the text; the field follows every key. Enter is left to
// the dialog.
func (f *form) handleTyping(msg tea.KeyPressMsg) bool {
	switch msg.String() {
	case "enter":
		if f.field().err != nil {
			return true // the text makes no sense yet; what is wrong stands below
		}
		f.typing = nil
		return false
	case "up", "down", "tab", "shift+tab":
		f.leave()
		return f.handle(msg)
	case "esc":
		f.giveUp()
		return true
	}
	f.typing.Handle(msg)
	f.take(f.field())
	return true
}

// leave ends typing; a text that made no sense stays in the field, and the form
// makes no step until it is mended or given up.
func (f *form) leave() {
	if f.typing == nil {
		return
	}
	field := f.field()
	if field.refused = ""; field.err != nil {
		field.refused = f.typing.Text()
	}
	f.typing = nil
}

// giveUp ends typing; after a text that made no sense the field is as it was.
func (f *form) giveUp() {
	f.typing = nil
	f.field().err, f.field().refused = nil, ""
}

// text returns what typing begins with: a text that was refused, else the value.
func (field *formField) text() string {
	if field.err != nil && field.refused != "" {
		return field.refused
	}
	return field.value()
}

// err returns the first error of a field that is shown.
func (f *form) err() error {
	for _, field := range f.visible() {
		if field.err != nil {
			return field.err
		}
	}
	return nil
}

// view draws the fields, then the help of the one in focus or its error.
func (f *form) view(theme *views.Theme, width int) []string {
	labelWidth := 0
	for _, field := range f.visible() {
		labelWidth = max(labelWidth, views.Width(field.label))
	}
	labelWidth = min(labelWidth, max(8, width/2))
	f.shown, f.values = rowsShown{rows: len(f.visible()), width: width}, labelWidth+4
	var lines []string
	focused := f.field()
	for _, field := range f.visible() {
		lines = append(lines, f.viewField(theme, field, field == focused, labelWidth, width))
	}
	if focused == nil {
		return lines
	}
	if focused.err != nil {
		return append(append(lines, ""), views.Wrapped(theme.Error.Render, focused.err.Error(), width)...)
	}
	for _, field := range f.visible() {
		if field.err != nil {
			return append(append(lines, ""), views.Wrapped(theme.Error.Render, field.label+": "+field.err.Error(), width)...)
		}
	}
	return append(append(lines, ""), views.Wrapped(theme.Faint.Render, focused.help, width)...)
}

// viewWithin draws the fields in at most height lines, the one in focus in sight;
// the help gives way first.
func (f *form) viewWithin(theme *views.Theme, width, height int) []string {
	lines, fields := f.view(theme, width), len(f.visible())
	if len(lines) <= height || fields > len(lines) {
		return lines
	}
	rows := lines[:fields]
	if fields > height {
		first := window(f.at, fields, height)
		f.shown.first, f.shown.rows = first, height
		return rows[first:min(fields, first+max(1, height))]
	}
	return lines[:height]
}

func (f *form) viewField(theme *views.Theme, field *formField, focused bool, labelWidth, width int) string {
	mark, style := "  ", theme.Plain
	if focused {
		mark, style = "▸ ", theme.Selected
	}
	head := mark + views.Fit(field.label, labelWidth) + "  "
	space := max(1, width-views.Width(head))
	if focused && f.typing != nil {
		return theme.Strong.Render(head) + f.typing.View(theme, space)
	}
	value := views.Safe(field.text())
	if field.err != nil {
		style = theme.Error
	}
	if field.change != nil && focused {
		value = "◂ " + value + " ▸"
	}
	if views.Width(value) > space {
		value = views.Fit(value, space)
	}
	return theme.Heading.Render(head) + style.Render(value)
}

// keys returns the bindings that work in a form.
func (f *form) keys() []key.Binding {
	if len(f.fields) == 0 {
		return nil
	}
	keys := []key.Binding{bind("↑↓", "field", "up", "down", "tab", "shift+tab")}
	if field := f.field(); field != nil && field.change != nil {
		keys = append(keys, bind("←→", "change", "left", "right"))
	}
	return keys
}
