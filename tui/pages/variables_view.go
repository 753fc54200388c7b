package pages

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// table has one row per variable; on a narrow screen the role is most important. Next to the page of a variable,
// which has its values, examples are dropped first.
func (p *Variables) table(s views.State, accompanied bool) draw.Table {
	names := p.nameWidth()
	examples := draw.Column{Head: "examples", Most: 38, Least: 8, Rank: 1}
	if accompanied {
		examples.Rank, examples.Least = 5, 12
	}
	columns := []draw.Column{
		{Head: "variable" + p.mark(byName), Least: names, Most: max(names, 24)},
		{Head: "type" + p.mark(byKind), Size: 12, Rank: 3},
		{Head: "distinct" + p.mark(byDistinct), Kind: draw.Values, Size: 10},
		{Head: "missing" + p.mark(byMissing), Kind: draw.Percents, Size: 8, Rank: 2},
		{Head: fmt.Sprintf("rare <%d", rareBelow) + p.mark(byRare), Kind: draw.Values, Size: 7, Rank: 4},
		examples,
		{Head: "role" + p.mark(byRole), Most: 120, Least: 11},
	}
	if p.labelled && !s.Bare {
		columns = slices.Insert(columns, 1, draw.Column{Head: "label", Least: 10, Most: 48, Rank: 1})
	}
	return draw.Table{
		Columns: columns, Rows: len(p.order), Indent: 3, Close: true,
		Row: func(row int) []draw.Cell {
			cells := p.row(s, row)
			if p.labelled && !s.Bare {
				cells = slices.Insert(cells, 1, draw.Cell{Text: s.VariableLabel(p.data.Columns()[p.order[row]].Name()), Style: &s.Faint})
			}
			return cells
		},
	}
}

// nameWidth returns the width that the names of variables need, so that other columns give way first: at most 32 cells.
func (p *Variables) nameWidth() int {
	const least, most = 8, 32
	width := least
	columns := p.data.Columns()
	for _, column := range columns[:min(len(columns), views.MostExamined)] {
		width = max(width, min(most, draw.Width(draw.Label(column.Name()))))
	}
	return width
}

// mark returns the arrow of the column that the list is sorted by.
func (p *Variables) mark(column variableOrder) string {
	if p.sorted == column {
		return "↓"
	}
	return ""
}

// sideWidth is the width from which the page of a variable is next to the list.
const sideWidth = 120

// View draws the variables, one line each, in exactly height lines.
func (p *Variables) View(s views.State, width, height int) string {
	s = p.state(s)
	switch {
	case p.facts.open:
		return p.facts.view(s, width, height)
	case p.inspecting && len(p.order) > 0:
		return p.inspected(s, width, height)
	case width >= sideWidth && height >= 18 && len(p.order) > 0:
		head, list := p.head(s, width, height), width*11/20
		below := height - len(head)
		pair := draw.SideBySide(p.list(s, nil, list, below, true), list, p.inspected(s, width-list, below))
		return strings.Join(append(head, pair), "\n")
	}
	return p.list(s, p.head(s, width, height), width, height, false)
}

// head returns the lines above the list: the title, and the first useful fact.
func (p *Variables) head(s views.State, width, height int) []string {
	if height <= 3 { // a row of the list is more important than the title
		return nil
	}
	first := dialogs.Shortened(s.Theme, p.first(s.Theme, width), width, max(0, (height-4)/2))
	return append([]string{s.Title.Fit(p.title(s.File, width), width)}, first...)
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
	return draw.Box(s.Theme, 0, p.inspector.TitleFor(s), content, width, height, p.inspecting)
}

// list draws the variables below a head, in exactly height lines.
func (p *Variables) list(s views.State, head []string, width, height int, accompanied bool) string {
	theme, lines := s.Theme, head
	status := dialogs.Shortened(theme, p.status(theme, width), width, max(1, height/4))
	legend := p.legend(theme, width)
	if height < 18 {
		legend = nil
	}
	t, room := p.table(s, accompanied), height-len(legend)-len(status)
	lines = append(lines, t.Lines(s.Look, &p.cursor, width, max(2, room-len(lines)), true)...)
	lines = append(append(dialogs.FitLines(lines, width, max(1, room)), legend...), status...)
	return strings.Join(dialogs.FitLines(lines, width, height), "\n")
}

// title describes the file and the scenario, or only the scenario if there is no room for both.
func (p *Variables) title(file string, width int) string {
	head := []string{"Variables", draw.Safe(file), wording.Counted(p.data.Records(), "record")}
	all := append(head, wording.Counted(len(p.data.Columns()), "variable"))
	title := strings.Join(all, " · ") + "     scenario: " + strings.Join(p.summary(), " · ")
	return draw.Fitting(width, title, draw.Joined(width, " · ", append(head, p.summary()...)...))
}

