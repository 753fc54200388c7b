package dialogs

import (
	"slices"
	"strings"

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
	listed        []Listed        // what can be searched; nil: nothing
	pane          views.TablePane // scrolls and searches
}

// newText returns a dialog of some size that shows what draw returns.
func newText(title string, width, height int, draw func(s views.State, width int) []string) *Text {
	d := &Text{title: title, width: width, height: height, draw: draw}
	d.pane.Content, d.pane.OnTyped = d.content, d.pane.Searched
	return d
}

// content is the text, or of a list that is searched the lines that match.
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

// Title says what is read.
func (d *Text) Title() string { return d.title }

// Size is that of the window: as large as the text, or a page.
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

// answers are the keys of the dialog; a list can be searched.
func (d *Text) answers() []views.KeyAction {
	if d.listed == nil {
		return d.acts
	}
	return append(d.pane.Searches(), d.acts...)
}

// HandleKey takes an answer, scrolls, or searches.
func (d *Text) HandleKey(msg tea.KeyPressMsg, s views.State) draw.Action {
	if !d.Typing() {
		if action := views.CarryOut(d.answers(), msg, s); action != nil {
			return action
		}
	}
	return d.pane.HandleKey(msg, s)
}

// View draws the lines, from the one that was scrolled to.
func (d *Text) View(s views.State, width, height int) string {
	return d.pane.View(s, width, max(1, height), true)
}

// scrolling are the keys that scroll.
func (d *Text) scrolling() views.KeyAction {
	return views.Presses("↑↓", "scroll", d.pane.HandleKey, "up", "down", "k", "j", "pgup", "pgdown", "home", "end")
}

// closing closes a dialog with esc, and with other keys.
func closing(text string, others ...string) views.KeyAction {
	return views.Emits("esc", text, Close{}, append([]string{"esc"}, others...)...)
}

// NewConfirm asks a question; yes says what enter does, which is the command. esc
// leaves everything as it is, and n too unless it is another answer.
func NewConfirm(title, text, yes string, command func(), others ...views.KeyAction) *Text {
	acts := append([]views.KeyAction{views.Emits("enter", yes, Call(command), "enter", "y")}, others...)
	d := newText(title, 64, 7, func(s views.State, width int) []string { return s.Plain.Wrapped(text, width) })
	d.acts = append(acts, closing("cancel", "n"))
	return d
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
			d.title, d.draw, d.pane.Cursor = figures[at].Name, explained(figures[at]), draw.Cursor{}
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
	d := newText(title, width, height, draw)
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
type Listed struct {
	Key, Text string
	Words     []string // words and phrases that a search finds it by besides these
}

// found returns the lines of a list that match what was typed, under their headings, with
// the phrase that matches where neither key nor text does.
func found(listed []Listed, typed string) (lines []Listed) {
	var heading []Listed
	for _, line := range listed {
		if line.Key == "" {
			heading = []Listed{line}
			continue
		}
		entry := PaletteEntry{Name: line.Key + " " + line.Text, Words: line.Words}
		if slices.ContainsFunc(strings.Fields(typed), func(word string) bool {
			score, _ := likeness(word, entry.Name, entry.Words)
			return score == 0 // none of the line, or its letters only follow each other
		}) {
			continue
		}
		if phrase := entry.foundBy(typed); phrase != "" {
			line.Text += " (" + phrase + ")"
		}
		lines, heading = append(append(lines, heading...), line), nil
	}
	return lines
}

// ListKeys lists keys under a heading.
func ListKeys(heading string, bindings []key.Binding) []Listed {
	lines := []Listed{{Text: heading}}
	for _, b := range bindings {
		if b.Help().Key != "" {
			lines = append(lines, Listed{Key: b.Help().Key, Text: b.Help().Desc})
		}
	}
	return lines
}

// NewList lists keys, or messages, which can be searched.
func NewList(title string, lines []Listed) *Text {
	d := newPage(title, func(s views.State, width int) []string { return viewListed(s.Theme, lines, width) })
	d.search(lines)
	return d
}

// search lets lines be searched for, also by what the literature calls their terms.
func (d *Text) search(lines []Listed) {
	d.listed = slices.Clone(lines)
	for i := range d.listed {
		line := &d.listed[i]
		line.Words = slices.Concat(line.Words, Synonyms(line.Text))
	}
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
