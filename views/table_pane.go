package views

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// tablePane is a pane that is a table: what it shows and does comes from content,
// which is asked for every frame and every key. Panes with more than that put it
// first and add what is theirs.
type tablePane struct {
	id, title string
	enter     string                             // what enter does to a row, for the bottom line; "": nothing
	move      key.Binding                        // the keys of the cursor; none: those of rows
	acts      func() []act                       // the keys beside those; nil: none
	typed     typed                              // what is typed into the pane
	heard     func(s State, end typedEnd) Action // what follows each key that is typed
	risk      bool                               // what it shows does not apply where k-anonymity and risk do not
	content   func(s State, width int) Table
	titled    func(s State) string   // what stands in the frame; nil: the title
	figures   func(s State) []Figure // nil: nothing to explain
	about     string                 // the script name of the method that it shows; "": none
	cursor    Cursor
	width     int  // drawn last
	empty     bool // there was no row to move to the last time
	closed    bool // there was none that enter opens
}

var _ Pane = (*tablePane)(nil)

// ID returns the name that layout and tests use.
func (p *tablePane) ID() string { return p.id }

// Title returns what the pane is called.
func (p *tablePane) Title() string { return p.title }

// TitleFor returns what stands in the frame.
func (p *tablePane) TitleFor(s State) string {
	if p.titled == nil {
		return p.title
	}
	return p.titled(s)
}

// Figures explains what the pane shows.
func (p *tablePane) Figures(s State) []Figure {
	if p.figures == nil {
		return nil
	}
	return p.figures(s)
}

// Method returns the method that the pane shows.
func (p *tablePane) Method(State) string { return p.about }

// act is a key of a pane, and what it does; one without help is not shown.
type act struct {
	key.Binding
	do func(msg tea.KeyPressMsg, s State) Action
}

// does is what a key does that leaves everything outside the pane as it is.
func does(do func()) func(tea.KeyPressMsg, State) Action {
	return func(tea.KeyPressMsg, State) Action {
		do()
		return Handled{}
	}
}

// asks is a key that always asks for the same.
func asks(name, text string, action Action) act {
	return act{bind(name, text, name), func(tea.KeyPressMsg, State) Action { return action }}
}

func keyRows() key.Binding {
	return bind("↑↓", "move", "up", "down", "k", "j", "pgup", "pgdown", "ctrl+b", "ctrl+f", "home", "end", "g", "G")
}

func keyCells() key.Binding {
	return bind("←↑↓→", "cell", "left", "right", "up", "down", "h", "j", "k", "l", "pgup", "pgdown", "ctrl+b", "ctrl+f", "home", "end", "g", "G")
}

// Typing reports whether a text is being typed.
func (p *tablePane) Typing() bool { return p.typed.active }

// Keys returns the keys of the pane: those that did something in what was drawn last.
func (p *tablePane) Keys() []key.Binding {
	if p.typed.active {
		return p.typed.keys
	}
	var keys []key.Binding
	switch {
	case p.move.Enabled():
		keys = append(keys, p.move)
	case !p.empty:
		keys = append(keys, keyRows())
	}
	if p.enter != "" && !p.closed {
		keys = append(keys, keyEnter(p.enter))
	}
	for _, a := range p.own() {
		if a.Help().Key != "" {
			keys = append(keys, a.Binding)
		}
	}
	return keys
}

func (p *tablePane) own() []act {
	if p.acts == nil {
		return nil
	}
	return p.acts()
}

// HandleKey types, does what a key of the pane's own is for, moves the cursor, or
// opens the row under it.
func (p *tablePane) HandleKey(msg tea.KeyPressMsg, s State) Action {
	if p.typed.active {
		return p.heard(s, p.typed.press(msg))
	}
	t := p.content(s, p.width)
	for _, a := range p.own() {
		if key.Matches(msg, a.Binding) {
			return a.do(msg, s)
		}
	}
	return p.cursor.key(msg, &t)
}

// Click chooses the row of a line; on the cursor's it opens it.
func (p *tablePane) Click(x, y int, s State) Action {
	t := p.content(s, p.width)
	return p.cursor.click(x, y, &t)
}

// Wheel scrolls.
func (p *tablePane) Wheel(lines int, s State) Action {
	t := p.content(s, p.width)
	return p.cursor.wheel(lines, &t)
}

// Variable returns the variable under the cursor of a list of variables; "" in all
// other tables.
func (p *tablePane) Variable(s State) string {
	t := p.content(s, p.width)
	if !t.Follows || t.Rows == 0 || t.Instead != "" || t.Choose == nil {
		return ""
	}
	p.cursor.follow(&t)
	p.cursor.clamp(t.Rows)
	if chosen, ok := t.Choose(p.cursor.At).(SelectVariable); ok {
		return chosen.Name
	}
	return ""
}

// View draws the table, or says why it does not apply.
func (p *tablePane) View(s State, width, height int, focused bool) string {
	if p.risk && len(s.keys()) > 0 && s.NotApplicable != "" {
		p.empty, p.closed = true, true
		return inapplicable(s, width, height)
	}
	p.width = width
	t := p.content(s, width)
	p.empty = t.Rows == 0 || t.Instead != ""
	p.closed = p.empty || t.Open == nil
	return t.view(s.Look, &p.cursor, width, height, focused)
}
