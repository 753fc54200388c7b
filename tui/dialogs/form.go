package dialogs

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Form is a list of fields, one line each, with one field in focus. Up and down choose the field, left and right
// change it; typing a character starts editing a text field.
type Form struct {
	Fields []*Field
	At     int
	Input  *draw.TextField
	typed  *Field // that Input belongs to; nil: the field in focus
	shown  RowsShown
	values int // column where the values begin

	explained bool // ? opens a page that includes the help
}

// Field is one line of a form.
type Field struct {
	name     string // of the parameter; "": not a parameter
	Label    string
	Help     string                     // shown under the form while the field is in focus
	Value    func() string              // as shown
	Fitted   func(cells int) string     // the value in at most so many cells; nil: Value is cut
	Means    func(s views.State) string // the labels of the variables or codes in the value; nil: none
	Change   func(by int)               // left and right; nil: no effect
	Typed    func(text string) error    // sets the value from typed text; nil: cannot be typed
	Reading  *fileReading               // for the path of a file that is read; nil: not a path
	Hidden   func() bool                // nil: always shown
	param    *method.Param              // the parameter whose value can be picked from a list; nil: none
	Critical bool                       // the row is shown like an error
	number   bool                       // the value is a number, so letters are not text
	Err      error                      // the error of the last text
	Refused  string                     // the text with an error, kept until it is corrected or discarded
}

// Named returns the field of a parameter.
func (f *Form) Named(name string) *Field {
	return f.Fields[slices.IndexFunc(f.Fields, func(field *Field) bool { return field.name == name })]
}

// Visible returns the fields that are not hidden.
func (f *Form) Visible() []*Field {
	var shown []*Field
	for _, field := range f.Fields {
		if field.Hidden == nil || !field.Hidden() {
			shown = append(shown, field)
		}
	}
	return shown
}

// Field returns the field in focus, or nil if the form is empty.
func (f *Form) Field() *Field {
	shown := f.Visible()
	if len(shown) == 0 {
		return nil
	}
	f.At = max(0, min(f.At, len(shown)-1))
	return shown[f.At]
}

// Typing reports whether text is being typed.
func (f *Form) Typing() bool { return f.Input != nil }

// Handle handles a key; taken is false if the form does not use it.
func (f *Form) Handle(msg tea.KeyPressMsg) (taken bool) {
	if f.Input != nil {
		return f.handleTyping(msg)
	}
	field := f.Field()
	if field == nil {
		return false
	}
	switch pressed := msg.String(); pressed {
	case "up", "shift+tab":
		f.At = max(0, f.At-1)
	case "down", "tab":
		f.At = min(len(f.Visible())-1, f.At+1)
	case "left", "right", "space":
		if field.Change == nil {
			return f.Begin(field, field.text(), msg)
		}
		by := 1
		if pressed == "left" {
			by = -1
		}
		f.alter(field, by)
	case "backspace":
		return f.Begin(field, field.text(), msg)
	case "ctrl+u":
		return f.Begin(field, "", msg)
	default:
		return msg.Text != "" && f.Begin(field, "", msg)
	}
	return true
}

// Click moves the focus to the field of a row. If that has the focus, a click on an arrow changes it.
func (f *Form) Click(x, y int, _ views.State) draw.Action {
	place, ok := f.shown.At(x, y)
	if !ok {
		return nil
	}
	f.leave()
	if place != f.At {
		f.At = place
		return nil
	}
	if field := f.Field(); field != nil && field.Change != nil && x >= f.values {
		by := 1
		if x <= f.values+1 {
			by = -1
		}
		f.alter(field, by)
	}
	return nil
}

// alter changes a field, which keeps the focus if other fields are hidden or shown.
func (f *Form) alter(field *Field, by int) {
	field.Change(by)
	field.Err, field.Refused = nil, ""
	f.At = max(0, slices.Index(f.Visible(), field))
}

