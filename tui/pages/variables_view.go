package pages

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/sdcdesk/sdcdesk/engine/suppress"
	"github.com/sdcdesk/sdcdesk/engine/wording"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// table has one row per variable; the role matters most where it is narrow.
func (p *Variables) table(theme *views.Theme) views.Table {
	return views.Table{
		Columns: []views.Column{
			{Head: "variable" + p.mark(byName), Least: 8},
			{Head: "type" + p.mark(byKind), Size: 12, Rank: 3},
			{Head: "distinct" + p.mark(byDistinct), Kind: views.Values, Size: 10},
			{Head: "missing" + p.mark(byMissing), Kind: views.Values, Size: 8, Rank: 2},
			{Head: "alone" + p.mark(byRare), Kind: views.Values, Size: 7, Rank: 4},
			{Head: "examples", Most: 38, Least: 8, Rank: 1},
			{Head: "role" + p.mark(byRole), Most: 120, Least: 10},
		},
		Rows: len(p.order), Indent: 3, Close: true,
		Row: func(row int) []views.Cell { return p.row(theme, row) },
	}
}

// mark stands behind the name of the column that the list is sorted by.
func (p *Variables) mark(column variableOrder) string {
	if p.sorted == column {
		return "↓"
	}
	return ""
}

// beside is the width from which the page of a variable stands beside the list.
const beside = 160

// View draws the variables, one line each, in exactly height lines.
func (p *Variables) View(s views.State, width, height int) string {
	s = p.state(s)
	switch {
	case p.inspecting && len(p.order) > 0:
		return p.inspected(s, width, height)
	case width >= beside && height >= 18 && len(p.order) > 0:
		list := width * 11 / 20
		return lipgloss.JoinHorizontal(lipgloss.Top, p.list(s, list, height), p.inspected(s, width-list, height))
	}
	return p.list(s, width, height)
}

// state is what the page of the variable under the cursor draws from.
func (p *Variables) state(s views.State) views.State {
	s.Scenario, s.Current.Data = &p.scenario, p.data
	if s.Selected.Variable = ""; len(p.order) > 0 {
		s.Selected.Variable = p.name()
	}
	return s
}

// inspected draws the page of the variable under the cursor in its frame.
func (p *Variables) inspected(s views.State, width, height int) string {
	content := p.inspector.View(s, max(0, width-2), max(0, height-2), true)
	return views.Box(s.Theme, 0, p.inspector.TitleFor(s), content, width, height, p.inspecting)
}

// list draws the variables in exactly height lines.
func (p *Variables) list(s views.State, width, height int) string {
	theme := s.Theme
	lines := []string{theme.Title.Render(views.Fit(p.title(s.File), width))}
	legend := p.legend(theme, width)
	if height < 18 {
		legend = nil
	}
	status := p.status(theme, width)
	t, room := p.table(theme), height-len(legend)-len(status)
	lines = append(lines, t.Lines(s, &p.cursor, width, max(2, room-len(lines)), true)...)
	lines = append(append(dialogs.FitLines(lines, width, max(1, room)), legend...), status...)
	return strings.Join(dialogs.FitLines(lines, width, height), "\n")
}

func (p *Variables) title(file string) string {
	return "Variables · " + views.Safe(file) + " · " + views.Count(p.data.Records()) + " records · " +
		views.Count(len(p.data.Columns())) + " variables     scenario: " + p.summary()
}

func (p *Variables) row(theme *views.Theme, row int) []views.Cell {
	column := p.data.Columns()[p.order[row]]
	distinct, missing, alone, examples := "…", "…", "…", ""
	if summary := p.summaries[p.order[row]]; summary != nil {
		distinct, missing, examples = views.Count(summary.Distinct), "0 %", strings.Join(summary.Examples, ", ")
		if alone = views.Count(summary.Rare); summary.Missing > 0 {
			missing = views.Share(summary.Missing, p.data.Records())
		}
	}
	name := column.Name()
	if p.marked[name] {
		name = "● " + name
	}
	role, style := p.roleText(theme, column.Name())
	return []views.Cell{{Text: name}, {Text: column.Kind().String()}, {Text: distinct}, {Text: missing}, {Text: alone, Style: &theme.Faint},
		{Text: examples, Style: &theme.Faint}, {Text: role, Style: style}}
}

// legend shows all keys of the page, in as many lines as they take.
func (p *Variables) legend(theme *views.Theme, width int) []string {
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

// status is what was refused and why, or what is being done, in as many of the last
// lines as it takes to read it, at most four.
func (p *Variables) status(theme *views.Theme, width int) []string {
	text, style := "", &theme.Faint
	switch {
	case p.problem != "":
		text, style = p.problem, &theme.Error
	case p.linking != "":
		text, style = p.linking+" follows the suppressions of: choose a key variable, enter links", &theme.Warning
	case p.difference() != "":
		text, style = p.difference(), &theme.Warning
	case p.reason() != "":
		text = p.reason()
	case p.sorted == byRare:
		text = fmt.Sprintf("alone: records whose value fewer than %d records have", rareBelow)
	case len(p.scenario.Keys) == 0:
		text = "key variables are those an intruder may know of a person: mark them with k"
	}
	asIs := func(parts ...string) string { return strings.Join(parts, " ") }
	var lines []string
	for _, line := range views.Wrapped(asIs, views.Safe(text), max(1, width)) {
		if line = views.Fit(strings.TrimRight(line, " "), width); len(lines) < 4 {
			lines = append(lines, style.Render(line))
		}
	}
	if len(lines) == 0 {
		lines = []string{strings.Repeat(" ", width)}
	}
	return lines
}

// reason says why a role is suggested for the variable under the cursor.
func (p *Variables) reason() string {
	if len(p.order) == 0 || len(p.scenario.RolesOf(p.name())) > 0 {
		return ""
	}
	suggestion, ok := p.suggestions[p.name()]
	if !ok {
		return ""
	}
	return p.name() + ": " + string(suggestion.Role) + " suggested, " + suggestion.Reason
}

// compare looks at how far the variables that are to be the same for households
// are so in the data. What a scenario says wrong is told elsewhere.
func (p *Variables) compare() {
	p.differences, _ = suppress.Differing(p.data, &p.scenario)
}

// difference says that the members of some households differ in the variable
// under the cursor, which is to be the same for them; "" where none do.
func (p *Variables) difference() string {
	if len(p.order) == 0 {
		return ""
	}
	at := slices.IndexFunc(p.differences, func(d suppress.Difference) bool { return d.Variable == p.name() })
	if at < 0 {
		return ""
	}
	d := p.differences[at]
	var parts []string
	if d.Differing > 0 {
		parts = append(parts, "in "+wording.Counted(d.Differing, "household")+" the members differ")
	}
	switch {
	case d.PartlyMissing > 0 && d.Differing > 0: // short: it has one line
		parts = append(parts, "in "+wording.Number(d.PartlyMissing)+" only some have a value")
	case d.PartlyMissing > 0:
		parts = append(parts, "in "+wording.Counted(d.PartlyMissing, "household")+" only some have a value")
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("%s is to be the same for households, but %s", p.name(), strings.Join(parts, ", and "))
}
