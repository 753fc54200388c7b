package pages

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/pages"
)

// Variables is the page where variables get their roles. It edits a copy of the scenario; enter hands it over.
type Variables struct {
	data        *microdata.Dataset
	scenario    microdata.Scenario
	suggestions map[string]microdata.Suggestion
	summaries   []*profile.Summary // nil: not known yet
	order       []int              // columns in the order of the list
	sorted      variableOrder
	marked      map[string]bool // variables that role keys apply to
	labelled    bool            // the file has labels for some of them
	cursor      draw.Cursor
	inspector   *pages.Inspector // page of the variable under the cursor
	inspecting  bool             // it takes the whole page and the keys
	facts       *facts           // description of the file, replaced if the data change
	// the variable being linked to the key variable under the cursor
	linking     string
	problem     string                                            // why the last key or enter was refused
	differences views.Cache[comparisonKey, []suppress.Difference] // differences within households in variables that must be the same for all members
	Reopened    bool                                              // the session is running: esc goes back to it
	Undoable    bool                                              // there is a step to undo
	Measures    measure.Catalog                                   // the measures used by facts
}

// NewVariables opens the page for the variables of a file. data may have no records; first has the first ones.
// Roles are suggested by patterns of identifiers; nil: the built-in patterns.
func NewVariables(data, first *microdata.Dataset, scenario microdata.Scenario, patterns *identify.Patterns,
	reopened bool) *Variables {
	p := &Variables{data: data, scenario: scenario.Clone(), Reopened: reopened,
		suggestions: map[string]microdata.Suggestion{}, summaries: make([]*profile.Summary, len(data.Columns())),
		marked: map[string]bool{}, inspector: pages.NewInspector("")}
	suggestions := microdata.SuggestBy(first, patterns)
	if data.Grouped() {
		suggestions = slices.DeleteFunc(suggestions, func(s microdata.Suggestion) bool { return s.Role.OnGroups() != "" })
	}
	p.labelled = slices.ContainsFunc(data.Columns(), func(c *microdata.Column) bool { return c.Described().Label != "" })
	p.facts = &facts{suggested: suggestions}
	for _, suggestion := range suggestions {
		if _, taken := p.suggestions[suggestion.Variable]; !taken {
			p.suggestions[suggestion.Variable] = suggestion
		}
	}
	p.sort()
	return p
}

// Onto moves the cursor to a variable, if it exists.
func (p *Variables) Onto(name string) {
	for i, column := range p.order {
		if p.data.Columns()[column].Name() == name {
			p.cursor.At = i
		}
	}
}

// variableOrder is what the list is sorted by.
type variableOrder int

// The orders of the list.
const (
	asInFile variableOrder = iota
	byRole
	byName
	byKind
	byDistinct
	byMissing
	byRare
	variableOrders
)

// rareBelow is the number of records below which a value is rare.
const rareBelow = 3

// sort sorts the variables by file order, or by a column: names and types ascending, numbers descending, those
// with roles first.
func (p *Variables) sort() {
	p.order = p.order[:0]
	for i := range p.data.Columns() {
		p.order = append(p.order, i)
	}
	columns := p.data.Columns()
	number := func(of func(s *profile.Summary) int) func(a, b int) int {
		value := func(i int) int {
			if p.summaries[i] == nil {
				return -1 // not known yet
			}
			return of(p.summaries[i])
		}
		return func(a, b int) int { return value(b) - value(a) }
	}
	compare := map[variableOrder]func(a, b int) int{
		byRole: func(a, b int) int { return p.rank(a) - p.rank(b) },
		byName: func(a, b int) int {
			return strings.Compare(strings.ToLower(columns[a].Name()), strings.ToLower(columns[b].Name()))
		},
		byKind:     func(a, b int) int { return int(columns[a].Kind()) - int(columns[b].Kind()) },
		byDistinct: number(func(s *profile.Summary) int { return s.Distinct }),
		byMissing:  number(func(s *profile.Summary) int { return s.Missing }),
		byRare:     number(func(s *profile.Summary) int { return s.Rare }),
	}[p.sorted]
	if compare != nil {
		slices.SortStableFunc(p.order, compare)
	}
}