// Begin starts typing into a field; it returns false if the field cannot be typed into.
func (f *Form) Begin(field *Field, text string, msg tea.KeyPressMsg) bool {
	if field.Typed == nil {
		return false
	}
	f.Input, f.typed = draw.NewTextField(text), field
	f.Input.Handle(msg)
	f.follow()
	return true
}

// follow gives the typed text to its field, which keeps the focus if other fields are hidden or shown.
func (f *Form) follow() {
	f.typed.Err = f.typed.Typed(strings.TrimSpace(f.Input.Text()))
	f.At = max(0, slices.Index(f.Visible(), f.typed))
}

// handleTyping edits the text; the value follows every key. Enter is handled by the dialog.
func (f *Form) handleTyping(msg tea.KeyPressMsg) bool {
	if f.typed = cmp.Or(f.typed, f.Field()); !slices.Contains(f.Visible(), f.typed) {
		f.Input = nil // what was typed hides its field
		return f.Handle(msg)
	}
	switch msg.String() {
	case "enter":
		if f.typed.Err != nil {
			return true // the text is invalid; its error is shown below
		}
		f.Input = nil
		return false
	case "up", "down", "tab", "shift+tab":
		f.leave()
		return f.Handle(msg)
	case "esc":
		f.Input = nil // the value before an invalid text is still there
		f.typed.Err, f.typed.Refused = nil, ""
		return true
	}
	f.Input.Handle(msg)
	f.follow()
	return true
}

// leave ends typing. An invalid text stays in the field, and the form makes no step until it is corrected or
// discarded.
func (f *Form) leave() {
	if f.Input == nil {
		return
	}
	field := cmp.Or(f.typed, f.Field())
	if field.Refused = ""; field.Err != nil {
		field.Refused = f.Input.Text()
	}
	f.Input = nil
}

// text returns the initial text for typing: an invalid text, otherwise the value.
func (field *Field) text() string {
	if field.Err != nil && field.Refused != "" {
		return field.Refused
	}
	return field.Value()
}

// Err returns the first error of the visible fields.
func (f *Form) Err() error {
	for _, field := range f.Visible() {
		if field.Err != nil {
			return field.Err
		}
	}
	return nil
}

// TakesLetters reports whether a letter starts typing in the field in focus.
func (f *Form) TakesLetters() bool {
	field := f.Field()
	return f.Input == nil && field != nil && field.Typed != nil && !field.number
}

// View draws the fields, then the error or the help of the one in focus.
func (f *Form) View(s views.State, width int) []string {
	fields, focused, labelWidth := f.Visible(), f.Field(), 0
	for _, field := range fields {
		labelWidth = max(labelWidth, draw.Width(field.Label))
	}
	labelWidth = min(labelWidth, max(8, width/2))
	f.shown, f.values = RowsShown{Rows: len(fields), Width: width}, labelWidth+4
	var lines []string
	for _, field := range fields {
		lines = append(lines, f.viewField(s, field, field == focused, labelWidth, width))
	}
	if focused == nil || focused.Help == "" && f.Err() == nil {
		return lines
	}
	style, text := s.Faint, focused.Help
	if at := slices.IndexFunc(fields, func(field *Field) bool { return field.Err != nil }); focused.Err != nil {
		style, text = s.Error, focused.Err.Error()
	} else if at >= 0 {
		style, text = s.Error, fields[at].Label+": "+fields[at].Err.Error()
	}
	return style.Append(append(lines, ""), text, width)
}

// viewWithin draws the fields in at most height lines, including the one in focus; help is shortened first. Hidden
// fields are counted.
func (f *Form) viewWithin(s views.State, width, height int) []string {
	lines, fields := f.View(s, width), len(f.Visible())
	if len(lines) <= height || fields > len(lines) {
		return lines
	}
	if fields <= height {
		if help := lines[fields+1:]; len(help) <= height-fields { // without the empty line above the help
			return append(lines[:fields:fields], help...)
		}
		if f.explained && f.Err() == nil && !f.Typing() && fields < height {
			return append(lines[:fields:fields], s.Faint.Fit("  ? explains "+f.Field().Label, width))
		}
		if fields == height {
			return lines[:fields]
		}
		return Shortened(s.Theme, append(lines[:fields:fields], lines[fields+1:]...), width, height)
	}
	return f.rowsInSight(s.Theme, lines[:fields], width, height)
}

