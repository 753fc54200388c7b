package pages

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/muargus"
	"github.com/sdcdesk/sdcdesk/engine/suppress"
	"github.com/sdcdesk/sdcdesk/engine/wording"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// Variables is the room where the variables get their roles. It edits a
// copy of the scenario; enter hands it over.
type Variables struct {
	data        *microdata.Dataset
	scenario    microdata.Scenario
	description *muargus.Description // nil: the file has none
	suggestions map[string]microdata.Suggestion
	profiles    []*variableProfile // nil: not looked at yet
	order       []int              // columns in the order of the list
	byRole      bool
	cursor      views.Cursor
	linking     string                // the variable that is being linked to the key variable under the cursor
	problem     string                // why the last key could not be obeyed, or enter
	differences []suppress.Difference // of the variables that are to be the same for households
	Reopened    bool                  // the session runs already: esc goes back to it
}

// NewVariables opens on the variables of a file. What its description says,
// where it says anything, is suggested instead of what names and contents do.
func NewVariables(data *microdata.Dataset, scenario microdata.Scenario, description *muargus.Description, reopened bool) *Variables {
	p := &Variables{data: data, scenario: scenario.Clone(), description: description, Reopened: reopened,
		suggestions: map[string]microdata.Suggestion{}, profiles: make([]*variableProfile, len(data.Columns()))}
	var suggestions []microdata.Suggestion
	if description != nil {
		suggestions = description.Roles()
	}
	if len(suggestions) == 0 {
		suggestions = microdata.Suggest(data)
	}
	for _, suggestion := range suggestions {
		if _, taken := p.suggestions[suggestion.Variable]; !taken {
			p.suggestions[suggestion.Variable] = suggestion
		}
	}
	p.sort()
	p.compare()
	return p
}

// sort puts the variables into file order, or those with roles first.
func (p *Variables) sort() {
	p.order = p.order[:0]
	for i := range p.data.Columns() {
		p.order = append(p.order, i)
	}
	if p.byRole {
		slices.SortStableFunc(p.order, func(a, b int) int { return p.rank(a) - p.rank(b) })
	}
}

// rank orders variables by their first role, then by their suggestion.
func (p *Variables) rank(column int) int {
	name := p.data.Columns()[column].Name()
	all := []microdata.Role{microdata.RoleKey, microdata.RoleNumericKey, microdata.RoleWeight, microdata.RoleHousehold,
		microdata.RoleStrata, microdata.RolePRAM, microdata.RoleSensitive, microdata.RoleLinked, microdata.RoleSame, microdata.RoleRemoved}
	if i := slices.IndexFunc(all, func(role microdata.Role) bool { return p.scenario.Has(name, role) }); i >= 0 {
		return i
	}
	if i := slices.Index(all, p.suggestions[name].Role); i >= 0 {
		return len(all) + i
	}
	return 2 * len(all)
}

// Seek looks at the variables one after the other.
func (p *Variables) Seek(views.State) func(ctx context.Context, budget time.Duration) func() {
	next := slices.Index(p.profiles, nil)
	if next < 0 {
		return nil
	}
	column := p.data.Columns()[next]
	return func(context.Context, time.Duration) func() {
		profile := variableProfile{distinctValues(column), column.MissingCount(), exampleValues(column)}
		return func() { p.profiles[next] = &profile }
	}
}

// roleKeys gives each role its key.
var roleKeys = []struct {
	key, text string
	role      microdata.Role
}{
	{"k", "key", microdata.RoleKey},
	{"n", "numeric key", microdata.RoleNumericKey},
	{"w", "weight", microdata.RoleWeight},
	{"h", "household", microdata.RoleHousehold},
	{"s", "sensitive", microdata.RoleSensitive},
	{"p", "PRAM", microdata.RolePRAM},
	{"t", "strata", microdata.RoleStrata},
	{"c", "same for household", microdata.RoleSame},
	{"x", "remove", microdata.RoleRemoved},
}

// acts are the keys of the page.
func (p *Variables) acts() []dialogs.Act {
	if p.linking != "" {
		return []dialogs.Act{{Binding: dialogs.Bind("↑↓", "choose the key variable", "up", "down"), Do: p.move},
			{Binding: dialogs.Bind("enter", "link", "enter"), Do: dialogs.Stays(p.endLink)},
			{Binding: dialogs.Bind("esc", "cancel", "esc"), Do: dialogs.Stays(func() { p.linking = "" })}}
	}
	var acts []dialogs.Act
	for _, r := range roleKeys {
		acts = append(acts, dialogs.Act{Binding: dialogs.Bind(r.key, r.text, r.key), Do: dialogs.Stays(func() { p.toggle(r.role) })})
	}
	return append(acts, dialogs.Act{Binding: dialogs.Bind("l", "linked to…", "l"), Do: dialogs.Stays(p.link)},
		dialogs.Act{Binding: dialogs.Bind("space", "no role", "space"), Do: dialogs.Stays(func() { p.scenario.Clear(p.name()) })},
		dialogs.Act{Binding: dialogs.Bind("a", "accept suggestions", "a"), Do: dialogs.Stays(p.accept)},
		dialogs.Act{Binding: dialogs.Bind("o", "sort", "o"), Do: dialogs.Stays(func() {
			p.byRole = !p.byRole
			p.sort()
		})},
		dialogs.Act{Binding: dialogs.Bind("enter", "start", "enter"), Do: p.start})
}

