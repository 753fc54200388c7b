package pages

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/suppress"
	"github.com/sdcdesk/sdcdesk/engine/wording"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// table has one row per variable; the role matters most where it is narrow.
func (p *Variables) table(theme *views.Theme) views.Table {
	return views.Table{
		Columns: []views.Column{
			{Head: "variable", Least: 8},
			{Head: "type", Size: 12, Rank: 3},
			{Head: "distinct", Kind: views.Values, Size: 10},
			{Head: "missing", Kind: views.Values, Size: 8, Rank: 2},
			{Head: "examples", Most: 38, Least: 8, Rank: 1},
			{Head: "role", Most: 120, Least: 10},
		},
		Rows: len(p.order), Indent: 2, Close: true,
		Row: func(row int) []views.Cell { return p.row(theme, row) },
	}
}

// View draws the variables, one line each, in exactly height lines.
func (p *Variables) View(s views.State, width, height int) string {
	theme := s.Theme
	lines := []string{theme.Title.Render(views.Fit(p.title(s.File), width))}
	legend := p.legend(theme, width)
	if height < 18 {
		legend = nil
	}
	t := p.table(theme)
	lines = append(lines, t.Lines(s, &p.cursor, width, max(2, height-len(lines)-1-len(legend)), true)...)
	lines = append(dialogs.FitLines(lines, width, max(1, height-1-len(legend))), legend...)
	return strings.Join(append(lines, p.status(theme, width)), "\n")
}

func (p *Variables) title(file string) string {
	return "Variables · " + views.Safe(file) + " · " + views.Count(p.data.Records()) + " records · " +
		views.Count(len(p.data.Columns())) + " variables     scenario: " + p.summary()
}

func (p *Variables) row(theme *views.Theme, row int) []views.Cell {
	column := p.data.Columns()[p.order[row]]
	distinct, missing, examples := "…", "…", ""
	if profile := p.profiles[p.order[row]]; profile != nil {
		distinct, missing, examples = views.Count(profile.distinct), "0 %", strings.Join(profile.examples, ", ")
		if profile.missing > 0 {
			missing = views.Share(profile.missing, p.data.Records())
		}
	}
	role, style := p.roleText(theme, column.Name())
	return []views.Cell{{Text: column.Name()}, {Text: column.Kind().String()}, {Text: distinct}, {Text: missing},
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

// status is the last line: what was refused and why, or what is being done.
func (p *Variables) status(theme *views.Theme, width int) string {
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

// variableProfile is what the Variables page tells of a variable beside its
// name and role.
type variableProfile struct {
	distinct int
	missing  int
	examples []string
}

// distinctValues returns the number of distinct values that are not missing.
func distinctValues(column *microdata.Column) int {
	numbers := column.StoredAsNumbers()
	if numbers == nil {
		return column.Categories().Occurring()
	}
	values := slices.DeleteFunc(slices.Clone(numbers.Values), func(x float64) bool { return x != x })
	slices.Sort(values)
	return len(slices.Compact(values))
}

// exampleValues returns the first three distinct values of the first records.
func exampleValues(column *microdata.Column) []string {
	const look, want = 2000, 3
	var examples []string
	for record := range min(look, column.Len()) {
		if text := column.Text(record); text != "" && !slices.Contains(examples, text) {
			if examples = append(examples, text); len(examples) == want {
				break
			}
		}
	}
	return examples
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