// resort sorts by the next column; the cursor stays on its variable.
func (p *Variables) resort() {
	at := p.order[p.cursor.At]
	p.sorted = (p.sorted + 1) % variableOrders
	p.sort()
	p.cursor.At = slices.Index(p.order, at)
}

// rank orders variables by their first role, then by their suggestion.
func (p *Variables) rank(column int) int {
	name := p.data.Columns()[column].Name()
	all := []microdata.Role{microdata.RoleKey, microdata.RoleNumericKey, microdata.RoleWeight, microdata.RoleHousehold,
		microdata.RoleStrata, microdata.RolePRAM, microdata.RoleSensitive, microdata.RoleLinked, microdata.RoleSame,
		microdata.RoleRemoved}
	if i := slices.IndexFunc(all, func(role microdata.Role) bool { return p.scenario.Has(name, role) }); i >= 0 {
		return i
	}
	if i := slices.Index(all, p.suggestions[name].Role); i >= 0 {
		return len(all) + i
	}
	return 2 * len(all)
}

// Seek computes the differences within households, the summaries of the variables one by one, and the page of the
// variable under the cursor.
func (p *Variables) Seek(s views.State) views.Piece {
	if piece := p.compare(); piece != nil {
		return piece
	}
	next := slices.Index(p.summaries, nil)
	if next < 0 || p.inspecting || p.facts.open {
		if piece := p.inspector.Seek(p.state(s)); piece != nil && !p.facts.open {
			return piece
		}
		return p.facts.seek(p.data, p.Measures)
	}
	column, summaries := p.data.Columns()[next], p.summaries // of these data: a step may be applied before the piece ends
	return func(context.Context, time.Duration) func() {
		summary := profile.Summarise(column, rareBelow)
		return func() {
			if summaries[next] = summary; slices.Index(p.summaries, nil) < 0 && p.sorted >= byDistinct {
				p.sort()
			}
		}
	}
}

// acts returns the keys of the page.
func (p *Variables) acts() []views.KeyAction {
	if p.linking != "" {
		return []views.KeyAction{views.Presses("↑↓", "choose the key variable", p.move, "up", "down"),
			views.Handles("enter", "link", p.endLink),
			views.Handles("esc", "cancel", func() { p.linking = "" })}
	}
	var acts []views.KeyAction
	for _, r := range dialogs.Roles {
		acts = append(acts, views.Handles(r.Key, r.Text, func() { p.toggle(r.Role) }))
	}
	return append(acts, views.Handles("l", "linked to…", p.link),
		views.Handles("d", "no role", p.clear, "d", "delete"),
		views.Handles("space", "mark", p.toggleMark),
		views.Presses("y", "type", p.overrides("convert")),
		views.Presses("m", "missing-value codes", p.overrides("set-missing")),
		views.Presses("u", "undo", func(tea.KeyPressMsg, views.State) draw.Action { return dialogs.Undo{} }),
		views.Handles("i", "inspect", func() { p.inspecting = true }),
		views.Handles("f", "summary", p.ShowFacts),
		views.Handles("a", "accept suggestions", p.accept),
		views.Handles("o", "sort", p.resort),
		views.EmitsFrom("enter", "start", p.start))
}

// Keys returns the keys of the page.
func (p *Variables) Keys() []key.Binding {
	if p.facts.open {
		return p.facts.keys()
	}
	switch {
	case p.Typing():
		return p.inspector.Keys()
	case p.inspecting:
		keys := slices.DeleteFunc(p.inspector.Keys(), func(b key.Binding) bool {
			return slices.Contains([]string{"enter", "c"}, b.Help().Key)
		})
		return append([]key.Binding{draw.Bind("esc", "back", "esc", "i")}, keys...)
	}
	return slices.DeleteFunc(views.Bindings(p.acts()), func(b key.Binding) bool {
		return b.Help().Key == "a" && len(p.open()) == 0 || b.Help().Key == "u" && !p.Undoable
	})
}

