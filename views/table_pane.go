package views

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// TablePane is a pane that consists of a table. Content returns the table for every frame and every key. Panes
// that need more embed TablePane first.
type TablePane struct {
	PaneID, Heading string
	// what enter does to a row, for the bottom line; "": nothing
	Enter   string
	Move    key.Binding                                  // the keys of the cursor; zero: KeyRows
	Actions func() []KeyAction                           // further keys; nil: none
	Typed   draw.LineEditor                              // the text being typed into the pane
	Search  string                                       // the text that rows are searched for, see Searches
	OnTyped func(s State, end draw.TypedEnd) draw.Action // called after each typed key
	// Keyless is shown while no key variables are chosen. If it is set, the pane also waits for the risk
	// assessment.
	Keyless string
	// Risk is set if the pane applies only if k-anonymity and risk do.
	Risk      bool
	Of        func(s State) (other State, ok bool) // the state shown, not ok while unknown; nil: the current state
	Content   func(s State, width int) draw.Table
	Titled    func(s State) string   // the text in the frame; nil: the heading
	Explained func(s State) []Figure // nil: nothing to explain
	OfRow     func(s State) []Figure // explains the row under the cursor, if there is one, before Explained
	About     string                 // script name of the method shown; "": none
	Cursor    draw.Cursor
	Width     int  // width of the last frame
	empty     bool // the last table had no row for the cursor
	closed    bool // in the last table, enter opened nothing
}

var _ Pane = (*TablePane)(nil)

// ID returns the name used by layout and tests.
func (p *TablePane) ID() string { return p.PaneID }

// Title returns the heading of the pane.
func (p *TablePane) Title() string { return p.Heading }

// TitleFor returns the text in the frame.
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
	if p.prepare(s); p.OfRow != nil && !p.empty {
		figures = p.OfRow(s)
	}
	if p.Explained == nil {
		return figures
	}
	return append(figures, p.Explained(s)...)
}

// prepare returns the table and moves the cursor to one of its rows if it has any.
func (p *TablePane) prepare(s State) draw.Table {
	t := p.content(s)
	p.Cursor.Place(&t)
	p.empty = t.Rows == 0 || t.Instead != ""
	p.closed = p.empty || t.Open == nil || t.Stops != nil && !t.Stops(p.Cursor.At)
	return t
}

// Method returns the script name of the method shown.
func (p *TablePane) Method(State) string { return p.About }

// KeyAction is a key of a pane with its action. A key without help is not shown.
type KeyAction struct {
	key.Binding
	Do    func(msg tea.KeyPressMsg, s State) draw.Action
	onRow bool // not shown while the pane has no row
}

// Presses returns the action of keys that do different things; draw.Bind describes how keys are named.
func Presses(help, text string, do func(msg tea.KeyPressMsg, s State) draw.Action, keys ...string) KeyAction {
	return KeyAction{Binding: draw.Bind(help, text, keys...), Do: do}
}

// Handles returns the action of a key that changes only the pane.
func Handles(help, text string, do func(), keys ...string) KeyAction {
	return EmitsFrom(help, text, func(State) draw.Action {
		do()
		return draw.Handled{}
	}, keys...)
}

// Emits returns the action of a key that always emits the same action.
func Emits(help, text string, action draw.Action, keys ...string) KeyAction {
	return EmitsFrom(help, text, func(State) draw.Action { return action }, keys...)
}

// OnRow returns the action of a key that applies to the row under the cursor; the pane does not have the key if there is none.
func (p *TablePane) OnRow(help, text string, action func(s State) draw.Action, keys ...string) KeyAction {
	a := EmitsFrom(help, text, func(s State) draw.Action {
		if p.empty {
			return nil
		}
		return action(s)
	}, keys...)
	a.onRow = true
	return a
}

// EmitsFrom returns the action of a key whose action depends on the state.
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

// CarryOut does what a key press asks for; it returns nil if no action has the key.
func CarryOut(actions []KeyAction, msg tea.KeyPressMsg, s State) draw.Action {
	for _, a := range actions {
		if key.Matches(msg, a.Binding) {
			return a.Do(msg, s)
		}
	}
	return nil
}

// Searches returns the keys that search the rows while the user types and end the search.
func (p *TablePane) Searches() []KeyAction {
	begin := func() { p.Typed.Begin(p.Search, draw.KeyEnter("keep filter"), draw.Bind("esc", "show all")) }
	keys := []KeyAction{Handles("/", "search", begin)}
	if p.Search != "" {
		keys = append(keys, Handles("", "", func() { p.Search = "" }, "esc"))
	}
	return keys
}

// Searched searches for the text typed so far.
func (p *TablePane) Searched(_ State, end draw.TypedEnd) draw.Action {
	if end == draw.TypedLeft {
		p.Typed.Set("")
	}
	p.Search, p.Cursor.At = p.Typed.Text(), 0
	return draw.Handled{}
}

// FilterBanner shows the filter of the rows, while it is typed and after that; "" if there is none.
func (p *TablePane) FilterBanner(s State, prompt, filter string, width int) string {
	switch {
	case p.Typed.Active:
		return p.Typed.Draw(s.Theme, prompt, width)
	case filter != "":
		return s.Warning.Fit(" only with "+filter+" · esc shows all", width)
	}
	return ""
}

// KeyRows returns the keys that move between rows.
func KeyRows() key.Binding {
	return draw.Bind("↑↓", "move", "up", "down", "k", "j", "pgup", "pgdown", "ctrl+b", "ctrl+f", "home", "end", "g", "G")
}

// KeyCells returns the keys that move between cells.
func KeyCells() key.Binding {
	return draw.Bind("←↑↓→", "cell", "left", "right", "up", "down", "h", "j", "k", "l", "pgup", "pgdown", "ctrl+b",
		"ctrl+f", "home", "end", "g", "G")
}

// content returns the table, or the text shown until there are figures.
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

// Keys returns the keys of the pane that have an effect on the last frame.
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
		if a.Help().Key != "" && !(a.onRow && p.empty) {
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

// HandleKey types, performs an action of the pane, moves the cursor, or opens the row under it.
func (p *TablePane) HandleKey(msg tea.KeyPressMsg, s State) draw.Action {
	t := p.prepare(s)
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

// Click selects the row of a line, and opens it if it is under the cursor.
func (p *TablePane) Click(x, y int, s State) draw.Action {
	t := p.content(s)
	return p.Cursor.Click(x, y, &t)
}

// Wheel scrolls.
func (p *TablePane) Wheel(lines int, s State) draw.Action {
	t := p.content(s)
	return p.Cursor.Wheel(lines, &t)
}

// Variable returns the variable under the cursor in a list of variables, "" in all other tables.
func (p *TablePane) Variable(s State) string {
	t := p.prepare(s)
	if !t.Follows || p.empty || t.Choose == nil {
		return ""
	}
	if chosen, ok := t.Choose(p.Cursor.At).(SelectVariable); ok {
		return chosen.Name
	}
	return ""
}

// View draws the table, or the reason why it does not apply.
func (p *TablePane) View(s State, width, height int, focused bool) string {
	if p.Risk && len(s.Keys()) > 0 && s.NotApplicable != "" {
		p.empty, p.closed = true, true
		return Inapplicable(s, width, height)
	}
	p.Width = width
	t := p.prepare(s)
	return t.View(s.Look, &p.Cursor, width, height, focused)
}
