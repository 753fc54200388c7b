package views

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/data/notation"
)

// question is what is asked for on the last line of the grid of records.
type question uint8

const (
	askedFilter question = iota
	askedRecord
	askedColumn
	askedText
)

// keys are those of the grid beside the cursor's, the most wanted first.
func (p *Records) keys() []act {
	on := func(help, text, name string, do func(s State)) act {
		return act{bind(help, text, name), func(_ tea.KeyPressMsg, s State) Action {
			if s.Current.Data != nil && len(s.Current.Data.Columns()) > 0 {
				p.err = nil
				do(s)
			}
			return Handled{}
		}}
	}
	begin := func(asked question, text func() string) func(s State) {
		return func(State) {
			p.asked = asked
			p.typed.begin(text(), keyEnter("take it"), keyEscape())
		}
	}
	nothing := func() string { return "" }
	counts := act{bind("c", "count values", "c"), func(_ tea.KeyPressMsg, s State) Action {
		if name := p.Variable(s); name != "" {
			return ShowValues{name}
		}
		return Handled{}
	}}
	copies := func(help, text string, what func(s State, record int) Action) act {
		return act{bind(help, text, help), func(_ tea.KeyPressMsg, s State) Action {
			rows := p.rows(s)
			if rows == 0 || len(s.Current.Data.Columns()) == 0 {
				return Handled{}
			}
			p.cursor.clamp(rows)
			return what(s, p.record(p.cursor.At))
		}}
	}
	keys := []act{
		on("/", "filter", "/", begin(askedFilter, func() string { return p.filter })),
		on("s", "sort", "s", func(s State) { p.sort(s, p.by.turn) }),
		on("f", "find", "f", begin(askedText, nothing)),
		counts,
		on("g", "go to record", "g", begin(askedRecord, nothing)),
		on("a", "then sort by", "a", func(s State) { p.sort(s, p.by.add) }),
		on("o", "go to column", "o", begin(askedColumn, nothing)),
		on("F", "fk, Fk, risk", "F", p.toggleFigures),
		on("x", "hide column", "x", p.hide),
		on("X", "all columns", "X", p.showAll),
		on("<", "move left", "<", func(s State) { p.moveColumn(s, -1) }),
		on(">", "move right", ">", func(s State) { p.moveColumn(s, 1) }),
		on("w", "whole width", "w", p.toggleWidth),
		copies("y", "copy cell", p.copyCell),
		copies("Y", "copy record", p.copyRecord),
	}
	return append(keys, p.following()...)
}

// following are the keys that follow a search or a filter: the next cell, the one
// before, and the way back.
func (p *Records) following() []act {
	switch {
	case p.finds.text != "":
		again := func(back bool) func(tea.KeyPressMsg, State) Action {
			return func(_ tea.KeyPressMsg, s State) Action { return p.find(s, p.finds.text, back) }
		}
		return []act{{bind("n", "find next", "n"), again(false)}, {bind("N", "find before", "N"), again(true)},
			{bind("", "", "esc"), does(func() { p.finds = finding{} })}}
	case p.filter != p.given:
		return []act{{bind("", "", "esc"), does(func() { p.filter, p.err = p.given, nil })}}
	}
	return nil
}

// sort sorts by the column under the cursor, and shows the first records.
func (p *Records) sort(s State, by func(id string)) {
	by(p.current(s).id)
	p.cursor.At = 0
	p.rows(s)
}

// toggleFigures shows fk, Fk and the risk of every record, or hides them. The
// cursor stays on its column.
func (p *Records) toggleFigures(s State) {
	if _, _, err := s.recordFigure("risk"); err != nil && !p.layout.figures {
		p.err = err
		return
	}
	id := p.current(s).id
	p.layout.figures = !p.layout.figures
	p.layout.changes++
	p.putOn(s, id)
}

// putOn puts the cursor on a column.
func (p *Records) putOn(s State, id string) {
	if at := slices.IndexFunc(p.columns(s), func(c gridColumn) bool { return c.id == id }); at >= 0 {
		p.cursor.Column = at
	}
}

func (p *Records) hide(s State) {
	if len(p.columns(s)) > 1 {
		p.layout.hide(p.current(s).id)
	}
}

func (p *Records) showAll(s State) {
	id := p.current(s).id
	p.layout.reset()
	p.putOn(s, id)
}

func (p *Records) moveColumn(s State, by int) {
	columns, at := p.columns(s), p.cursor.Column
	if to := at + by; at < len(columns) && to >= 0 && to < len(columns) {
		p.layout.move(columns, at, to)
		p.cursor.Column = to
	}
}

// toggleWidth makes the column under the cursor as wide as what is in it, or ends
// that.
func (p *Records) toggleWidth(s State) {
	if p.wide == nil {
		p.wide = map[string]bool{}
	}
	id := p.current(s).id
	p.wide[id] = !p.wide[id]
}

// taken takes what was typed. What makes no sense stays open, with the reason
// beside it.
func (p *Records) taken(s State, end typedEnd) Action {
	p.err = nil
	if end != typedTaken {
		return Handled{}
	}
	text := strings.TrimSpace(p.typed.Text())
	switch p.asked {
	case askedRecord:
		number, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
		if err != nil || s.records() == 0 {
			return Handled{}
		}
		p.jump(s, max(1, min(number, s.records()))-1)
		if p.rows(s) == 0 {
			return Handled{}
		}
		return p.selectRow(p.cursor.At)
	case askedColumn:
		p.err = p.takeColumn(s, text)
	case askedText:
		return p.find(s, text, false)
	default:
		p.err = p.takeFilter(s, text)
	}
	p.typed.active = p.err != nil
	return Handled{}
}

// takeFilter shows the records that meet a condition.
func (p *Records) takeFilter(s State, text string) error {
	if text != "" {
		filter, err := notation.ParseCondition(text)
		if err == nil {
			_, err = filter.Bind(s.scope())
		}
		if err != nil {
			return err
		}
	}
	p.filter = text
	p.cursor = Cursor{Column: p.cursor.Column, left: p.cursor.left}
	p.rows(s) // the first page at once
	return nil
}

// takeColumn puts the cursor on the next column whose name begins with a text, or
// else holds it.
func (p *Records) takeColumn(s State, text string) error {
	columns, wanted := p.columns(s), strings.ToLower(text)
	for _, fits := range []func(name, part string) bool{strings.HasPrefix, strings.Contains} {
		for i := range columns {
			at := (p.cursor.Column + 1 + i) % len(columns)
			if fits(strings.ToLower(columns[at].name()), wanted) {
				p.cursor.Column = at
				return nil
			}
		}
	}
	return errNoColumn
}

// errNoColumn says that no name of a column holds what was typed.
var errNoColumn = errors.New("no column in sight has a name like this")

// asking draws what is typed, behind what it is for; of what can be typed there is
// an example.
func (p *Records) asking(theme *Theme, width int) string {
	prompt, example := "filter: ", "age > 60 and sex = female · educ missing · risk > .1"
	switch p.asked {
	case askedRecord:
		prompt, example = "record number: ", ""
	case askedColumn:
		prompt, example = "column: ", "a name, or a part of one"
	case askedText:
		prompt, example = "find: ", "what a cell holds, in any column in sight · then n and N"
	}
	if p.typed.Text() != "" || example == "" {
		return p.typed.draw(theme, prompt, width)
	}
	text := p.typed.draw(theme, prompt, min(width, Width(prompt)+3))
	return text + theme.Faint.Render(Fit("  "+example, width-Width(text)))
}