// open returns the suggestions for variables without a role.
func (p *Variables) open() []microdata.Suggestion {
	var open []microdata.Suggestion
	for _, column := range p.data.Columns() {
		suggestion, ok := p.suggestions[column.Name()]
		if ok && len(p.scenario.RolesOf(column.Name())) == 0 {
			open = append(open, suggestion)
		}
	}
	return open
}

// Typing reports whether letters are text, that is in a search among values.
func (p *Variables) Typing() bool { return p.inspecting && p.inspector.Typing() }

// inspectKey passes a key to the page of the variable, which cannot open records here.
func (p *Variables) inspectKey(msg tea.KeyPressMsg) draw.Action {
	s := p.state(views.State{Current: views.Version{Data: p.data}})
	typing := p.inspector.Typing()
	action := p.inspector.HandleKey(msg, s)
	if _, ok := action.(views.ChooseRole); ok {
		return dialogs.Cover{Dialog: dialogs.NewRoles(&p.scenario, p.data, p.name(),
			func(changed microdata.Scenario) {
				p.scenario = changed
			})}
	}
	if name := msg.String(); !typing && (name == "i" || name == "esc" && action == nil) {
		p.inspecting = false
	}
	return nil
}

// HandleKey gives and removes roles. Only the arrow keys move.
func (p *Variables) HandleKey(msg tea.KeyPressMsg, s views.State) draw.Action {
	p.problem = ""
	switch {
	case p.facts.open:
		p.facts.handleKey(msg)
		return nil
	case p.inspecting:
		return p.inspectKey(msg)
	}
	switch pressed := msg.String(); {
	case pressed == "esc" && p.linking == "":
		return dialogs.Close{}
	case slices.Contains([]string{"up", "down", "pgup", "pgdown", "home", "end"}, pressed):
		return p.move(msg, s)
	case len(p.order) == 0 && pressed != "enter":
		return nil
	}
	return views.CarryOut(p.acts(), msg, s)
}

// overrides returns the action of a key that opens the dialog of a method which corrects how the file was read.
// That is a step, so it can be undone and is part of scripts.
func (p *Variables) overrides(method string) func(tea.KeyPressMsg, views.State) draw.Action {
	return func(tea.KeyPressMsg, views.State) draw.Action {
		return views.OpenMethod{Name: method, Variable: p.name()}
	}
}

// Look takes data changed by a step or by undoing one. Variables keep their roles, and the cursor its place.
func (p *Variables) Look(data *microdata.Dataset, undoable bool) {
	if p.Undoable = undoable; data == p.data {
		return
	}
	was := p.data
	p.data, p.problem = data, ""
	p.facts = &facts{suggested: p.facts.suggested, open: p.facts.open}
	summaries := make([]*profile.Summary, len(data.Columns()))
	for i, column := range data.Columns() {
		if before, ok := was.Column(column.Name()); ok && before == column && i < len(p.summaries) &&
			was.Columns()[i] == column {
			summaries[i] = p.summaries[i]
		}
	}
	p.summaries = summaries
	p.sort()
	p.cursor.At = max(0, min(p.cursor.At, len(p.order)-1))
}

func (p *Variables) move(msg tea.KeyPressMsg, _ views.State) draw.Action {
	p.cursor.Move(msg, len(p.order))
	return draw.Handled{}
}

// start hands over the scenario, if it is valid.
func (p *Variables) start(views.State) draw.Action {
	if err := p.scenario.Check(p.data); err != nil {
		p.problem = err.Error()
		return nil
	}
	return dialogs.SetScenario{Scenario: p.scenario.Clone()}
}

func (p *Variables) name() string { return p.data.Columns()[p.order[p.cursor.At]].Name() }

