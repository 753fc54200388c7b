package pages

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Inspector is the page of one variable: its description, its distribution, its values with their counts, the
// records with the lowest and highest values, and its cross table with any other variable. Slow parts are computed
// in the background.
type Inspector struct {
	views.TablePane
	variable string // "": the selected one
	part     inspectorPart
	order    profile.Order
	weighted bool
	choosing bool   // the variable of the cross table is being typed
	other    string // that variable; "": none
	share    views.ShareKind
	found    views.Cache[subject, inspected]
	left     int      // width of the description to the left of the table
	text     []string // lines of the description if it has the whole page
}

// inspectorPart is the part of the page shown next to the description.
type inspectorPart int

const (
	partAbout inspectorPart = iota // the description, if there is no room for it next to the others
	partValues
	partExtremes
	partCross
	partCount
)

var _ views.Seeker = (*Inspector)(nil)

// NewInspector returns the page of a variable, or of the selected one if variable is "".
func NewInspector(variable string) *Inspector {
	p := &Inspector{TablePane: views.TablePane{PaneID: "inspector", Heading: "Variable"}, variable: variable}
	p.Content, p.Actions, p.OnTyped, p.Explained = p.table, p.keys, p.taken, p.moments
	return p
}

// NewValues returns the page of a variable at its values, most frequent first.
func NewValues(variable string) *Inspector {
	p := NewInspector(variable)
	p.part, p.order = partValues, profile.ByRecords
	return p
}

// Variable returns the variable of the page.
func (p *Inspector) Variable(s views.State) string {
	if p.variable == "" {
		return s.Selected.Variable
	}
	return p.variable
}

// TitleFor names the variable and its kind.
func (p *Inspector) TitleFor(s views.State) string {
	name := p.Variable(s)
	if column := s.Current.Column(name); column != nil {
		return name + " · " + column.Type()
	}
	return p.Title()
}

// keys returns the keys of the visible part.
func (p *Inspector) keys() []views.KeyAction {
	if p.part == partAbout && p.left > 0 {
		p.part = partValues
	}
	keys := []views.KeyAction{
		views.Handles("t", "next view", p.turn),
		views.EmitsFrom("o", "role", func(s views.State) draw.Action { return views.ChooseRole{Name: p.Variable(s)} }),
		views.Handles("x", "cross table", func() { p.choose("") }),
	}
	switch p.part {
	case partValues:
		keys = append(append(keys, views.Handles("s", "sort", p.sort)), p.Searches()...)
	case partCross:
		keys = append(keys, views.Handles("%", "shares", func() { p.share = p.share.Next() }))
	case partAbout, partExtremes, partCount:
	}
	if p.found.Last().weight != "" {
		keys = append(keys, views.Handles("w", "weighted", func() { p.weighted = !p.weighted }))
	}
	return append(keys, views.Emits("c", "convert", views.OpenMethod{Name: "convert"}))
}

// Keys returns the keys of the page.
func (p *Inspector) Keys() []key.Binding {
	p.Enter = [partCount]string{partValues: "list records", partExtremes: "open record"}[p.part]
	return p.TablePane.Keys()
}

// turn goes to the next part.
func (p *Inspector) turn() {
	p.part, p.Cursor = (p.part+1)%partCount, draw.Cursor{}
	if p.part == partAbout && p.left > 0 {
		p.part++
	}
}

// sort goes to the next order.
func (p *Inspector) sort() {
	p.Cursor = draw.Cursor{}
	p.order = (p.order + 1) % (profile.ByLabel + 1)
	if f := p.found.Last(); p.order == profile.ByWeight && (f.Profile == nil || !f.weighted()) {
		p.order = profile.ByLabel
	}
}

// choose starts typing the name of the variable of the cross table.
func (p *Inspector) choose(text string) {
	p.part, p.choosing, p.Cursor = partCross, true, draw.Cursor{}
	p.Typed.Begin(text, draw.Bind("↑↓", "choose", "up", "down"), draw.KeyEnter("cross table"), draw.KeyEscape())
}

// HandleKey moves the cursor in the list of variables while its filter is typed.
func (p *Inspector) HandleKey(msg tea.KeyPressMsg, s views.State) draw.Action {
	if name := msg.String(); p.choosing && (name == "up" || name == "down") {
		p.Cursor.Move(msg, len(p.others(s)))
		return draw.Handled{}
	}
	return p.TablePane.HandleKey(msg, s)
}

// taken accepts a search among the values, or the variable of the cross table.
func (p *Inspector) taken(s views.State, end draw.TypedEnd) draw.Action {
	if !p.choosing {
		return p.Searched(s, end)
	}
	others := p.others(s)
	switch p.Cursor.Clamp(len(others)); {
	case end == draw.TypedMore:
		p.Cursor.At = 0
	case end == draw.TypedTaken && len(others) == 0:
		p.Typed.Active = true
	case end == draw.TypedTaken:
		p.other, p.choosing, p.Cursor = others[p.Cursor.At], false, draw.Cursor{}
	default:
		p.choosing, p.Cursor = false, draw.Cursor{}
	}
	return draw.Handled{}
}

