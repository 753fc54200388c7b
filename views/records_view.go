package views

import (
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// View draws the names of the columns, the records in sight, and a line about
// the cell under the cursor.
func (p *Records) View(s State, width, height int, focused bool) string {
	if s.Current.Data == nil || len(s.Current.Data.Columns()) == 0 {
		return sentence(s, "The file has no variables.", width, height)
	}
	p.follow(s)
	body := max(1, height-2)
	rows := p.rows(s)
	first, last := p.list.window(rows, body)
	columns, fields := p.columnsInSight(s, width-2)
	p.fields = fields
	lines := []string{p.head(s, fields, width)}
	for place := first; place < last; place++ {
		lines = append(lines, p.row(s, p.record(place), columns, fields, place == p.list.at, focused, width))
	}
	if rows == 0 {
		lines = append(lines, s.Theme.Faint.Render(Fit(" "+p.empty(s), width)))
	}
	text := Exactly(strings.Join(lines, "\n"), width, max(1, height-1))
	if height < 2 {
		return text
	}
	return text + "\n" + p.status(s, rows, width)
}

// empty says why there is no record to show.
func (p *Records) empty(s State) string {
	switch {
	case s.records() == 0:
		return "the file has no records"
	case p.found.looked < s.records():
		return "looked at " + Count(p.found.looked) + " of " + Count(s.records()) + " records …"
	default:
		return "no record meets this"
	}
}

// columnsInSight returns the columns to draw, that under the cursor among
// them, and the fields of the table: the record number before them.
func (p *Records) columnsInSight(s State, width int) (columns []*microdata.Column, fields []field) {
	all := s.Current.Data.Columns()
	p.column = max(0, min(p.column, len(all)-1))
	p.left = max(0, min(p.left, p.column))
	number := field{head: "record", right: true, size: max(6, Width(Count(s.records())))}
	space := width - number.size
	// What the columns up to that under the cursor need decides how far the
	// table has to be shifted.
	need := 0
	for i := p.column; i >= p.left; i-- {
		need += p.size(s, all[i]) + 1
		if need > space {
			p.left = min(i+1, p.column)
			break
		}
	}
	fields = append(fields, number)
	for _, column := range all[p.left:] {
		size := min(p.size(s, column), space-1)
		if size < 1 || size < 3 && len(columns) > 0 {
			break
		}
		columns = append(columns, column)
		fields = append(fields, field{head: headOf(s, column.Name()), right: column.Numeric(), size: size})
		space -= size + 1
	}
	return columns, fields
}

func (p *Records) size(s State, column *microdata.Column) int {
	return max(p.widths.of(column), min(widest, Width(Safe(shortened(headOf(s, column.Name()))))))
}

// headOf returns the name of a variable with the sign of its role.
func headOf(s State, variable string) string {
	if s.Scenario == nil {
		return variable
	}
	for _, sign := range [...]struct {
		role microdata.Role
		mark string
	}{
		{microdata.RoleKey, "◆"}, {microdata.RoleNumericKey, "◇"}, {microdata.RoleWeight, "w:"},
		{microdata.RoleHousehold, "h:"}, {microdata.RoleSensitive, "s:"}, {microdata.RoleRemoved, "×"},
	} {
		if s.Scenario.Has(variable, sign.role) {
			return sign.mark + variable
		}
	}
	return variable
}

// head draws the names of the columns, or why a filter makes no sense.
func (p *Records) head(s State, fields []field, width int) string {
	if p.err != nil {
		return s.Theme.Error.Render(Fit(" "+p.err.Error(), width))
	}
	l := newLine(width, nil)
	l.gap(1)
	for i, f := range fields {
		style := &s.Theme.Heading
		switch {
		case i > 0 && p.left+i-1 == p.column:
			style = &s.Theme.Title
		case strings.HasPrefix(f.head, "◆"):
			style = &s.Theme.Strong
		}
		if i > 0 {
			l.gap(1)
		}
		if f.right {
			l.right(style, f.head, f.size)
		} else {
			l.left(style, f.head, f.size)
		}
	}
	return l.String()
}

// row draws one record. In the cursor's row the cell of the cursor's column
// stands out.
func (p *Records) row(s State, record int, columns []*microdata.Column, fields []field, chosen, focused bool, width int) string {
	theme := s.Theme
	var over *lipgloss.Style
	if chosen && focused {
		over = &theme.SelectedIdle
	}
	l := newLine(width, over)
	l.mark(&theme.Key, chosen)
	l.number(&theme.Faint, Count(record+1), fields[0].size)
	for i, column := range columns {
		f := fields[i+1]
		text, style := cellText(theme, column, record)
		l.gap(1)
		if over != nil && p.left+i == p.column {
			l.over = &theme.Selected
		}
		if f.right {
			l.right(style, text, f.size)
		} else {
			l.left(style, text, f.size)
		}
		l.over = over
	}
	return l.String()
}

// status shows what is typed, or tells about the cell under the cursor and its
// record.
func (p *Records) status(s State, rows, width int) string {
	theme := s.Theme
	switch {
	case p.typed.active && p.jumping:
		return p.typed.draw(theme, "record number: ", width)
	case p.typed.active && p.typed.text == "":
		text := p.typed.draw(theme, "filter: ", min(width, 11))
		return text + theme.Faint.Render(Fit("  age > 60 and sex = female · educ missing · risk > .1", width-Width(text)))
	case p.typed.active:
		return p.typed.draw(theme, "filter: ", width)
	case rows == 0:
		return strings.Repeat(" ", width)
	}
	record := p.record(p.list.at)
	figures := ""
	if a := s.Current.Assessment; a != nil && record < a.Records {
		f, F := a.Frequency(record)
		figures = "fk " + Frequency(f) + "  Fk " + Frequency(F) + "  risk " + Probability(a.Risk(record))
	}
	l := newLine(width, nil)
	l.gap(1)
	p.story(s, l, record)
	if size := Width(figures) + 1; size > 1 && l.rest() > size+1 {
		l.gap(l.rest() - size)
		l.text(fresh(s, &theme.Faint), figures)
	}
	return l.String()
}

// story says what the cell under the cursor is and what it was.
func (p *Records) story(s State, l *line, record int) {
	theme, column := s.Theme, s.Current.Data.Columns()[p.column]
	l.text(&theme.Faint, shortened(column.Name())+": ")
	before := shortened(column.Source().Text(record))
	switch text, style := cellText(theme, column, record); style {
	case &theme.Faint:
		l.text(style, "missing in the original")
	case &theme.Suppressed:
		l.text(style, "suppressed")
		l.text(&theme.Faint, ", was ")
		l.text(&theme.Plain, before)
	case &theme.Changed:
		if column.Missing(record) {
			text = "missing"
		}
		l.text(style, shortened(text))
		l.text(&theme.Faint, ", was ")
		l.text(&theme.Plain, before)
	default:
		l.text(style, shortened(text))
	}
	if s.Current.Data.Moved() {
		l.text(&theme.Faint, " · "+sourceRecord(s, record))
	}
}