// accept accepts all suggestions, and the rest of the file's description.
func (p *Variables) accept() {
	for _, suggestion := range p.open() {
		p.scenario.Assign(suggestion.Variable, suggestion.Role)
	}
	p.scenario.Complete(p.data)
}

// endLink links the variable to the one under the cursor.
func (p *Variables) endLink() {
	if !p.scenario.Has(p.name(), microdata.RoleKey) || p.name() == p.linking {
		p.problem = p.name() + " is not a key variable; choose the key variable whose suppressions " + p.linking + " should follow"
		return
	}
	p.scenario.Link(p.linking, p.name())
	p.linking = ""
}

func (p *Variables) link() {
	switch {
	case p.scenario.Has(p.name(), microdata.RoleKey):
		p.problem = p.name() + " is a key variable, so its own cells are suppressed and it cannot be linked"
	case len(p.scenario.Keys) == 0:
		p.problem = "a linked variable follows the suppressions of a key variable: choose one with k first"
	default:
		p.linking = p.name()
	}
}

// chosen returns the marked variables, or the one under the cursor.
func (p *Variables) chosen() []string {
	var names []string
	for _, column := range p.data.Columns() {
		if p.marked[column.Name()] {
			names = append(names, column.Name())
		}
	}
	if len(names) == 0 {
		names = []string{p.name()}
	}
	return names
}

// toggleMark marks or unmarks the variable under the cursor, and goes to the next one.
func (p *Variables) toggleMark() {
	if name := p.name(); p.marked[name] {
		delete(p.marked, name)
	} else {
		p.marked[name] = true
	}
	p.cursor.At = min(p.cursor.At+1, len(p.order)-1)
}

// clear removes all roles of the chosen variables.
func (p *Variables) clear() {
	for _, name := range p.chosen() {
		p.scenario.Clear(name)
	}
	clear(p.marked)
}

// toggle gives the role to the chosen variables, or removes it if all have it. A contradiction is explained, and
// nothing is changed.
func (p *Variables) toggle(role microdata.Role) {
	changed, err := dialogs.ToggleRole(&p.scenario, p.data, role, p.chosen()...)
	if err != nil {
		p.problem = err.Error()
		return
	}
	p.scenario = changed
	clear(p.marked)
}

// summary lists what the scenario has: "7 key variables", "3 numeric", "weight".
func (p *Variables) summary() (parts []string) {
	add := func(there bool, text string) {
		if there {
			parts = append(parts, text)
		}
	}
	s := &p.scenario
	add(len(s.Keys) > 0, wording.Counted(len(s.Keys), "key variable"))
	add(len(s.Numeric) > 0, strconv.Itoa(len(s.Numeric))+" numeric")
	add(s.Weight != "", "weight")
	add(s.Household != "", "household")
	add(len(s.Sensitive) > 0, strconv.Itoa(len(s.Sensitive))+" sensitive")
	add(len(s.Remove) > 0, strconv.Itoa(len(s.Remove))+" removed")
	if len(parts) == 0 {
		parts = []string{"no roles yet"}
	}
	return parts
}

// roleText returns the roles of a variable, or the suggested one in faint style.
func (p *Variables) roleText(theme *draw.Theme, name string) (text string, style *draw.Style) {
	roles := p.scenario.RolesOf(name)
	if suggestion, ok := p.suggestions[name]; ok && len(roles) == 0 {
		return string(suggestion.Role) + "? " + suggestion.Reason, &theme.Faint // the line below says that it is suggested
	}
	var words []string
	for _, role := range roles {
		switch role {
		case microdata.RoleKey, microdata.RoleNumericKey, microdata.RoleSensitive:
			words = append(words, strings.ToUpper(string(role)))
		case microdata.RoleLinked:
			words = append(words, "linked to "+p.scenario.LinkedTo(name))
		default:
			words = append(words, string(role))
		}
	}
	return strings.Join(words, ", "), &theme.Strong
}
