package views

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// TablePane is a pane that is a table: what it shows and does comes from content,
// which is asked for every frame and every key. Panes with more than that put it
// first and add what is theirs.
type TablePane struct {
	PaneID, Heading string
	// what enter does to a row, for the bottom line; "": nothing
	Enter   string
	Move    key.Binding                                  // the keys of the cursor; none: those of rows
	Actions func() []KeyAction                           // the keys beside those; nil: none
	Typed   draw.Typing                                  // what is typed into the pane
	Search  string                                       // that rows are searched for, see Searches
	OnTyped func(s State, end draw.TypedEnd) draw.Action // what follows each key that is typed
	// stands there while no key variables are chosen, and then what is said while risks are counted; "": neither
	Keyless string
	// what it shows does not apply where k-anonymity and risk do not
	Risk      bool
	Of        func(s State) (other State, ok bool) // the state that is shown, not ok while it is not known; nil: the current one
	Content   func(s State, width int) draw.Table
	Titled    func(s State) string   // what stands in the frame; nil: the title
	Explained func(s State) []Figure // nil: nothing to explain
	OfRow     func(s State) []Figure // explains the row under the cursor, where there is one, before that
	About     string                 // the script name of the method that it shows; "": none
	Cursor    draw.Cursor
	Width     int  // drawn last
	empty     bool // there was no row to move to the last time
	closed    bool // there was none that enter opens
}

var _ Pane = (*TablePane)(nil)

// ID returns the name that layout and tests use.
func (p *TablePane) ID() string { return p.PaneID }

// Title returns what the pane is called.
func (p *TablePane) Title() string { return p.Heading }

// TitleFor returns what stands in the frame.
func (p *TablePane) TitleFor(s State) string {
	if p.Titled == nil {
		return p.Heading
	}
	return p.Titled(s)
}

// Figures explains what the pane shows, or why it does not apply.
func (p *TablePane) Figures(s State) (figures []Figure) {
	if p.Risk && s.NotApplicable != "" {
		return []Figure{risk.ExplainNotApplicable(s.NotApplicable)}
	}
	if p.settle(s); p.OfRow != nil && !p.empty {
		figures = p.OfRow(s)
	}
	if p.Explained == nil {
		return figures
	}
	return append(figures, p.Explained(s)...)
}

// settle returns the table, the cursor being on one of its rows where there are some.
func (p *TablePane) settle(s State) draw.Table {
	t := p.content(s)
	p.Cursor.Settle(&t)
	p.empty = t.Rows == 0 || t.Instead != ""
	p.closed = p.empty || t.Open == nil
	return t
}

// Method returns the method that the pane shows.
func (p *TablePane) Method(State) string { return p.About }

// KeyAction is a key of a pane, and what it does; one without help is not shown.
type KeyAction struct {
	key.Binding
	Do func(msg tea.KeyPressMsg, s State) draw.Action
}

// Presses is what keys do that depends on which of them is pressed; draw.Bind tells how
// they are named.
func Presses(help, text string, do func(msg tea.KeyPressMsg, s State) draw.Action, keys ...string) KeyAction {
	return KeyAction{draw.Bind(help, text, keys...), do}
}

// Handles is a key that leaves everything outside the pane as it is.
func Handles(help, text string, do func(), keys ...string) KeyAction {
	return EmitsFrom(help, text, func(State) draw.Action {
		do()
		return draw.Handled{}
	}, keys...)
}

// Emits is a key that always asks for the same.
func Emits(help, text string, action draw.Action, keys ...string) KeyAction {
	return EmitsFrom(help, text, func(State) draw.Action { return action }, keys...)
}

// OnRow is a key that asks for what follows from the row under the cursor, where there is one.
func (p *TablePane) OnRow(help, text string, action func(s State) draw.Action, keys ...string) KeyAction {
	return EmitsFrom(help, text, func(s State) draw.Action {
		if p.empty {
			return draw.Handled{}
		}
		return action(s)
	}, keys...)
}

// EmitsFrom is a key that asks for what follows from the state.
func EmitsFrom(help, text string, action func(s State) draw.Action, keys ...string) KeyAction {
	return Presses(help, text, func(_ tea.KeyPressMsg, s State) draw.Action { return action(s) }, keys...)
}

// Bindings returns the keys of actions.
func Bindings(actions []KeyAction) []key.Binding {
	keys := make([]key.Binding, len(actions))
	for i := range actions {
		keys[i] = actions[i].Binding
	}
	return keys
}

// CarryOut does what a key is for; nil where it is none of those of the actions.
func CarryOut(actions []KeyAction, msg tea.KeyPressMsg, s State) draw.Action {
	for _, a := range actions {
		if key.Matches(msg, a.Binding) {
			return a.Do(msg, s)
		}
	}
	return nil
}