// Keys returns the keys of the page.
func (p *Variables) Keys() []key.Binding {
	return slices.DeleteFunc(dialogs.Bindings(p.acts()), func(b key.Binding) bool { return b.Help().Key == "a" && len(p.open()) == 0 })
}

// open returns the suggestions that are not followed yet, for variables
// without a role.
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

// Typing reports whether letters are text; they never are here.
func (p *Variables) Typing() bool { return false }

// HandleKey gives and takes roles. Only the arrow keys move.
func (p *Variables) HandleKey(msg tea.KeyPressMsg) dialogs.Effect {
	p.problem = ""
	switch pressed := msg.String(); {
	case pressed == "esc" && p.linking == "":
		return dialogs.Close{}
	case slices.Contains([]string{"up", "down", "pgup", "pgdown", "home", "end"}, pressed):
		return p.move(msg)
	case len(p.order) == 0 && pressed != "enter":
		return dialogs.Stay{}
	}
	before := p.scenario.Clone()
	effect := dialogs.CarryOut(p.acts(), msg)
	if before.Household != p.scenario.Household || !slices.Equal(before.SameForHousehold, p.scenario.SameForHousehold) {
		p.compare()
	}
	return effect
}

func (p *Variables) move(msg tea.KeyPressMsg) dialogs.Effect {
	p.cursor.Move(msg, len(p.order))
	return dialogs.Stay{}
}

// start hands the scenario over, where it is one.
func (p *Variables) start(tea.KeyPressMsg) dialogs.Effect {
	if err := p.scenario.Check(p.data); err != nil {
		p.problem = err.Error()
		return dialogs.Stay{}
	}
	return dialogs.SetScenario{Scenario: p.scenario.Clone()}
}

// name returns the variable under the cursor.
func (p *Variables) name() string { return p.data.Columns()[p.order[p.cursor.At]].Name() }

// accept follows all suggestions, and the rest of what the description says.
func (p *Variables) accept() {
	for _, suggestion := range p.open() {
		p.scenario.Assign(suggestion.Variable, suggestion.Role)
	}
	if p.description != nil {
		p.description.Complete(&p.scenario)
	}
}

// endLink links the variable to the one under the cursor.
func (p *Variables) endLink() {
	if !p.scenario.Has(p.name(), microdata.RoleKey) || p.name() == p.linking {
		p.problem = p.name() + " is no key variable; choose the one whose suppressions " + p.linking + " is to follow"
		return
	}
	p.scenario.Link(p.linking, p.name())
	p.linking = ""
}

func (p *Variables) link() {
	switch {
	case p.scenario.Has(p.name(), microdata.RoleKey):
		p.problem = p.name() + " is a key variable: it is suppressed itself and follows no other"
	case len(p.scenario.Keys) == 0:
		p.problem = "a linked variable follows the suppressions of a key variable: choose one with k first"
	default:
		p.linking = p.name()
	}
}

// toggle gives the role to the variable under the cursor, or takes it away. A
// contradiction is explained, and nothing is changed.
func (p *Variables) toggle(role microdata.Role) {
	name := p.name()
	if p.scenario.Has(name, role) {
		p.scenario.Unassign(name, role)
		return
	}
	changed := p.scenario.Clone()
	changed.Assign(name, role)
	if err := changed.Check(p.data); err != nil {
		// What was wrong before does not stand in the way.
		if was := p.scenario.Check(p.data); was == nil || was.Error() != err.Error() {
			p.problem = err.Error()
			return
		}
	}
	p.scenario = changed
}

// summary says what the scenario has: "7 keys · 3 numeric · weight".
func (p *Variables) summary() string {
	var parts []string
	add := func(there bool, text string) {
		if there {
			parts = append(parts, text)
		}
	}
	s := &p.scenario
	add(len(s.Keys) > 0, wording.Counted(len(s.Keys), "key"))
	add(len(s.Numeric) > 0, strconv.Itoa(len(s.Numeric))+" numeric")
	add(s.Weight != "", "weight")
	add(s.Household != "", "household")
	add(len(s.Sensitive) > 0, strconv.Itoa(len(s.Sensitive))+" sensitive")
	add(len(s.Remove) > 0, strconv.Itoa(len(s.Remove))+" removed")
	if len(parts) == 0 {
		return "no roles yet"
	}
	return strings.Join(parts, " · ")
}

// roleText says the roles of a variable, or faintly the suggested one.
func (p *Variables) roleText(theme *views.Theme, name string) (text string, style *lipgloss.Style) {
	roles := p.scenario.RolesOf(name)
	if suggestion, ok := p.suggestions[name]; ok && len(roles) == 0 {
		return string(suggestion.Role) + " suggested: " + suggestion.Reason, &theme.Faint
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
