package data

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// question is what the user is asked on the last line of the grid.
type question uint8

const (
	askedFilter question = iota
	askedRecord
	askedColumn
	askedText
)

// keys returns the keys of the grid besides those of the cursor, the most important first.
func (p *Records) keys() []views.KeyAction {
	on := func(help, text, name string, do func(s views.State)) views.KeyAction {
		return views.EmitsFrom(help, text, func(s views.State) draw.Action {
			if known(s) {
				p.err = nil
				do(s)
			}
			return draw.Handled{}
		}, name)
	}
	begin := func(asked question, text func() string) func(s views.State) {
		return func(views.State) {
			p.asked = asked
			p.Typed.Begin(text(), draw.KeyEnter("apply"), draw.KeyEscape())
		}
	}
	nothing := func() string { return "" }
	counts := views.EmitsFrom("c", "count values", func(s views.State) draw.Action {
		if name := p.Variable(s); name != "" {
			return views.ShowValues{Name: name}
		}
		return draw.Handled{}
	})
	onRow := func(help, text string, what func(s views.State, record int) draw.Action) views.KeyAction {
		return p.OnRow(help, text, func(s views.State) draw.Action { return what(s, p.record(p.Cursor.At)) })
	}
	keys := []views.KeyAction{
		on("/", "filter", "/", begin(askedFilter, func() string { return p.Filter })),
		on("s", "sort", "s", func(s views.State) { p.sort(s, p.By.Turn) }),
		on("f", "find", "f", begin(askedText, nothing)),
		counts,
		on("g", "go to record", "g", begin(askedRecord, nothing)),
		on("a", "add sort column", "a", func(s views.State) { p.sort(s, p.By.Add) }),
		on("o", "go to column", "o", begin(askedColumn, nothing)),
		on("F", "show frequencies, risk", "F", p.toggleFigures),
		on("x", "hide column", "x", p.hide),
		on("X", "all columns", "X", p.showAll),
		on("<", "move left", "<", func(s views.State) { p.moveColumn(s, -1) }),
		on(">", "move right", ">", func(s views.State) { p.moveColumn(s, 1) }),
		on("w", "full width", "w", p.toggleWidth),
		onRow("y", "copy cell", p.copyCell),
		onRow("Y", "copy record", p.copyRecord),
	}
	keys = slices.DeleteFunc(keys, func(a views.KeyAction) bool {
		return (p.grouped || p.ofKeys) && a.Help().Key == "g" || p.ofKeys && a.Help().Key == "F"
	})
	return append(keys, p.following()...)
}

// following returns the keys after a search or a filter: next match, previous match, back.
func (p *Records) following() []views.KeyAction {
	switch {
	case p.finds.text != "":
		again := func(back bool) func(views.State) draw.Action {
			return func(s views.State) draw.Action { return p.find(s, p.finds.text, back) }
		}
		return []views.KeyAction{views.EmitsFrom("n", "find next", again(false)),
			views.EmitsFrom("N", "find before", again(true)),
			views.Handles("", "", func() { p.finds = cellSearch{} }, "esc")}
	case p.Filter != p.given:
		return []views.KeyAction{views.Handles("", "", func() { p.Filter, p.err = p.given, nil }, "esc")}
	}
	return nil
}

// sort sorts by the column under the cursor and goes to the first record.
func (p *Records) sort(s views.State, by func(id string)) {
	by(p.current(s).id)
	p.Cursor.At = 0
	p.Rows(s)
}

// toggleFigures shows or hides fk, Fk and the risk of every record. The cursor stays on its column.
func (p *Records) toggleFigures(s views.State) {
	if _, _, err := s.RecordFigure("risk"); err != nil && !p.layout.figures {
		p.err = err
		return
	}
	id := p.current(s).id
	p.layout.figures = !p.layout.figures
	p.layout.changes++
	p.putOn(s, id)
}