// Searches are the keys that search rows for a text, with every key that is typed, and end that.
func (p *TablePane) Searches() []KeyAction {
	begin := func() { p.Typed.Begin(p.Search, draw.KeyEnter("keep the search"), draw.Bind("esc", "all")) }
	keys := []KeyAction{Handles("/", "search", begin)}
	if p.Search != "" {
		keys = append(keys, Handles("", "", func() { p.Search = "" }, "esc"))
	}
	return keys
}

// Searched searches for what is typed so far.
func (p *TablePane) Searched(_ State, end draw.TypedEnd) draw.Action {
	if end == draw.TypedLeft {
		p.Typed.Set("")
	}
	p.Search, p.Cursor.At = p.Typed.Text(), 0
	return draw.Handled{}
}

// FilterBanner shows what rows are filtered by, as it is typed and later; "" without.
func (p *TablePane) FilterBanner(s State, prompt, filter string, width int) string {
	switch {
	case p.Typed.Active:
		return p.Typed.Draw(s.Theme, prompt, width)
	case filter != "":
		return s.Warning.Fit(" only with "+filter+" · esc shows all", width)
	}
	return ""
}

// KeyRows are the keys that move among rows.
func KeyRows() key.Binding {
	return draw.Bind("↑↓", "move", "up", "down", "k", "j", "pgup", "pgdown", "ctrl+b", "ctrl+f", "home", "end", "g", "G")
}

// KeyCells are the keys that move among cells.
func KeyCells() key.Binding {
	return draw.Bind("←↑↓→", "cell", "left", "right", "up", "down", "h", "j", "k", "l", "pgup", "pgdown", "ctrl+b",
		"ctrl+f", "home", "end", "g", "G")
}

// content returns the table, or what stands in its place until there are figures.
func (p *TablePane) content(s State) draw.Table {
	switch {
	case p.Keyless != "" && len(s.Keys()) == 0:
		return draw.Table{Instead: p.Keyless}
	case p.Keyless != "" && (s.Current.Assessment == nil || s.Original.Assessment == nil):
		return draw.Table{Instead: s.Waiting()}
	}
	of, ok := p.shown(s)
	if !ok {
		return draw.Table{Instead: s.Waiting()}
	}
	return p.Content(of, p.Width)
}

// shown returns the state that is shown.
func (p *TablePane) shown(s State) (of State, ok bool) {
	if p.Of == nil {
		return s, true
	}
	return p.Of(s)
}

// Typing reports whether a text is being typed.
func (p *TablePane) Typing() bool { return p.Typed.Active }

// Keys returns the keys of the pane: those that did something in what was drawn last.
func (p *TablePane) Keys() []key.Binding {
	if p.Typed.Active {
		return p.Typed.Keys
	}
	var keys []key.Binding
	switch {
	case p.Move.Enabled():
		keys = append(keys, p.Move)
	case !p.empty:
		keys = append(keys, KeyRows())
	}
	if p.Enter != "" && !p.closed {
		keys = append(keys, draw.KeyEnter(p.Enter))
	}
	for _, a := range p.own() {
		if a.Help().Key != "" {
			keys = append(keys, a.Binding)
		}
	}
	return keys
}

func (p *TablePane) own() []KeyAction {
	if p.Actions == nil {
		return nil
	}
	return p.Actions()
}

// HandleKey types, does what a key of the pane's own is for, moves the cursor, or
// opens the row under it.
func (p *TablePane) HandleKey(msg tea.KeyPressMsg, s State) draw.Action {
	t := p.settle(s)
	of, ok := p.shown(s)
	if p.Typed.Active {
		return p.OnTyped(of, p.Typed.Press(msg))
	}
	for _, a := range p.own() {
		if ok && key.Matches(msg, a.Binding) {
			return a.Do(msg, of)
		}
	}
	return p.Cursor.Key(msg, &t)
}

// Click chooses the row of a line; on the cursor's it opens it.
func (p *TablePane) Click(x, y int, s State) draw.Action {
	t := p.content(s)
	return p.Cursor.Click(x, y, &t)
}

// Wheel scrolls.
func (p *TablePane) Wheel(lines int, s State) draw.Action {
	t := p.content(s)
	return p.Cursor.Wheel(lines, &t)
}

// Variable returns the variable under the cursor of a list of variables; "" in all
// other tables.
func (p *TablePane) Variable(s State) string {
	t := p.settle(s)
	if !t.Follows || p.empty || t.Choose == nil {
		return ""
	}
	if chosen, ok := t.Choose(p.Cursor.At).(SelectVariable); ok {
		return chosen.Name
	}
	return ""
}

// View draws the table, or says why it does not apply.
func (p *TablePane) View(s State, width, height int, focused bool) string {
	if p.Risk && len(s.Keys()) > 0 && s.NotApplicable != "" {
		p.empty, p.closed = true, true
		return Inapplicable(s, width, height)
	}
	p.Width = width
	t := p.settle(s)
	return t.View(s.Look, &p.Cursor, width, height, focused)
}
