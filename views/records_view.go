package views

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// table has one row per record, with a line about the cell under the cursor below.
func (p *Records) table(s State, _ int) Table {
	if s.Current.Data == nil || len(s.Current.Data.Columns()) == 0 {
		return Table{Instead: "The file has no variables."}
	}
	p.follow(s)
	rows, columns, number := p.rows(s), s.Current.Data.Columns(), max(6, Width(Count(s.records())))
	t := Table{
		Columns: []Column{{Head: "record", Kind: Values, Size: number, Most: number}},
		Sideways: &Sideways{Columns: len(columns),
			Column: func(i int) Column { return p.column(s, columns[i]) },
			Cell: func(row, i int) Cell {
				text, style := cellText(s.Theme, columns[i], p.record(row))
				return Cell{Text: text, Style: style}
			}},
		Rows: rows,
		Row:  func(row int) []Cell { return []Cell{{Text: Count(p.record(row) + 1), Style: &s.Theme.Faint}} },
		None: p.empty(s),
		Banner: func(width int) string {
			if p.err == nil {
				return ""
			}
			return s.Theme.Error.Render(Fit(" "+p.err.Error(), width))
		},
		Status: func(width int) []string { return []string{p.status(s, rows, width)} },
		Choose: p.selectRow,
	}
	if s.Current.Assessment != nil {
		t.Open = func(row int) Action {
			p.selectRow(row)
			return ShowRecord{p.followed}
		}
	}
	return t
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

// column is as wide as its values and its name, and may be cut at the end of the
// line.
func (p *Records) column(s State, column *microdata.Column) Column {
	head, kind, style := headOf(s, column.Name()), Words, &s.Theme.Heading
	if column.Numeric() {
		kind = Values
	}
	if strings.HasPrefix(head, "◆") {
		style = &s.Theme.Strong
	}
	size := max(p.widths.of(column), min(widest, Width(Safe(shortened(head)))))
	return Column{Head: head, Kind: kind, Size: size, Least: 3, Style: style}
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

// status shows what is typed, or tells about the cell under the cursor and its
// record.
func (p *Records) status(s State, rows, width int) string {
	theme := s.Theme
	switch {
	case p.typed.active && p.jumping:
		return p.typed.draw(theme, "record number: ", width)
	case p.typed.active && p.typed.Text() == "":
		text := p.typed.draw(theme, "filter: ", min(width, 11))
		return text + theme.Faint.Render(Fit("  age > 60 and sex = female · educ missing · risk > .1", width-Width(text)))
	case p.typed.active:
		return p.typed.draw(theme, "filter: ", width)
	case rows == 0:
		return strings.Repeat(" ", width)
	}
	record := p.record(p.cursor.At)
	figures := ""
	if a := s.Current.Assessment; a != nil && record < a.Records {
		f, F := a.Frequency(record)
		figures = "fk " + wording.Frequency(f) + "  Fk " + wording.Frequency(F) + "  risk " + wording.Probability(a.Risk(record))
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
	theme, column := s.Theme, s.Current.Data.Columns()[p.cursor.Column]
	l.text(&theme.Faint, shortened(column.Name())+": ")
	l.cellStory(theme, column, record, ", ", "missing in the original")
	if s.Current.Data.Moved() {
		l.text(&theme.Faint, " · "+sourceRecord(s, record))
	}
}
