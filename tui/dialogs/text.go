package dialogs

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Text is a dialog that is read: its lines scroll, and keys answer it.
type Text struct {
	title         string
	width, height int
	acts          []views.KeyAction
	draw          func(s views.State, width int) []string
	first         int // the first line shown
}

// Title says what is read.
func (d *Text) Title() string { return d.title }

// Size is that of the window: as large as the text, or a page.
func (d *Text) Size() (width, height int) { return d.width, d.height }

// Typing reports that nothing is typed.
func (d *Text) Typing() bool { return false }

// Keys returns the answers.
func (d *Text) Keys() []key.Binding { return views.Bindings(d.acts) }

// HandleKey takes an answer, or scrolls.
func (d *Text) HandleKey(msg tea.KeyPressMsg, s views.State) draw.Action {
	return views.CarryOut(append(d.acts, d.scrolling()), msg, s)
}

// View draws the lines, from the one that was scrolled to.
func (d *Text) View(s views.State, width, height int) string {
	lines := d.draw(s, width)
	height = max(1, height)
	d.first = max(0, min(d.first, len(lines)-height))
	return draw.Within(s.Theme, lines[d.first:], width, height)
}

// scrolling are the keys that scroll.
func (d *Text) scrolling() views.KeyAction {
	const most = 1 << 16 // more lines than any text has
	return views.Presses("↑↓", "scroll", Moves(&d.first, most), "up", "down", "k", "j", "pgup", "pgdown", "home", "end")
}

// closing closes a dialog with esc, and with other keys.
func closing(text string, others ...string) views.KeyAction {
	return views.Emits("esc", text, Close{}, append([]string{"esc"}, others...)...)
}

// NewConfirm asks a question; yes says what enter does, which is the command. esc
// leaves everything as it is, and n too unless it is another answer.
func NewConfirm(title, text, yes string, command func(), others ...views.KeyAction) *Text {
	acts := append([]views.KeyAction{views.Emits("enter", yes, Call(command), "enter", "y")}, others...)
	return &Text{title: title, width: 64, height: 7, acts: append(acts, closing("cancel", "n")),
		draw: func(s views.State, width int) []string { return s.Plain.Wrapped(text, width) }}
}

// NewExplain explains figures, what they mean, how they are computed and with which
// values, the first one first, and by a key the terms of their headings; nil where there
// is none of both.
func NewExplain(figures []views.Figure, terms ...views.Figure) Dialog {
	if len(figures) == 0 {
		figures, terms = terms, nil
	}
	n, at := len(figures), 0
	if n == 0 {
		return nil
	}
	d := newPage(figures[0].Name, explained(figures[0]))
	d.acts = nil
	turns := func(name, text, arrow string, by int) views.KeyAction {
		return views.Handles(name, text, func() {
			at = (at + by + n) % n
			d.title, d.draw, d.first = figures[at].Name, explained(figures[at]), 0
		}, name, arrow)
	}
	if n > 1 {
		d.acts = []views.KeyAction{turns("shift+tab", "figure before", "left", -1), d.scrolling(),
			turns("tab", "next figure", "right", 1)}
	}
	if len(terms) > 0 {
		d.acts = append([]views.KeyAction{views.EmitsFrom("g", "terms", Swaps(func() Dialog { return NewExplain(terms) }))}, d.acts...)
	}
	d.acts = append(d.acts, closing("close", "i", "q", "enter"))
	return d
}

// newPage is a dialog of the size of a page, that scrolls and closes.
func newPage(title string, draw func(s views.State, width int) []string) *Text {
	width, height := Narrow{}.Size()
	d := &Text{title: title, width: width, height: height, draw: draw}
	d.acts = []views.KeyAction{d.scrolling(), closing("close", "q", "?", "enter")}
	return d
}

// explained returns what draws the explanation of a figure.
func explained(f views.Figure) func(s views.State, width int) []string {
	here := f.Here()
	return func(s views.State, width int) []string {
		theme := s.Theme
		var lines []string
		part := func(heading string, render func(string) string, texts ...string) {
			if len(texts) == 0 || texts[0] == "" {
				return
			}
			if len(lines) > 0 {
				lines = append(lines, "")
			}
			lines = append(lines, theme.Heading.Render(heading))
			for _, text := range texts {
				lines = append(lines, draw.Wrapped(render, text, width)...)
			}
		}
		part("value", theme.Strong.Render, f.Value)
		part("definition", theme.Plain.Render, f.Definition)
		part("formula", theme.Changed.Render, f.Formula)
		part("here", theme.Plain.Render, here...)
		part("source", theme.Faint.Render, f.Source)
		return lines
	}
}

// Listed is a line of a list: a key, or a time, and what it is; a heading where Key
// is empty.
type Listed struct{ Key, Text string }

// ListKeys lists keys under a heading.
func ListKeys(heading string, bindings []key.Binding) []Listed {
	lines := []Listed{{"", heading}}
	for _, b := range bindings {
		lines = append(lines, Listed{b.Help().Key, b.Help().Desc})
	}
	return lines
}

// NewList lists keys, or messages.
func NewList(title string, lines []Listed) *Text {
	return newPage(title, func(s views.State, width int) []string { return viewListed(s.Theme, lines, width) })
}

// view draws a line, or several where the text needs them.
func (l Listed) view(theme *draw.Theme, size, width int) []string {
	if l.Key == "" {
		return []string{theme.Title.Fit(l.Text, width)}
	}
	lines, head := theme.Plain.Wrapped(l.Text, max(1, width-size-4)), l.Key
	for i := range lines {
		lines[i] = "  " + theme.Key.Fit(head, size) + "  " + lines[i]
		head = "" // on the first line alone
	}
	return lines
}