func (p *Variables) row(s views.State, row int) []draw.Cell {
	theme := s.Theme
	column := p.data.Columns()[p.order[row]]
	distinct, missing, rare, examples := "…", draw.Cell{Text: "…"}, "…", ""
	if summary := p.summaries[p.order[row]]; summary != nil {
		distinct, examples = draw.Count(summary.Distinct),
			strings.Join(s.WithCodes(column.Name(), summary.Examples), ", ")
		rare = draw.Count(summary.Rare)
		missing = draw.Cell{Share: float64(summary.Missing) / float64(p.data.Records())}
	}
	name := column.Name()
	if p.marked[name] {
		name = "● " + name
	}
	role, style := p.roleText(theme, column.Name())
	short := "" // the reason is below, for the variable under the cursor
	if suggested, _, ok := strings.Cut(role, "? "); ok && style == &theme.Faint {
		short = suggested + "?"
	}
	return []draw.Cell{{Text: name, Short: p.short(name)}, {Text: column.Type()}, {Text: distinct}, missing,
		{Text: rare, Style: &theme.Faint},
		{Text: examples, Style: &theme.Faint}, {Text: role, Short: short, Style: style}}
}

// short returns a name for a narrow column. If another name has the same beginning, the end is kept to distinguish
// them; "": the beginning is enough.
func (p *Variables) short(name string) string {
	const begin, end = 3, 4
	runes := []rune(name)
	if len(runes) <= begin+1+end {
		return ""
	}
	alike := 0
	for _, column := range p.data.Columns() {
		if strings.HasPrefix(column.Name(), string(runes[:begin+end])) {
			alike++
		}
	}
	if alike < 2 {
		return ""
	}
	return string(runes[:begin]) + "…" + string(runes[len(runes)-end:])
}

// first returns the first useful fact as long as no variable has a role: the risk of the file with the suggested
// roles.
func (p *Variables) first(theme *draw.Theme, width int) []string {
	if p.scenario.HasRoles() {
		return nil
	}
	return theme.Warning.Wrapped(draw.Safe(p.facts.sentence()), width)
}

// legend lists all keys of the page, in as many lines as necessary.
func (p *Variables) legend(theme *draw.Theme, width int) []string {
	lines, line, used := []string(nil), "", 0
	for _, binding := range p.Keys() {
		help := binding.Help()
		size := draw.Width(help.Key) + draw.Width(help.Desc) + 5
		if used+size > width {
			lines, line, used = append(lines, line), "", 0
		}
		line += " " + theme.Key.Render("["+help.Key+"]") + " " + theme.KeyText.Render(help.Desc) + " "
		used += size
	}
	return append(lines, line)
}

// status returns why the last key was refused, or what is being done, in as many of the last lines as necessary.
func (p *Variables) status(theme *draw.Theme, width int) []string {
	text, style := "", &theme.Faint
	switch {
	case p.problem != "":
		text, style = p.problem, &theme.Error
	case p.linking != "":
		text, style = "choose the key variable whose suppressions "+p.linking+" follows, and press enter", &theme.Warning
	case p.difference() != "":
		text, style = p.difference(), &theme.Warning
	case p.reason() != "":
		text = p.reason()
	case p.sorted == byRare:
		text = fmt.Sprintf("rare: records with a value that fewer than %d records have", rareBelow)
	case len(p.scenario.Keys) == 0:
		text = "mark what an intruder may know: k key variables, n numeric ones; enter continues"
	}
	const most = 6 // more than any sentence needs at 80 columns
	lines := draw.Wrapped(draw.Style{}.Render, draw.Safe(text), max(1, width))
	if len(lines) > most {
		lines[most-1] = draw.Fit(strings.TrimRight(lines[most-1], " ")+" …", width)
		lines = lines[:most]
	}
	for i, line := range lines {
		lines[i] = style.Fit(strings.TrimRight(line, " "), width)
	}
	if len(lines) == 0 {
		lines = []string{strings.Repeat(" ", width)}
	}
	return lines
}

// reason returns why a role is suggested for the variable under the cursor.
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

// comparisonKey identifies a comparison within households.
type comparisonKey struct {
	data      *microdata.Dataset
	household string
	same      string // the variables that must be the same for all members
}

// comparing returns the comparison for the current scenario.
func (p *Variables) comparing() comparisonKey {
	return comparisonKey{p.data, p.scenario.Household, strings.Join(p.scenario.SameForHousehold, "\n")}
}

// compare finds in the background where members of households differ in variables that must be the same, or
// returns nil if that is known. Errors of the scenario are reported elsewhere.
func (p *Variables) compare() views.Piece {
	of, scenario := p.comparing(), p.scenario.Clone()
	return p.differences.Seek(of, func(context.Context) ([]suppress.Difference, error) {
		found, _ := suppress.Differing(of.data, &scenario)
		return found, nil
	})
}

// difference reports that members of some households differ in the variable under the cursor, which must be the
// same for them; "" if none do.
func (p *Variables) difference() string {
	differences := p.differences.Found(p.comparing())
	if len(p.order) == 0 || differences == nil {
		return ""
	}
	at := slices.IndexFunc(*differences, func(d suppress.Difference) bool { return d.Variable == p.name() })
	if at < 0 {
		return ""
	}
	d := (*differences)[at]
	var parts []string
	if d.Differing > 0 {
		parts = append(parts, "in "+wording.Counted(d.Differing, "household")+" the members differ")
	}
	switch {
	case d.PartlyMissing > 0 && d.Differing > 0: // short, because it has one line
		parts = append(parts, "in "+wording.Number(d.PartlyMissing)+" only some have a value")
	case d.PartlyMissing > 0:
		parts = append(parts, "in "+wording.Counted(d.PartlyMissing, "household")+" only some have a value")
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("%s is declared a household-level variable, but %s", p.name(), strings.Join(parts, ", and "))
}