// leastFields is the minimum number of lines for the fields if what is below them is too long.
const leastFields = 5

// WithUnder draws the fields and other lines below them, in at most height lines. The fields around the focus
// always stay visible.
func (f *Form) WithUnder(s views.State, width, height int, draw func(height int) []string) []string {
	lines := f.View(s, width)
	under := draw(height - len(lines) - 1)
	if len(under) == 0 && len(lines) <= height {
		return lines
	}
	lines = append(lines, "")
	if f.Err() != nil {
		return f.viewWithin(s, width, height) // the field shows the error
	}
	if len(lines)+len(under) <= height {
		return append(lines, under...)
	}
	least := min(len(f.Visible()), leastFields, height)
	if room := height - len(under) - 1; room >= least {
		return append(append(f.viewWithin(s, width, room), ""), under...)
	}
	lines = f.viewWithin(s, width, least)
	return append(lines, Shortened(s.Theme, under, width, height-len(lines))...)
}

// rowsInSight returns the rows around the field in focus, with marks that count the fields above and below.
func (f *Form) rowsInSight(theme *draw.Theme, rows []string, width, height int) []string {
	lines, shown := InSight(theme, len(rows), f.At, width, height, func(i int) string { return rows[i] },
		func(arrow string, from, to int) string { return f.hidden(theme, arrow, from, to, width) })
	f.shown = shown
	return lines
}

// hidden counts the fields of a range and shows as many of their values as fit.
func (f *Form) hidden(theme *draw.Theme, arrow string, from, to, width int) string {
	var fields []string
	for _, field := range f.Visible()[from:to] {
		fields = append(fields, strings.Join(strings.Fields(draw.Safe(field.Label+" "+field.text())), " "))
	}
	head := "  " + arrow + " " + draw.Count(to-from) + " more"
	rest := max(0, width-draw.Width(head))
	text := ": " + strings.Join(fields, " · ")
	for n := len(fields) - 1; n > 0 && draw.Width(text) > rest; n-- {
		text = ": " + strings.Join(fields[:n], " · ") + " · …"
	}
	return theme.Key.Fit(head, width-rest) + theme.Faint.Fit(text, rest)
}

// Shortened returns at most height lines of width cells; the last one says if there are more.
func Shortened(theme *draw.Theme, lines []string, width, height int) []string {
	if len(lines) <= height {
		return lines
	}
	lines = slices.Clone(lines[:max(0, height)])
	if n := len(lines); n > 0 {
		last := strings.TrimRight(ansi.Strip(lines[n-1]), " ")
		if draw.Width(last) > width-2 {
			last = strings.TrimRight(draw.Fit(last, max(0, width-2)), " …")
			if at := strings.LastIndexByte(last, ' '); at > 0 { // a word is not cut
				last = last[:at]
			}
		}
		lines[n-1] = theme.Faint.Fit(last+" …", width)
	}
	return lines
}

func (f *Form) viewField(s views.State, field *Field, focused bool, labelWidth, width int) string {
	mark, heading, style := "  ", s.Heading, s.Plain
	if field.Critical {
		heading, style = s.Error, s.Error
	}
	if focused {
		mark, style = "▸ ", s.Theme.Selected
	}
	head := mark + draw.Fit(field.Label, labelWidth) + "  "
	space := max(1, width-draw.Width(head))
	if focused && f.Input != nil {
		return s.Strong.Render(head) + f.Input.View(s.Theme, space)
	}
	value := draw.Safe(field.text())
	if field.Err != nil {
		style = s.Error
	} else if field.Fitted != nil {
		value = draw.Safe(field.Fitted(space))
	}
	if field.Change != nil && focused {
		value = "◂ " + value + " ▸"
	}
	if draw.Width(value) > space {
		value = draw.Fit(value, space)
	}
	return heading.Render(head) + style.Render(value) + field.meaning(s, space-draw.Width(value))
}

