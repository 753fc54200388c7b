package data

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/release/paged"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Keys returns the keys that do something here.
func (p *Pages) Keys() []key.Binding { return p.grid.Keys() }

// HandleKey moves the cursor, over the ends of the page to the next one, or does what else a key is for.
func (p *Pages) HandleKey(msg tea.KeyPressMsg, s views.State) draw.Action {
	state := p.state(s)
	if p.shown.page == nil {
		if key.Matches(msg, draw.Bind("", "", "g", "home")) {
			return p.ask(paged.Place{}, onTop)
		}
		return p.leave(msg)
	}
	if !p.Typing() {
		if action := p.turnPage(msg); action != nil {
			return action
		}
		if action := p.leave(msg); action != nil {
			return action
		}
	}
	return p.grid.HandleKey(msg, state)
}

// leave ends, at esc, what is waited for, then the filter.
func (p *Pages) leave(msg tea.KeyPressMsg) draw.Action {
	switch waits := p.Underway() || p.shown.page == nil && p.shown.err == nil; {
	case !key.Matches(msg, draw.KeyEscape()) || p.grid.finds.text != "":
		return nil
	case waits && p.shown.page != nil:
		p.back()
	case waits && !p.over:
		p.over = true
		p.turn++
		p.asked.turn = p.turn
		p.found.For(p.asked)
	case p.asked.filter != p.given:
		p.asked.filter = p.given
		return p.ask(paged.Place{}, onTop)
	default:
		return nil
	}
	return draw.Handled{}
}

// turnPage takes the keys that leave the page; nil: none did.
func (p *Pages) turnPage(msg tea.KeyPressMsg) draw.Action {
	page, cursor := p.shown.page, &p.grid.Cursor
	last := page.Len() - 1
	if last < 0 {
		return nil
	}
	pressed := func(names ...string) bool { return key.Matches(msg, draw.Bind("", "", names...)) }
	next, before := paged.Place{At: paged.After, Mark: page.Marks[last]}, paged.Place{At: paged.Before, Mark: page.Marks[0]}
	switch {
	case pressed("down", "j") && cursor.At >= last && !page.Ends:
		return p.ask(next, onTop)
	case pressed("up", "k") && cursor.At == 0 && !page.Starts:
		return p.ask(before, atEnd)
	case pressed("pgdown", "ctrl+f") && !page.Ends:
		return p.ask(next, stays)
	case pressed("pgup", "ctrl+b") && !page.Starts:
		return p.ask(before, stays)
	case pressed("pgdown", "ctrl+f"):
		cursor.At = last
	case pressed("pgup", "ctrl+b"):
		cursor.At = 0
	case pressed("home", "g") && !page.Starts:
		return p.ask(paged.Place{}, onTop)
	case pressed("end", "G") && !page.Ends:
		return p.ask(paged.Place{At: paged.Last}, atEnd)
	default:
		return nil
	}
	return draw.Handled{}
}

// Wheel moves the cursor, over the ends of the page to the next one.
func (p *Pages) Wheel(lines int, s views.State) draw.Action {
	page := p.shown.page
	switch at := p.grid.Cursor.At; {
	case page == nil || page.Len() == 0:
		return nil
	case lines > 0 && at == page.Len()-1 && !page.Ends:
		return p.ask(paged.Place{At: paged.After, Mark: page.Marks[at]}, onTop)
	case lines < 0 && at == 0 && !page.Starts:
		return p.ask(paged.Place{At: paged.Before, Mark: page.Marks[0]}, atEnd)
	}
	return p.grid.Wheel(lines, p.state(s))
}

// keys are those of the grid that mean the same on a page, and those of pages.
func (p *Pages) keys() []views.KeyAction {
	sorts := func(help, text string, by func(id string)) views.KeyAction {
		return views.EmitsFrom(help, text, func(s views.State) draw.Action {
			by(p.grid.current(s).id)
			return p.ask(paged.Place{}, onTop)
		})
	}
	begin := func(asked question, text func() string) func() {
		return func() {
			p.grid.err, p.grid.asked = nil, asked
			p.grid.Typed.Begin(text(), draw.KeyEnter("take it"), draw.KeyEscape())
		}
	}
	var keys []views.KeyAction
	keys = append(keys, []views.KeyAction{
		views.Handles("/", "filter", begin(askedFilter, func() string {
			if p.asked.filter == "" {
				return p.typed
			}
			return p.asked.filter
		})),
		sorts("s", "sort", p.grid.By.Turn),
		sorts("a", "then sort by", p.grid.By.Add),
	}...)
	if page := p.grid.page; len(p.shown.by) == 0 && (page.Called != "" || p.shown.page == nil) {
		help := strings.TrimSpace("begin at " + draw.Safe(page.Called))
		keys = append(keys, views.Handles("b", help, begin(askedRecord, func() string { return "" })))
	}
	others := p.grid.keys()
	return append(keys, slices.DeleteFunc(others, func(a views.KeyAction) bool {
		return slices.ContainsFunc([]string{"/", "s", "a", "g"}, func(name string) bool { return slices.Contains(a.Keys(), name) })
	})...)
}

// taken takes what was typed.
func (p *Pages) taken(s views.State, end draw.TypedEnd) draw.Action {
	text := strings.TrimSpace(p.grid.Typed.Text())
	switch {
	case end != draw.TypedTaken || p.grid.asked == askedColumn || p.grid.asked == askedText:
		return p.grid.taken(s, end)
	case p.grid.asked == askedRecord && text != "":
		return p.ask(paged.Place{At: paged.From, Mark: text}, onTop)
	case p.grid.asked == askedFilter:
		p.grid.err = p.takeFilter(text)
		p.grid.Typed.Active = p.grid.err != nil
	}
	return draw.Handled{}
}

// singles is the condition, in cells of the source, of the records of a group; "": of all.
func singles(s views.State, row int) string {
	var parts []string
	for _, column := range s.Original.Data.Columns() {
		switch {
		case column.Uncounted() || column.Sums():
		case column.Missing(row):
			parts = append(parts, notation.WithoutValue(column.Name()))
		default:
			parts = append(parts, notation.Spelled(column.Name(), column.Text(row)))
		}
	}
	return strings.Join(parts, " and ")
}
