package views

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
)

// Inspector is the page of one variable: what it is, its distribution, its values
// with their counts, the records with the lowest and highest, and its cross table
// with any other variable. What takes longer than a look is found in the background.
type Inspector struct {
	tablePane
	variable string // "": the selected one
	part     inspectorPart
	order    profile.Order
	weighted bool
	filter   string
	choosing bool   // the variable of the cross table is being typed
	other    string // that variable; "": none was chosen
	share    shareKind
	found    inspected
	left     int // cells beside the table that say what the variable is
}

// inspectorPart is what the page shows beside what the variable is.
type inspectorPart int

const (
	partAbout inspectorPart = iota // where there is room it stands beside the others
	partValues
	partExtremes
	partCross
	partCount
)

var _ Seeker = (*Inspector)(nil)

// NewInspector returns the page of a variable; of the one that is selected where the
// name is "".
func NewInspector(variable string) *Inspector {
	p := &Inspector{tablePane: tablePane{id: "inspector", title: "Variable"}, variable: variable}
	p.content, p.acts, p.heard, p.figures = p.table, p.keys, p.taken, p.moments
	return p
}

// NewValues returns the page of a variable with its values in sight, the most
// frequent first.
func NewValues(variable string) *Inspector {
	p := NewInspector(variable)
	p.part, p.order = partValues, profile.ByRecords
	return p
}

// Variable returns the variable of the page.
func (p *Inspector) Variable(s State) string {
	if p.variable == "" {
		return s.Selected.Variable
	}
	return p.variable
}

// TitleFor names the variable and its kind.
func (p *Inspector) TitleFor(s State) string {
	name := p.Variable(s)
	if column := s.Current.column(name); column != nil {
		return name + " · " + column.Type()
	}
	return p.Title()
}

// keys are those of the part that is shown.
func (p *Inspector) keys() []act {
	if p.part == partAbout && p.left > 0 {
		p.part = partValues
	}
	keys := []act{
		{bind("t", "next table", "t"), does(p.turn)},
		{bind("o", "role", "o"), func(_ tea.KeyPressMsg, s State) Action { return ChooseRole{p.Variable(s)} }},
		{bind("x", "cross", "x"), does(func() { p.choose("") })},
	}
	switch p.part {
	case partValues:
		keys = append(keys, act{bind("s", "sort", "s"), does(p.sort)},
			act{bind("/", "search", "/"), does(func() { p.typed.begin(p.filter, keyEnter("keep the search"), bind("esc", "all", "esc")) })})
	case partCross:
		keys = append(keys, act{bind("%", "shares", "%"), does(func() { p.share = p.share.next() })})
	case partAbout, partExtremes, partCount:
	}
	if p.found.weight != "" {
		keys = append(keys, act{bind("w", "weighted", "w"), does(func() { p.weighted = !p.weighted })})
	}
	keys = append(keys, asks("c", "convert", OpenMethod{"convert"}))
	if p.filter != "" && p.part == partValues {
		keys = append(keys, act{bind("", "", "esc"), does(func() { p.filter = "" })})
	}
	return keys
}

// Keys returns the keys of the page.
func (p *Inspector) Keys() []key.Binding {
	p.enter = [partCount]string{partValues: "records", partExtremes: "record"}[p.part]
	return p.tablePane.Keys()
}

// turn goes to the next table.
func (p *Inspector) turn() {
	p.part, p.cursor = (p.part+1)%partCount, Cursor{}
	if p.part == partAbout && p.left > 0 {
		p.part++
	}
}

// sort goes on to the next order.
func (p *Inspector) sort() {
	p.cursor = Cursor{}
	switch p.order {
	case profile.ByValue:
		p.order = profile.ByRecords
	case profile.ByRecords:
		p.order = profile.ByWeight
		if p.found.profile == nil || !p.found.weighted() {
			p.order = profile.ByLabel
		}
	case profile.ByWeight:
		p.order = profile.ByLabel
	case profile.ByLabel:
		p.order = profile.ByValue
	}
}

// choose begins to type the name of the variable of the cross table.
func (p *Inspector) choose(text string) {
	p.part, p.choosing, p.cursor = partCross, true, Cursor{}
	p.typed.begin(text, bind("↑↓", "choose", "up", "down"), keyEnter("cross table"), keyEscape())
}

// HandleKey moves in the list of variables while its filter is typed.
func (p *Inspector) HandleKey(msg tea.KeyPressMsg, s State) Action {
	if name := msg.String(); p.choosing && (name == "up" || name == "down") {
		p.cursor.Move(msg, len(p.others(s)))
		return Handled{}
	}
	return p.tablePane.HandleKey(msg, s)
}