// meaning returns the labels of the value in the space after it, if there is enough.
func (field *Field) meaning(s views.State, space int) string {
	const least = 8
	if field.Means == nil || field.Err != nil || space < least {
		return ""
	}
	text := draw.Safe(field.Means(s))
	return s.Faint.Fit("  "+text, min(space, draw.Width(text)+2))
}

// Keys returns the keys of the form.
func (f *Form) Keys() []key.Binding {
	if len(f.Fields) == 0 {
		return nil
	}
	keys := []key.Binding{draw.Bind("↑↓", "field", "up", "down", "tab", "shift+tab")}
	if field := f.Field(); field != nil && field.Change != nil {
		keys = append(keys, draw.Bind("←→", "change", "left", "right"))
	}
	return keys
}

// formDialog is the common part of dialogs that are forms.
type formDialog struct {
	Form
	Heading string
	Back    Dialog // the dialog it was opened from; nil: none
}

// Title is the heading.
func (d *formDialog) Title() string { return d.Heading }

// keys returns the keys of the form, other keys, and those that leave the dialog; yes is the text for enter.
func (d *formDialog) keys(yes string, others ...key.Binding) []key.Binding {
	out := draw.Bind("esc", "back")
	switch {
	case d.Form.Typing():
		out = draw.Bind("esc", "end typing")
	case d.Back == nil:
		out = draw.Bind("esc", "cancel")
	}
	return append(append(d.Form.Keys(), others...), draw.Bind("enter", yes), out)
}

// listKeys returns the keys that open the list of values for the field in focus, and that explain the figures, if
// there are any.
func (d *formDialog) listKeys(figures bool) (keys []key.Binding) {
	if d.picks() {
		keys = append(keys, KeyPick)
	}
	if figures && d.free() {
		keys = append(keys, keyExplain)
	}
	return keys
}

// picks reports whether the value of the field in focus can be chosen from a list.
func (d *formDialog) picks() bool {
	field := d.Field()
	return !d.Form.Typing() && field != nil && field.param != nil
}

// free reports whether letters are not text in the field in focus.
func (d *formDialog) free() bool {
	field := d.Field()
	return !d.Form.Typing() && (field == nil || field.Typed == nil || field.number)
}

// list opens the list of values for the field in focus under a scenario, or explains figures. It returns nil for
// other keys. taken is called after a value was taken from the list.
func (d *formDialog) list(msg tea.KeyPressMsg, s views.State, scenario *microdata.Scenario,
	explained func(views.State) []views.Figure, taken func()) draw.Action {
	var dialog Dialog
	switch {
	case key.Matches(msg, keyExplain) && explained != nil && (d.free() || !d.Form.Typing() && msg.Mod != 0):
		dialog = NewExplain(explained(s))
	case key.Matches(msg, KeyPick) && d.picks():
		dialog = d.Field().picker(s, d.Heading, scenario, taken)
	}
	if dialog == nil {
		return nil
	}
	return Cover{Dialog: dialog}
}

// handle edits the fields. esc returns to the dialog that this one was opened from, or closes it without a change.
func (d *formDialog) handle(msg tea.KeyPressMsg, enter func() draw.Action) draw.Action {
	switch taken, pressed := d.Handle(msg), msg.String(); {
	case taken:
	case pressed == "enter":
		return enter()
	case pressed == "esc" && d.Back == nil:
		return Close{}
	case pressed == "esc":
		return Swap{Dialog: d.Back}
	}
	return nil
}
