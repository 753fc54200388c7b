package views

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// PRAMVariables is the pane of the variables that PRAM is for: what they are in
// the scenario, how often PRAM was applied to them and how much it changed.
type PRAMVariables struct {
	list  list
	drawn drawnShare
}

var (
	_ MousePane = (*PRAMVariables)(nil)
	_ Explained = (*PRAMVariables)(nil)
)

// ID returns "pram-variables".
func (*PRAMVariables) ID() string { return "pram-variables" }

// Title returns what stands in the frame.
func (*PRAMVariables) Title() string { return "Variables for PRAM" }

// Keys returns the keys of the pane.
func (*PRAMVariables) Keys() []key.Binding {
	return append(listKeys(), keyEnter("PRAM"))
}

// HandleKey moves the cursor, which selects the variable, and opens the dialog.
func (p *PRAMVariables) HandleKey(msg tea.KeyPressMsg, s State) Action {
	names := candidates(s)
	if len(names) == 0 {
		return nil
	}
	p.follow(s, names)
	switch {
	case p.list.move(msg, len(names)):
		return SelectVariable{names[p.list.at]}
	case key.Matches(msg, keyEnter("")):
		if names[p.list.at] != s.Selected.Variable {
			return SelectVariable{names[p.list.at]}
		}
		return OpenMethod{"pram"}
	}
	return nil
}

// Click selects the variable of a line; on the selected one it opens the dialog.
func (p *PRAMVariables) Click(_, y int, s State) Action {
	names := candidates(s)
	row := y - 1 + p.list.first
	switch {
	case y < 1 || row >= len(names):
		return nil
	case names[row] != s.Selected.Variable:
		return SelectVariable{names[row]}
	}
	return OpenMethod{"pram"}
}

// Wheel moves the selection.
func (p *PRAMVariables) Wheel(lines int, s State) Action {
	names := candidates(s)
	if len(names) == 0 {
		return nil
	}
	p.follow(s, names)
	p.list.at += lines
	p.list.clamp(len(names))
	return SelectVariable{names[p.list.at]}
}

// follow puts the cursor on the selected variable.
func (p *PRAMVariables) follow(s State, names []string) {
	for i, name := range names {
		if name == s.Selected.Variable {
			p.list.at = i
		}
	}
	p.list.clamp(len(names))
}

// View draws one line per variable.
func (p *PRAMVariables) View(s State, width, height int, focused bool) string {
	names := candidates(s)
	if len(names) == 0 {
		return sentence(s, "The file has no variable with categories.", width, height)
	}
	p.follow(s, names)
	first, last := p.list.window(len(names), height-1)
	fields := []field{
		{head: "variable", size: 8, least: 8},
		{head: "role", size: 4, least: 4, rank: 2},
		{head: "categories", right: true, size: 10, rank: 3},
		{head: "times", right: true, size: 5},
		{head: "changed", right: true, size: 8},
	}
	for _, name := range names {
		fields[0].size = max(fields[0].size, min(widest, Width(Safe(shortened(name)))))
		fields[1].size = max(fields[1].size, Width(roleText(s, name)))
	}
	arrange(fields, width-2)
	spread(fields, width-2)
	lines := []string{headings(s, fields, 1, width)}
	for i := first; i < last; i++ {
		lines = append(lines, p.row(s, names[i], fields, i == p.list.at, focused, width))
	}
	return Exactly(strings.Join(lines, "\n"), width, height)
}

// roleText names the roles of a variable that matter here.
func roleText(s State, name string) string {
	var roles []string
	for _, role := range []microdata.Role{microdata.RoleKey, microdata.RolePRAM, microdata.RoleSensitive} {
		if s.Scenario.Has(name, role) {
			roles = append(roles, string(role))
		}
	}
	return strings.Join(roles, ", ")
}

func (p *PRAMVariables) row(s State, name string, fields []field, chosen, focused bool, width int) string {
	theme := s.Theme
	a := applicationsOf(s, name)
	style, times, changed := &theme.Plain, "–", ""
	if n := len(a.reports); n > 0 {
		last := a.reports[n-1]
		style, times, changed = &theme.Changed, Count(n), Share(last.Changed, last.Records+last.Kept)
		if drawn := p.drawn.of(s, name); n > 1 && drawn.ok {
			changed = Share(drawn.changed, drawn.present)
		}
	}
	categories := ""
	if c := categoriesOf(s.Current, name); c != nil {
		categories = Count(c.Occurring())
	}
	l := newLine(width, cursor(theme, chosen && name == s.Selected.Variable, focused))
	l.mark(&theme.Strong, chosen && name == s.Selected.Variable)
	l.field(style, fields[0], name)
	l.field(&theme.Faint, fields[1], roleText(s, name))
	l.field(&theme.Plain, fields[2], categories)
	l.field(style, fields[3], times)
	l.field(style, fields[4], changed)
	return l.String()
}

// Figures explains how much changed in the selected variable.
func (p *PRAMVariables) Figures(s State) []Figure {
	a := applicationsOf(s, s.Selected.Variable)
	name := Safe(shortened(s.Selected.Variable))
	if len(a.reports) == 0 {
		return nil
	}
	var values []string
	for i, report := range a.reports {
		values = append(values, "step "+Count(a.steps[i])+": "+Count(report.Changed)+" of "+Count(report.Records+report.Kept)+" values changed")
	}
	last := a.reports[len(a.reports)-1]
	share := Share(last.Changed, last.Records+last.Kept) + " in the last application"
	if drawn := p.drawn.of(s, s.Selected.Variable); drawn.ok {
		values = append(values, "now "+Count(drawn.changed)+" of "+Count(drawn.present)+" values are other than in the source")
		share += ", " + Share(drawn.changed, drawn.present) + " now"
	}
	return []Figure{{Name: "Values of " + name + " that PRAM changed", Value: share,
		Definition: "Records whose value after the application differs from the one before it, among those that have a value. " +
			"PRAM can be applied several times: the matrices are multiplied, and the pane says how many values differ from the source.",
		Formula: "changed / records with a value",
		Values:  values,
		Source:  sourcePRAM}}
}
