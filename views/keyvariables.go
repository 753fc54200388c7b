package views

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// KeyVariables is the pane of key variables: categories, the rarest category
// and suppressed cells of each, as they are and as they were.
type KeyVariables struct{ list list }

var (
	_ MousePane = (*KeyVariables)(nil)
	_ Explained = (*KeyVariables)(nil)
)

// ID returns "key-variables".
func (*KeyVariables) ID() string { return "key-variables" }

// Title returns what stands in the frame.
func (*KeyVariables) Title() string { return "Key variables" }

// Keys returns the keys of the pane.
func (*KeyVariables) Keys() []key.Binding {
	return append(listKeys(), bind("enter", "recode", "enter"))
}

// HandleKey moves the cursor, which selects the variable, and opens the recode
// dialog.
func (p *KeyVariables) HandleKey(msg tea.KeyPressMsg, s State) Action {
	names := s.Scenario.Keys
	if len(names) == 0 {
		return nil
	}
	p.follow(s)
	if p.list.move(msg.String(), len(names)) {
		return SelectVariable{names[p.list.at]}
	}
	if msg.String() == "enter" {
		return OpenRecode{names[p.list.at]}
	}
	return nil
}

// Click selects the variable of a line.
func (p *KeyVariables) Click(_, y int, s State) Action {
	row := y - 1 + p.list.first
	if y < 1 || row >= len(s.Scenario.Keys) {
		return nil
	}
	return SelectVariable{s.Scenario.Keys[row]}
}

// Wheel moves the selection.
func (p *KeyVariables) Wheel(lines int, s State) Action {
	if len(s.Scenario.Keys) == 0 {
		return nil
	}
	p.follow(s)
	p.list.at += lines
	p.list.clamp(len(s.Scenario.Keys))
	return SelectVariable{s.Scenario.Keys[p.list.at]}
}

// follow puts the cursor on the selected variable.
func (p *KeyVariables) follow(s State) {
	for i, name := range s.Scenario.Keys {
		if name == s.Selected.Variable {
			p.list.at = i
		}
	}
}

// View draws one line per key variable.
func (p *KeyVariables) View(s State, width, height int, focused bool) string {
	names := s.Scenario.Keys
	if len(names) == 0 {
		return sentence(s, "No key variable is chosen. Press v and mark the variables an intruder may know with k.", width, height)
	}
	p.follow(s)
	c := p.columns(s, width)
	lines := []string{s.Theme.Heading.Render(Fit(" "+Fit("variable", c.name)+FitRight("categories", c.categories)+
		FitRight("smallest", c.smallest)+FitRight("suppr.", c.suppressed), width))}
	first, last := p.list.window(len(names), height-1)
	for i := first; i < last; i++ {
		lines = append(lines, p.row(s, names[i], c, i == p.list.at, focused, width))
	}
	return Exactly(strings.Join(lines, "\n"), width, height)
}

type keyVariableColumns struct{ name, categories, smallest, suppressed int }

func (p *KeyVariables) columns(s State, width int) keyVariableColumns {
	c := keyVariableColumns{name: 8, categories: 12, smallest: 16, suppressed: 8}
	for _, name := range s.Scenario.Keys {
		c.name = max(c.name, min(20, Width(Safe(shortened(name)))+2))
	}
	if 1+c.name+c.categories+c.smallest+c.suppressed > width {
		c.smallest = 0
	}
	c.name = max(4, min(c.name, width-1-c.categories-c.smallest-c.suppressed))
	return c
}

func (p *KeyVariables) row(s State, name string, c keyVariableColumns, chosen, focused bool, width int) string {
	now, before := categoriesOf(s.Current, name), categoriesOf(s.Original, name)
	if now == nil || before == nil {
		return s.Theme.Faint.Render(Fit(" "+name+" is not in the file", width))
	}
	column, _ := s.Current.Data.Column(name)
	label := Fit(name, c.name)
	if column.Recoded() {
		label = Fit(name+" *", c.name)
	}
	style := rowStyle(s.Theme, chosen, focused)
	text := " " + label + FitRight(both(now.Occurring(), before.Occurring()), c.categories)
	if c.smallest > 0 {
		text += FitRight(both(now.Smallest(), before.Smallest()), c.smallest)
	}
	suppressed := newMissing(now, before)
	cell := FitRight(Count(suppressed), c.suppressed)
	if suppressed > 0 && !chosen {
		cell = s.Theme.Suppressed.Render(cell)
	} else {
		cell = style(cell)
	}
	if column.Recoded() && !chosen {
		style = s.Theme.Changed.Render
	}
	rest := width - Width(text) - c.suppressed
	return style(text) + cell + style(strings.Repeat(" ", max(0, rest)))
}

// both spells a figure with that of the original behind it: "8 (98)".
func both(now, before int) string { return Count(now) + " (" + Count(before) + ")" }

// categoriesOf returns the categories of a variable; nil where it is not there.
func categoriesOf(v Version, name string) *microdata.Categories {
	if v.Data == nil {
		return nil
	}
	column, ok := v.Data.Column(name)
	if !ok {
		return nil
	}
	return column.Categories()
}

// newMissing returns the number of cells that steps made missing.
func newMissing(now, before *microdata.Categories) int {
	return max(0, now.Counts()[0]-before.Counts()[0])
}

// Figures explains the columns.
func (p *KeyVariables) Figures(s State) []Figure {
	now, before := categoriesOf(s.Current, s.Selected.Variable), categoriesOf(s.Original, s.Selected.Variable)
	if now == nil || before == nil {
		return nil
	}
	source := "Templ (2017), Statistical Disclosure Control for Microdata, chapter 3"
	return []Figure{
		{Name: "Categories of " + s.Selected.Variable, Value: both(now.Occurring(), before.Occurring()),
			Definition: "How many categories occur, missing values not counted; in brackets in the original data. Fewer categories make combinations less rare.",
			Source:     source},
		{Name: "Smallest category of " + s.Selected.Variable, Value: both(now.Smallest(), before.Smallest()),
			Definition: "The number of records of the rarest category. A category of few records makes those who have it easy to single out.",
			Source:     source},
		{Name: "Suppressed cells of " + s.Selected.Variable, Value: Count(newMissing(now, before)),
			Definition: "Cells that have a value in the original data and are missing now.",
			Formula:    "missing now - missing in the original",
			Values:     []string{"missing now " + Count(now.Counts()[0]), "missing in the original " + Count(before.Counts()[0])},
			Source:     source},
	}
}