// others returns the other variables whose name contains the typed text.
func (p *Inspector) others(s views.State) []string {
	var names []string
	for _, column := range s.Current.Data.Columns() {
		if column.Name() != p.Variable(s) && strings.Contains(strings.ToLower(column.Name()),
			strings.ToLower(p.Typed.Text())) {
			names = append(names, column.Name())
		}
	}
	return names
}

// widePage is the width from which the tables are next to the description.
const widePage = 96

// View draws the page.
func (p *Inspector) View(s views.State, width, height int, focused bool) string {
	if p.left = 0; width >= widePage && height >= 10 {
		p.left = width * 9 / 20
	}
	p.keys() // adjusts the part to the layout
	switch f := p.Look(s); {
	case f.column == nil && s.Current.Data == nil:
		return s.Sentence("The variable is shown when the file is ready.", width, height)
	case f.column == nil:
		return s.Sentence("The variable is not in the file.", width, height)
	case f.Profile == nil:
		return s.Sentence("counting …", width, height)
	}
	if p.left == 0 && p.part == partAbout {
		p.text = p.about(s, width, height)
		t := p.table(s, width)
		return t.View(s.Look, &p.Cursor, width, height, focused)
	}
	p.Width = width - p.left
	t := p.table(s, p.Width)
	right := t.View(s.Look, &p.Cursor, p.Width, height, focused)
	if p.left == 0 {
		return right
	}
	left := draw.Within(s.Theme, p.about(s, p.left-2, height), p.left-2, height)
	return draw.Exactly(draw.SideBySide(left, p.left, right), width, height)
}

// Click selects a row of the table, or opens it.
func (p *Inspector) Click(x, y int, s views.State) draw.Action {
	return p.TablePane.Click(x-p.left, y, s)
}

// table returns the part of the page that has a cursor.
func (p *Inspector) table(s views.State, width int) draw.Table {
	f := p.Look(s)
	var t draw.Table
	switch {
	case f.Profile == nil:
		return draw.Table{Instead: "counting …"}
	case p.part == partAbout:
		return draw.TextOf(p.text, func(int) bool { return false })
	case p.choosing:
		t = p.choices(s)
	case p.part == partExtremes:
		t = p.extremesTable(s)
	case p.part == partCross:
		t = p.crossTable(s)
	default:
		t = p.valuesTable(s)
	}
	if t.Instead != "" {
		t = draw.Table{Columns: []draw.Column{{Head: " "}}, None: t.Instead}
	}
	t.Above = func(width, _ int) []string { return []string{p.heading(s, width)} }
	return t
}

// heading names the parts, the visible one as a title.
func (p *Inspector) heading(s views.State, width int) string {
	l := draw.NewLine(width, nil)
	for part, name := range []string{"about", "values", "extremes", "cross table"} {
		if part == int(partAbout) && p.left > 0 {
			continue
		}
		style := &s.Faint
		if part == int(p.part) {
			style = &s.Title
		}
		l.Text(style, " "+name+" ")
	}
	what := ""
	switch {
	case p.part == partValues && p.found.Last().values != nil:
		what = wording.Counted(p.found.Last().values.Distinct(), "value") + ", " +
			[...]string{"in order", "most records first", "largest weight first", "by name"}[p.order]
	case p.part == partCross && p.other != "":
		what = p.crossTitle()
	}
	if l.Rest() > draw.Width(what)+1 {
		l.Gap(l.Rest() - draw.Width(what) - 1)
		l.Text(&s.Faint, what)
	}
	return l.String()
}

// choices lists the variables for the cross table.
func (p *Inspector) choices(s views.State) draw.Table {
	names := p.others(s)
	return draw.Table{
		Columns: []draw.Column{{Head: "variable", Least: 8, Most: 40}, {Head: "kind", Rank: 1}},
		Rows:    len(names),
		Row: func(row int) []draw.Cell {
			return []draw.Cell{{Text: names[row]}, {Text: s.Current.Column(names[row]).Type(), Style: &s.Faint}}
		},
		None:   "no variable with this name",
		Banner: func(width int) string { return p.Typed.Draw(s.Theme, "cross table with: ", width) },
		Open: func(row int) draw.Action {
			p.other, p.choosing, p.Typed.Active, p.Cursor = names[row], false, false, draw.Cursor{}
			return draw.Handled{}
		},
	}
}

// roleOf names the roles of a variable in the scenario, or returns "".
func roleOf(s views.State, variable string) string {
	if s.Scenario == nil {
		return ""
	}
	var roles []string
	for _, role := range s.Scenario.RolesOf(variable) {
		text := string(role)
		if role == microdata.RoleKey || role == microdata.RoleNumericKey {
			text += " variable"
		}
		roles = append(roles, text)
	}
	return strings.Join(roles, ", ")
}
