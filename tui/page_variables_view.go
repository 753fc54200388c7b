package tui

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/views"
)

// variableColumns are the widths of the table of variables.
type variableColumns struct{ name, kind, distinct, missing, examples, role int }

func (p *variablesPage) columns(width int) variableColumns {
	c := variableColumns{name: 8, kind: 12, distinct: 10, missing: 8}
	for _, column := range p.data.Columns() {
		c.name = max(c.name, min(24, views.Width(views.Safe(column.Name()))))
	}
	rest := width - 2 - c.name - c.kind - c.distinct - c.missing - 5
	if rest < 24 { // a narrow screen: the role matters most
		c.kind, c.missing = 0, 0
		rest = width - 2 - c.name - c.distinct - 4
	}
	c.role = max(10, rest/2)
	c.examples = max(0, rest-c.role-1)
	return c
}

// View draws the variables, one line each, in exactly height lines.
func (p *variablesPage) View(s views.State, width, height int) string {
	theme := s.Theme
	lines := []string{theme.Title.Render(views.Fit(p.title(s.File), width))}
	c := p.columns(width)
	head := "  " + views.Fit("variable", c.name) + " " + cell("type", c.kind, views.Fit) +
		cell("distinct", c.distinct, views.FitRight) + cell("missing", c.missing, views.FitRight) + " " +
		cell("examples", c.examples, views.Fit) + "role"
	lines = append(lines, theme.Heading.Render(views.Fit(head, width)))
	legend := p.legend(theme, width)
	if height < 18 {
		legend = nil
	}
	rows := max(1, height-len(lines)-1-len(legend))
	first := window(p.at, len(p.order), rows)
	for i := first; i < min(len(p.order), first+rows); i++ {
		lines = append(lines, p.row(theme, i, c))
	}
	lines = append(fitLines(lines, width, max(1, height-1-len(legend))), legend...)
	return strings.Join(append(lines, p.status(theme, width)), "\n")
}

func (p *variablesPage) title(file string) string {
	return "Variables · " + views.Safe(file) + " · " + views.Count(p.data.Records()) + " records · " +
		views.Count(len(p.data.Columns())) + " variables     scenario: " + p.summary()
}

// cell is a column of the table with a blank behind it; nothing where the
// column is left out.
func cell(text string, width int, fit func(string, int) string) string {
	if width <= 0 {
		return ""
	}
	return fit(text, width) + " "
}

func (p *variablesPage) row(theme *views.Theme, i int, c variableColumns) string {
	column := p.data.Columns()[p.order[i]]
	distinct, missing, examples := "…", "…", ""
	if profile := p.profiles[p.order[i]]; profile != nil {
		distinct = views.Count(profile.distinct)
		missing = "0 %"
		if profile.missing > 0 {
			missing = views.Share(profile.missing, p.data.Records())
		}
		examples = profile.exampleText(max(0, c.examples))
	}
	mark, style := "  ", theme.Plain
	if i == p.at {
		mark, style = "▸ ", theme.Selected
	}
	return mark + style.Render(views.Fit(column.Name(), c.name)) + " " + cell(column.Kind().String(), c.kind, views.Fit) +
		cell(distinct, c.distinct, views.FitRight) + cell(missing, c.missing, views.FitRight) + " " +
		theme.Faint.Render(cell(examples, c.examples, views.Fit)) + p.roleText(theme, column.Name(), c.role)
}

// legend shows all keys of the page, in as many lines as they take.
func (p *variablesPage) legend(theme *views.Theme, width int) []string {
	lines, line, used := []string(nil), "", 0
	for _, binding := range p.Keys() {
		help := binding.Help()
		size := views.Width(help.Key) + views.Width(help.Desc) + 5
		if used+size > width {
			lines, line, used = append(lines, line), "", 0
		}
		line += " " + theme.Key.Render("["+help.Key+"]") + " " + theme.KeyText.Render(help.Desc) + " "
		used += size
	}
	return append(lines, line)
}

// status is the last line: what was refused and why, or what is being done.
func (p *variablesPage) status(theme *views.Theme, width int) string {
	switch {
	case p.problem != "":
		return theme.Error.Render(views.Fit(p.problem, width))
	case p.linking != "":
		return theme.Warning.Render(views.Fit(p.linking+" follows the suppressions of: choose a key variable, enter links", width))
	case p.difference() != "":
		return theme.Warning.Render(views.Fit(p.difference(), width))
	case p.reason() != "":
		return theme.Faint.Render(views.Fit(p.reason(), width))
	case len(p.scenario.Keys) == 0:
		return theme.Faint.Render(views.Fit("key variables are those an intruder may know of a person: mark them with k", width))
	default:
		return strings.Repeat(" ", width)
	}
}

// reason says why a role is suggested for the variable under the cursor.
func (p *variablesPage) reason() string {
	if len(p.order) == 0 || len(p.scenario.RolesOf(p.name())) > 0 {
		return ""
	}
	suggestion, ok := p.suggestions[p.name()]
	if !ok {
		return ""
	}
	return p.name() + ": " + string(suggestion.Role) + " suggested, " + suggestion.Reason
}