// putOn moves the cursor to a column.
func (p *Records) putOn(s views.State, id string) {
	if at := slices.IndexFunc(p.columns(s), func(c gridColumn) bool { return c.id == id }); at >= 0 {
		p.Cursor.Column = at
	}
}

func (p *Records) hide(s views.State) {
	if len(p.columns(s)) > 1 {
		p.layout.hide(p.current(s).id)
	}
}

func (p *Records) showAll(s views.State) {
	id := p.current(s).id
	p.layout.reset()
	p.putOn(s, id)
}

func (p *Records) moveColumn(s views.State, by int) {
	columns, at := p.columns(s), p.Cursor.Column
	if to := at + by; at < len(columns) && to >= 0 && to < len(columns) {
		p.layout.move(columns, at, to)
		p.Cursor.Column = to
	}
}

// toggleWidth widens the column under the cursor to its content, or narrows it again.
func (p *Records) toggleWidth(s views.State) {
	if p.wide == nil {
		p.wide = map[string]bool{}
	}
	id := p.current(s).id
	p.wide[id] = !p.wide[id]
}

// taken accepts typed text. Invalid text stays open with its error next to it.
func (p *Records) taken(s views.State, end draw.TypedEnd) draw.Action {
	p.err = nil
	if end != draw.TypedTaken {
		return draw.Handled{}
	}
	text := strings.TrimSpace(p.Typed.Text())
	switch p.asked {
	case askedRecord:
		number, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
		if err != nil || s.Rows() == 0 {
			return draw.Handled{}
		}
		p.jump(s, max(1, min(number, s.Rows()))-1)
		if p.Rows(s) == 0 {
			return draw.Handled{}
		}
		return p.selectRow(p.Cursor.At)
	case askedColumn:
		p.err = p.takeColumn(s, text)
	case askedText:
		return p.find(s, text, false)
	default:
		p.err = p.takeFilter(s, text)
	}
	p.Typed.Active = p.err != nil
	return draw.Handled{}
}

// takeFilter shows the records that meet a condition.
func (p *Records) takeFilter(s views.State, text string) error {
	if text != "" {
		filter, err := notation.ParseCondition(text)
		if err == nil {
			_, err = filter.Bind(s.Scope())
		}
		if err != nil {
			return err
		}
	}
	p.Filter = text
	p.Cursor = draw.Cursor{Column: p.Cursor.Column, Left: p.Cursor.Left}
	p.Rows(s) // finds the first page at once
	return nil
}

// takeColumn moves the cursor to the next column whose name begins with a text, or otherwise contains it.
func (p *Records) takeColumn(s views.State, text string) error {
	columns, wanted := p.columns(s), strings.ToLower(text)
	for _, fits := range []func(name, part string) bool{strings.HasPrefix, strings.Contains} {
		for i := range columns {
			at := (p.Cursor.Column + 1 + i) % len(columns)
			if fits(strings.ToLower(columns[at].name()), wanted) {
				p.Cursor.Column = at
				return nil
			}
		}
	}
	return errNoColumn
}

// errNoColumn is returned if no column name contains the typed text.
var errNoColumn = errors.New("no visible column has a matching name")

// asking draws the typed text after a prompt, or an example if nothing is typed.
func (p *Records) asking(theme *draw.Theme, width int) string {
	prompt, example := "filter: ", "age > 60 and sex = female · educ missing · risk > .1"
	switch p.asked {
	case askedRecord:
		prompt, example = "record number: ", ""
	case askedColumn:
		prompt, example = "column: ", "a name or part of a name"
	case askedText:
		prompt, example = "find: ", "content of a cell in any visible column · n next, N previous"
	}
	if p.Typed.Text() != "" || example == "" {
		return p.Typed.Draw(theme, prompt, width)
	}
	text := p.Typed.Draw(theme, prompt, min(width, draw.Width(prompt)+3))
	return text + theme.Faint.Fit("  "+example, width-draw.Width(text))
}