// taken takes a search among the values, or the variable of the cross table.
func (p *Inspector) taken(s State, end typedEnd) Action {
	if !p.choosing {
		if end == typedLeft {
			p.typed.Set("")
		}
		p.filter, p.cursor.At = p.typed.Text(), 0
		return Handled{}
	}
	others := p.others(s)
	switch p.cursor.clamp(len(others)); {
	case end == typedMore:
		p.cursor.At = 0
	case end == typedTaken && len(others) == 0:
		p.typed.active = true
	case end == typedTaken:
		p.other, p.choosing, p.cursor = others[p.cursor.At], false, Cursor{}
	default:
		p.choosing, p.cursor = false, Cursor{}
	}
	return Handled{}
}

// others returns the variables whose name has what is typed.
func (p *Inspector) others(s State) []string {
	var names []string
	for _, column := range s.Current.Data.Columns() {
		if column.Name() != p.Variable(s) && strings.Contains(strings.ToLower(column.Name()), strings.ToLower(p.typed.Text())) {
			names = append(names, column.Name())
		}
	}
	return names
}

// widePage is the width from which the tables stand beside what the variable is.
const widePage = 96

// View draws the page.
func (p *Inspector) View(s State, width, height int, focused bool) string {
	if p.left = 0; width >= widePage && height >= 10 {
		p.left = width * 9 / 20
	}
	p.keys() // the part that fits
	switch f := p.look(s); {
	case f.column == nil && s.Current.Data == nil:
		return s.Sentence("The variable is shown as soon as the file is there.", width, height)
	case f.column == nil:
		return s.Sentence("The variable is not in the file.", width, height)
	case f.profile == nil:
		return s.Sentence("counting …", width, height)
	}
	if p.left == 0 && p.part == partAbout {
		return scrolled(s, p.about(s, width, height), &p.cursor, width, height)
	}
	p.width = width - p.left
	t := p.table(s, p.width)
	right := t.view(s.Look, &p.cursor, p.width, height, focused)
	if p.left == 0 {
		return right
	}
	left := strings.Join(cutLines(s, p.about(s, p.left-2, height), p.left-2, height), "\n")
	return Exactly(Beside(left, p.left, right), width, height)
}

// Click chooses a row of the table, or opens it.
func (p *Inspector) Click(x, y int, s State) Action { return p.tablePane.Click(x-p.left, y, s) }

// table is the part of the page that has a cursor.
func (p *Inspector) table(s State, width int) Table {
	f := p.look(s)
	var t Table
	switch {
	case f.profile == nil:
		return Table{Instead: "counting …"}
	case p.part == partAbout:
		return Table{Rows: 1 << 20} // lines to scroll through
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
		t = Table{Columns: []Column{{Head: " "}}, None: t.Instead}
	}
	t.Above = func(width, _ int) []string { return []string{p.heading(s, width)} }
	return t
}

// heading names the tables, that in sight as a title.
func (p *Inspector) heading(s State, width int) string {
	l := newLine(width, nil)
	for part, name := range []string{"about", "values", "extremes", "cross table"} {
		if part == int(partAbout) && p.left > 0 {
			continue
		}
		style := &s.Theme.Faint
		if part == int(p.part) {
			style = &s.Theme.Title
		}
		l.text(style, " "+name+" ")
	}
	what := ""
	switch {
	case p.part == partValues && p.found.values != nil:
		what = wording.Counted(p.found.values.Distinct(), "value") + ", " + [...]string{"in order", "most records first", "largest weight first", "by name"}[p.order]
	case p.part == partCross && p.other != "":
		what = p.crossTitle()
	}
	if l.rest() > Width(what)+1 {
		l.gap(l.rest() - Width(what) - 1)
		l.text(&s.Theme.Faint, what)
	}
	return l.String()
}

// choices lists the variables for the cross table.
func (p *Inspector) choices(s State) Table {
	names := p.others(s)
	return Table{
		Columns: []Column{{Head: "variable", Least: 8, Most: 40}, {Head: "kind", Rank: 1}},
		Rows:    len(names),
		Row: func(row int) []Cell {
			return []Cell{{Text: names[row]}, {Text: s.Current.column(names[row]).Type(), Style: &s.Theme.Faint}}
		},
		None:   "no variable is named so",
		Banner: func(width int) string { return p.typed.draw(s.Theme, "cross table with: ", width) },
		Open: func(row int) Action {
			p.other, p.choosing, p.typed.active, p.cursor = names[row], false, false, Cursor{}
			return Handled{}
		},
	}
}

// cutLines keeps as many lines as there is room for; the last one says how many
// there are below.
func cutLines(s State, lines []string, width, height int) []string {
	if more := len(lines) - height; more > 0 && height > 1 {
		lines = append(slices.Clone(lines[:height-1]), s.Theme.Key.Render(Fit(" ↓ "+wording.Counted(more+1, "more line"), width)))
	}
	return lines
}

// scrolled shows lines from that of the cursor on.
func scrolled(s State, lines []string, c *Cursor, width, height int) string {
	c.page = height
	c.At = max(0, min(c.At, len(lines)-height))
	return Exactly(strings.Join(cutLines(s, lines[c.At:], width, height), "\n"), width, height)
}

// roleOf names the roles of a variable in the scenario; "" where it has none.
func roleOf(s State, variable string) string {
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
