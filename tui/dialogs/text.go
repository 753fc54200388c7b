package dialogs

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Text is a dialog with text to read: its lines scroll, and keys answer it.
type Text struct {
	title         string
	width, height int
	acts          []views.KeyAction
	draw          func(s views.State, width int) []string
	listed        []ListLine      // the lines that can be searched; nil: none
	pane          views.TablePane // scrolls and searches
}

// newText returns a dialog of a given size with the text that draw returns.
func newText(title string, width, height int, draw func(s views.State, width int) []string) *Text {
	d := &Text{title: title, width: width, height: height, draw: draw}
	d.pane.Content, d.pane.OnTyped = d.content, d.pane.Searched
	return d
}

// content returns the text, or the lines that match a search.
func (d *Text) content(s views.State, width int) draw.Table {
	var lines []string
	if d.pane.Search == "" {
		lines = d.draw(s, width)
	} else if lines = viewListed(s.Theme, found(d.listed, d.pane.Search), width); len(lines) == 0 {
		lines = s.Faint.Wrapped("no line contains "+d.pane.Search, width)
	}
	t := draw.TextOf(lines, func(int) bool { return false })
	t.Banner = func(width int) string { return d.pane.FilterBanner(s, "/", d.pane.Search, width) }
	return t
}

// Title returns the title.
func (d *Text) Title() string { return d.title }

// Size returns the size of the window: that of the text, or a page.
func (d *Text) Size() (width, height int) { return d.width, d.height }

// Typing reports whether a search is being typed.
func (d *Text) Typing() bool { return d.pane.Typing() }

// Keys returns the answers, or the keys that end typing.
func (d *Text) Keys() []key.Binding {
	if d.Typing() {
		return d.pane.Keys()
	}
	return views.Bindings(d.answers())
}

// answers returns the keys of the dialog, including search for a list.
func (d *Text) answers() []views.KeyAction {
	if d.listed == nil {
		return d.acts
	}
	return append(d.pane.Searches(), d.acts...)
}

// HandleKey answers, scrolls, or searches.
func (d *Text) HandleKey(msg tea.KeyPressMsg, s views.State) draw.Action {
	if !d.Typing() {
		if action := views.CarryOut(d.answers(), msg, s); action != nil {
			return action
		}
	}
	return d.pane.HandleKey(msg, s)
}

// View draws the visible lines.
func (d *Text) View(s views.State, width, height int) string {
	return d.pane.View(s, width, max(1, height), true)
}

// scrolling returns the keys that scroll.
func (d *Text) scrolling() views.KeyAction {
	return views.Presses("↑↓", "scroll", d.pane.HandleKey, "up", "down", "k", "j", "pgup", "pgdown", "home", "end")
}

// closing returns the action that closes a dialog with esc and other keys.
func closing(text string, others ...string) views.KeyAction {
	return views.Emits("esc", text, Close{}, append([]string{"esc"}, others...)...)
}

// NewConfirm asks a question; yes says what enter does, which calls command. esc cancels, and so does n unless
// others use it.
func NewConfirm(title, text, yes string, command func(), others ...views.KeyAction) *Text {
	acts := append([]views.KeyAction{views.Emits("enter", yes, Call(command), "enter", "y")}, others...)
	d := newText(title, 64, 7, func(s views.State, width int) []string { return s.Plain.Wrapped(text, width) })
	d.acts = append(acts, closing("cancel", "n"))
	return d
}

// NewExplain explains figures: what they mean, how they are computed and with which values, starting with the
// first. A key shows the terms of their headings. It returns nil if there are neither figures nor terms.
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
			d.title, d.draw, d.pane.Cursor = figures[at].Name, explained(figures[at]), draw.Cursor{}
		}, name, arrow)
	}
	if n > 1 {
		d.acts = []views.KeyAction{turns("shift+tab", "previous figure", "left", -1), d.scrolling(),
			turns("tab", "next figure", "right", 1)}
	}
	if len(terms) > 0 {
		d.acts = append([]views.KeyAction{views.EmitsFrom("g", "glossary", Swaps(func() Dialog { return NewExplain(terms) }))}, d.acts...)
	}
	d.acts = append(d.acts, closing("close", "i", "q", "enter"))
	return d
}

// newPage returns a dialog of the size of a page that scrolls and closes.
func newPage(title string, draw func(s views.State, width int) []string) *Text {
	width, height := Narrow{}.Size()
	d := newText(title, width, height, draw)
	d.acts = []views.KeyAction{d.scrolling(), closing("close", "q", "?", "enter")}
	return d
}

// explained returns a function that draws the explanation of a figure.
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
		part("definition", theme.Plain.Render, strings.Split(f.Definition, "\n")...)
		part("formula", theme.Changed.Render, f.Formula)
		part("calculation", theme.Plain.Render, here...)
		part("source", theme.Faint.Render, f.Source)
		return lines
	}
}

// ListLine is a line of a list: a key, or a time, and its text. If Key is empty, it is a heading.
type ListLine struct {
	Key, Text string
	Words     []string // further words and phrases to find it
}

// found returns the lines that match the typed text, under their headings, with the matching phrase if neither key
// nor text matches.
func found(listed []ListLine, typed string) (lines []ListLine) {
	var heading []ListLine
	for _, line := range listed {
		if line.Key == "" {
			heading = []ListLine{line}
			continue
		}
		entry := PaletteEntry{Name: line.Key + " " + line.Text, Words: line.Words}
		if slices.ContainsFunc(strings.Fields(typed), func(word string) bool {
			score, _ := likeness(word, entry.Name, entry.Words)
			return score == 0 // no match, or only letters in that order
		}) {
			continue
		}
		if phrase := entry.foundBy(typed); phrase != "" {
			line.Text += matching(phrase)
		}
		lines, heading = append(append(lines, heading...), line), nil
	}
	return lines
}

// ListKeys lists keys under a heading.
func ListKeys(heading string, bindings []key.Binding) []ListLine {
	lines := []ListLine{{Text: heading}}
	for _, b := range bindings {
		if b.Help().Key != "" {
			lines = append(lines, ListLine{Key: b.Help().Key, Text: b.Help().Desc})
		}
	}
	return lines
}

// NewList lists keys, or messages, that can be searched.
func NewList(title string, lines []ListLine) *Text {
	d := newPage(title, func(s views.State, width int) []string { return viewListed(s.Theme, lines, width) })
	d.search(lines)
	return d
}

// search makes lines searchable, including synonyms of their terms.
func (d *Text) search(lines []ListLine) {
	d.listed = slices.Clone(lines)
	for i := range d.listed {
		line := &d.listed[i]
		line.Words = slices.Concat(line.Words, Synonyms(line.Text))
	}
}

// view draws a line, wrapped if necessary.
func (l ListLine) view(theme *draw.Theme, size, width int) []string {
	if l.Key == "" {
		return []string{theme.Title.Fit(l.Text, width)}
	}
	lines, head := theme.Plain.Wrapped(l.Text, max(1, width-size-4)), l.Key
	for i := range lines {
		lines[i] = "  " + theme.Key.Fit(head, size) + "  " + lines[i]
		head = "" // on the first line only
	}
	return lines
}
