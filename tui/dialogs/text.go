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
	acts          []Act
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
func (d *Text) Keys() []key.Binding { return Bindings(d.acts) }

// HandleKey takes an answer, or scrolls.
func (d *Text) HandleKey(msg tea.KeyPressMsg, _ views.State) Effect {
	if effect := CarryOut(d.acts, msg); effect != nil {
		return effect
	}
	return d.scroll(msg)
}

func (d *Text) scroll(msg tea.KeyPressMsg) Effect {
	const most = 1 << 16 // more lines than any text has
	d.first = Moved(d.first, most, msg.String())
	return Stay{}
}

// View draws the lines, from the one that was scrolled to.
func (d *Text) View(s views.State, width, height int) string {
	lines := d.draw(s, width)
	height = max(1, height)
	d.first = max(0, min(d.first, len(lines)-height))
	return draw.Within(s.Theme, lines[d.first:], width, height)
}

func (d *Text) scrolling() Act { return NewAct("↑↓", "scroll", d.scroll, "up", "down") }

// closing closes a dialog with esc, and with other keys.
func closing(text string, others ...string) Act {
	return NewAct("esc", text, Closes, append([]string{"esc"}, others...)...)
}

// NewConfirm asks a question; yes says what enter does, which is the command. esc
// leaves everything as it is, and n too unless it is another answer.
func NewConfirm(title, text, yes string, command func() tea.Cmd, others ...Act) *Text {
	acts := append([]Act{{draw.Bind("enter", yes, "enter", "y"), Calls(command)}}, others...)
	return &Text{title: title, width: 64, height: 7, acts: append(acts, closing("cancel", "n")),
		draw: func(s views.State, width int) []string { return s.Theme.Plain.Wrapped(text, width) }}
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
	turns := func(by int) func(tea.KeyPressMsg) Effect {
		return Stays(func() {
			at = (at + by + n) % n
			d.title, d.draw, d.first = figures[at].Name, explained(figures[at]), 0
		})
	}
	if n > 1 {
		d.acts = []Act{{draw.Bind("shift+tab", "figure before", "shift+tab", "left"), turns(-1)}, d.scrolling(),
			{draw.Bind("tab", "next figure", "tab", "right"), turns(1)}}
	}
	if len(terms) > 0 {
		d.acts = append([]Act{NewAct("g", "terms", Swaps(func() Dialog { return NewExplain(terms) }))}, d.acts...)
	}
	d.acts = append(d.acts, closing("close", "i", "q", "enter"))
	return d
}

// newPage is a dialog of the size of a page.
func newPage(title string, draw func(s views.State, width int) []string) *Text {
	width, height := Narrow{}.Size()
	return &Text{title: title, width: width, height: height, draw: draw}
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
		part("what it is", theme.Plain.Render, f.Definition)
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
	d := newPage(title, func(s views.State, width int) []string {
		return viewListed(s.Theme, lines, width)
	})
	d.acts = []Act{d.scrolling(), closing("close", "q", "?", "enter")}
	return d
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
