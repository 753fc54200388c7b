package dialogs

import (
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Picker is a list to choose variables, or categories of one, from. Typing filters it. If several can be chosen,
// they are marked, and keep the order of marking.
type Picker struct {
	Narrow
	title   string
	offer   method.Offer
	listed  []Variable // descriptions of variables, shown next to their names
	shown   []int      // indices of the names that match the typed text
	marked  []int      // indices of the marked names, in the order of marking
	touched bool       // marks were changed
	input   *draw.TextField
	cursor  draw.Cursor
	take    func(names []string) error
	problem error // why the choice was refused
}

var _ Clickable = (*Picker)(nil)

// Variable is the description of a variable in a list.
type Variable struct{ Name, Label, Kind, Missing, Roles string }

// NewPicker opens the list of an offer, with the cursor on what is chosen. take gets the choice; if it returns an
// error, the list stays open and shows it.
func NewPicker(s views.State, title string, offer method.Offer, take func(names []string) error) *Picker {
	var listed []Variable
	if offer.Of == nil {
		for _, name := range offer.Names {
			listed = append(listed, listedVariable(s, name))
		}
	}
	return newPicker(title, offer, listed, take)
}

// NewVariablePicker opens a list of variables, of which any number can be chosen.
func NewVariablePicker(title string, variables []Variable, chosen []string, take func(names []string) error) *Picker {
	offer := method.Offer{Several: true, Chosen: chosen}
	for _, v := range variables {
		offer.Names = append(offer.Names, v.Name)
	}
	return newPicker(title, offer, variables, take)
}

func newPicker(title string, offer method.Offer, listed []Variable, take func(names []string) error) *Picker {
	p := &Picker{title: title, offer: offer, listed: listed, take: take, input: draw.NewTextField("")}
	for _, name := range offer.Chosen {
		if place := slices.Index(offer.Names, name); place >= 0 {
			p.marked = append(p.marked, place)
		}
	}
	p.filter()
	if len(p.marked) > 0 {
		p.cursor.At = p.marked[0]
	}
	return p
}

// filter keeps the names that match the typed text, in the order of the list.
func (p *Picker) filter() {
	p.shown = p.shown[:0]
	for i, name := range p.offer.Names {
		if p.listed != nil {
			name += " " + p.listed[i].Label
		}
		if _, matches := likeness(p.input.Text(), name, nil); matches {
			p.shown = append(p.shown, i)
		}
	}
	if text := strings.ToLower(strings.TrimSpace(p.input.Text())); text != "" { // those that begin with it come first
		slices.SortStableFunc(p.shown, func(a, b int) int {
			first := func(i int) int {
				if strings.HasPrefix(strings.ToLower(p.offer.Names[i]), text) {
					return 0
				}
				return 1
			}
			return first(a) - first(b)
		})
	}
	p.cursor.At = 0
}

// Title returns the title.
func (p *Picker) Title() string { return p.title }

// Typing returns true, because letters are always text here.
func (p *Picker) Typing() bool { return true }

// Keys returns the keys of the list.
func (p *Picker) Keys() []key.Binding {
	keys := []key.Binding{draw.Bind("↑↓", "move", "up", "down", "pgup", "pgdown", "home", "end")}
	if p.offer.Several {
		keys = append(keys, draw.Bind("space", "mark"), draw.Bind("ctrl+a", "mark all, none"))
	}
	return append(keys, draw.Bind("enter", "choose"), draw.Bind("esc", "back"))
}

// HandleKey types, moves, marks and chooses.
func (p *Picker) HandleKey(msg tea.KeyPressMsg, _ views.State) draw.Action {
	p.problem = nil
	switch pressed := msg.String(); {
	case pressed == "esc":
		return Close{}
	case pressed == "enter":
		return p.choose()
	case slices.Contains([]string{"up", "down", "pgup", "pgdown", "home", "end"}, pressed):
		p.cursor.Move(msg, len(p.shown))
	case pressed == "space" && p.offer.Several:
		p.mark()
		p.cursor.At = min(p.cursor.At+1, max(0, len(p.shown)-1))
	case pressed == "ctrl+a" && p.offer.Several:
		p.markAll()
	default:
		before := p.input.Text()
		if p.input.Handle(msg); p.input.Text() != before {
			p.filter()
		}
	}
	return nil
}

// mark marks or unmarks the name under the cursor.
func (p *Picker) mark() {
	if p.cursor.At >= len(p.shown) {
		return
	}
	p.touched = true
	place := p.shown[p.cursor.At]
	if at := slices.Index(p.marked, place); at >= 0 {
		p.marked = slices.Delete(p.marked, at, at+1)
		return
	}
	p.marked = append(p.marked, place)
}

// markAll marks all visible names, or unmarks them if all are marked.
func (p *Picker) markAll() {
	p.touched = true
	missing := slices.DeleteFunc(slices.Clone(p.shown), func(place int) bool { return slices.Contains(p.marked, place) })
	if len(missing) > 0 {
		p.marked = append(p.marked, missing...)
		return
	}
	p.marked = slices.DeleteFunc(p.marked, func(place int) bool { return slices.Contains(p.shown, place) })
}

// choose takes the marked names, and also the one under the cursor if the user marked none.
func (p *Picker) choose() draw.Action {
	places := p.marked
	switch here := p.cursor.At < len(p.shown); {
	case !p.offer.Several && !here:
		return nil
	case !p.offer.Several:
		places = []int{p.shown[p.cursor.At]}
	case !p.touched && here && !slices.Contains(places, p.shown[p.cursor.At]):
		places = append(slices.Clone(places), p.shown[p.cursor.At])
	}
	names := make([]string, len(places))
	for i, place := range places {
		names[i] = p.offer.Names[place]
	}
	if p.problem = p.take(names); p.problem != nil {
		return nil
	}
	return Close{}
}

// listTop is the number of lines above the list.
const listTop = 2

// Click moves the cursor to a row. If it is there already, it chooses the row, or marks it if several can be
// chosen.
func (p *Picker) Click(_, y int, _ views.State) draw.Action {
	row, ok := p.cursor.RowAt(y - listTop)
	switch {
	case !ok || row >= len(p.shown):
		return nil
	case p.offer.Several:
		p.cursor.At = row
		p.mark()
		return nil
	case p.cursor.At != row:
		p.cursor.At = row
		return nil
	}
	return p.choose()
}

// View draws the typed text, the list, and the marked names.
func (p *Picker) View(s views.State, width, height int) string {
	theme := s.Theme
	count := draw.Count(len(p.shown)) + " of " + draw.Count(len(p.offer.Names))
	const prompt = "find: "
	rest := max(1, width-len(prompt)-draw.Width(count)-1)
	lines := []string{theme.Key.Render(prompt) + p.input.View(theme, rest) + " " + theme.Faint.Render(count), ""}
	t := p.table(s)
	lines = append(lines, t.Lines(s.Look, &p.cursor, width, max(2, height-len(lines)-1), true)...)
	lines = FitLines(Shortened(theme, lines, width, max(1, height-1)), width, max(1, height-1))
	return strings.Join(append(lines, p.status(theme, width)), "\n")
}

func (p *Picker) status(theme *draw.Theme, width int) string {
	switch {
	case p.problem != nil:
		return theme.Error.Fit(p.problem.Error(), width)
	case p.offer.Several && len(p.marked) > 0:
		var names []string
		for _, place := range p.marked {
			names = append(names, draw.Safe(p.offer.Names[place]))
		}
		return theme.Changed.Fit(draw.Count(len(names))+" marked: "+strings.Join(names, ", "), width)
	case p.offer.Several:
		return theme.Faint.Fit("nothing is marked: enter chooses the row under the cursor", width)
	}
	return ""
}

// table has one row per visible name.
func (p *Picker) table(s views.State) draw.Table {
	t := draw.Table{Rows: len(p.shown), Indent: 1, Close: true, None: "no match"}
	if p.offer.Several {
		t.Columns = append(t.Columns, draw.Column{Kind: draw.Values, Size: 2})
	}
	row := p.category
	if p.offer.Of != nil {
		t.Columns = append(t.Columns, draw.Column{Head: "category", Least: 8, Most: 60},
			draw.Column{Head: "records", Kind: draw.Counts, Size: 9},
			draw.Column{Head: "share", Kind: draw.Percents, Size: 8, Rank: 1})
	} else {
		aspects := p.aspects()
		for _, a := range aspects {
			t.Columns = append(t.Columns, a.Column)
		}
		row = func(s views.State, place int) []draw.Cell { return p.variable(s, aspects, place) }
	}
	t.Row = func(i int) []draw.Cell {
		cells := row(s, p.shown[i])
		if !p.offer.Several {
			return cells
		}
		mark := ""
		if at := slices.Index(p.marked, p.shown[i]); at >= 0 {
			mark = strconv.Itoa(at + 1)
		}
		return append([]draw.Cell{{Text: mark, Style: &s.Changed}}, cells...)
	}
	return t
}

// aspect is one column of the descriptions of variables.
type aspect struct {
	draw.Column
	of func(v *Variable) string
}

// aspects returns the columns that are not empty.
func (p *Picker) aspects() []aspect {
	all := []aspect{
		{draw.Column{Head: "variable", Least: 8, Most: 40}, func(v *Variable) string { return v.Name }},
		{draw.Column{Head: "label", Least: 8, Most: 60, Rank: 1}, func(v *Variable) string { return v.Label }},
		{draw.Column{Head: "type", Size: 12, Rank: 2}, func(v *Variable) string { return v.Kind }},
		{draw.Column{Head: "missing", Kind: draw.Values, Size: 8, Rank: 3}, func(v *Variable) string { return v.Missing }},
		{draw.Column{Head: "role", Least: 4, Most: 40, Rank: 4}, func(v *Variable) string { return v.Roles }},
	}
	return slices.DeleteFunc(all, func(a aspect) bool {
		return !slices.ContainsFunc(p.listed, func(v Variable) bool { return a.of(&v) != "" })
	})
}

func (p *Picker) category(s views.State, place int) []draw.Cell {
	count := p.offer.Of.Categories().Counts()[place+1]
	return []draw.Cell{{Text: s.WithCodeLabel(p.offer.Of, p.offer.Names[place])}, {Text: draw.Count(count)},
		{Share: float64(count) / float64(s.Current.Data.Records()), Style: &s.Faint}}
}

func (p *Picker) variable(s views.State, aspects []aspect, place int) []draw.Cell {
	var cells []draw.Cell
	for _, a := range aspects {
		cells = append(cells, draw.Cell{Text: a.of(&p.listed[place]), Style: &s.Faint})
	}
	if len(cells) > 0 {
		cells[0].Style = nil
	}
	return cells
}

// listedVariable returns the description of a variable in the current data.
func listedVariable(s views.State, name string) Variable {
	column := s.Current.Column(name)
	if column == nil {
		return Variable{Name: name}
	}
	var roles []string
	for _, role := range s.Scenario.RolesOf(name) {
		roles = append(roles, string(role))
	}
	missing := wording.PercentOf(column.MissingCount(), s.Current.Data.Records())
	return Variable{Name: name, Label: s.VariableLabel(name), Kind: column.Type(), Missing: missing,
		Roles: strings.Join(roles, ", ")}
}
