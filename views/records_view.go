package views

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// View draws the names of the columns, the records in sight, and a line about
// the cell under the cursor.
func (p *Records) View(s State, width, height int, focused bool) string {
	if len(s.Current.Data.Columns()) == 0 {
		return sentence(s, "The file has no variables.", width, height)
	}
	body := max(1, height-2)
	rows := p.rows(s, p.list.at+2*body)
	first, last := p.list.window(rows, body)
	records := make([]int, 0, body)
	for place := first; place < last; place++ {
		records = append(records, p.record(place))
	}
	columns, sizes := p.columnsInSight(s, records, width-recordWidth-1)
	lines := []string{p.head(s, columns, sizes, width)}
	for i, record := range records {
		lines = append(lines, p.row(s, record, columns, sizes, first+i == p.list.at, focused, width))
	}
	if len(records) == 0 {
		lines = append(lines, s.Theme.Faint.Render(Fit(p.empty(s), width)))
	}
	text := Exactly(strings.Join(lines, "\n"), width, max(1, height-1))
	if height < 2 {
		return text
	}
	return text + "\n" + Exactly(p.status(s, records, first, rows), width, 1)
}

// empty says why there is no record to show.
func (p *Records) empty(s State) string {
	if s.Current.Data.Len() == 0 {
		return " the file has no records"
	}
	if p.found.scanned < s.Current.Data.Len() {
		return " still looking: press end"
	}
	return " no record matches"
}

// columnsInSight returns the columns to draw, that under the cursor among
// them, and their widths.
func (p *Records) columnsInSight(s State, records []int, space int) (columns []*microdata.Column, sizes []int) {
	all := s.Current.Data.Columns()
	p.column = max(0, min(p.column, len(all)-1))
	p.left = max(0, min(p.left, p.column))
	for {
		columns, sizes = fitColumns(s, all[p.left:], records, space)
		if p.column < p.left+len(columns) || p.left >= p.column {
			return columns, sizes
		}
		p.left++
	}
}

// fitColumns returns as many columns as fit into the space, at least one.
func fitColumns(s State, all []*microdata.Column, records []int, space int) (columns []*microdata.Column, sizes []int) {
	for _, column := range all {
		size := Width(Safe(shortened(headOf(s, column.Name()))))
		for _, record := range records {
			size = max(size, Width(Safe(shortened(column.Text(record)))))
		}
		size = min(size, 24)
		if size+1 > space && len(columns) > 0 {
			break
		}
		size = min(size, max(1, space-1))
		columns, sizes = append(columns, column), append(sizes, size)
		if space -= size + 1; space <= 0 {
			break
		}
	}
	return columns, sizes
}

// roleMarks stand before the names of variables with a role.
var roleMarks = []struct {
	role microdata.Role
	mark string
}{
	{microdata.RoleKey, "◆"}, {microdata.RoleNumericKey, "◇"}, {microdata.RoleWeight, "w:"}, {microdata.RoleHousehold, "h:"},
	{microdata.RoleSensitive, "s:"}, {microdata.RoleRemoved, "–"},
}

func headOf(s State, variable string) string {
	for _, m := range roleMarks {
		if s.Scenario.Has(variable, m.role) {
			return m.mark + variable
		}
	}
	return variable
}

func (p *Records) head(s State, columns []*microdata.Column, sizes []int, width int) string {
	line := s.Theme.Heading.Render(FitRight("record", recordWidth) + " ")
	for i, column := range columns {
		style := s.Theme.Heading
		if p.left+i == p.column {
			style = s.Theme.Strong
		}
		fit := Fit
		if column.Numeric() {
			fit = FitRight
		}
		line += style.Render(fit(headOf(s, column.Name()), sizes[i])) + " "
	}
	return Exactly(line, width, 1)
}

// row draws one record: runs of plain cells at once, changed and suppressed
// cells in their own style.
func (p *Records) row(s State, record int, columns []*microdata.Column, sizes []int, chosen, focused bool, width int) string {
	plain := rowStyle(s.Theme, chosen, focused)
	var line strings.Builder
	run := FitRight(Count(record+1), recordWidth) + " "
	for i, column := range columns {
		text, style := p.cell(s, column, record, sizes[i])
		if style == nil || chosen {
			run += text + " "
			continue
		}
		line.WriteString(plain(run))
		line.WriteString(style(text))
		run = " "
	}
	line.WriteString(plain(run))
	return Exactly(line.String(), width, 1)
}

// cell returns a cell fitted to its column, with a style where it is not plain.
func (p *Records) cell(s State, column *microdata.Column, record, size int) (text string, style func(...string) string) {
	source := column.Source()
	if column.Missing(record) {
		if source.Missing(record) {
			return Fit(missingSign, size), s.Theme.Faint.Render
		}
		return Fit(suppressedSign, size), s.Theme.Suppressed.Render
	}
	text = column.Text(record)
	if column != source && text != source.Text(record) {
		style = s.Theme.Changed.Render
	}
	if column.Numeric() {
		return FitRight(text, size), style
	}
	return Fit(text, size), style
}

// status tells what is typed, or about the cell under the cursor.
func (p *Records) status(s State, records []int, first, rows int) string {
	theme := s.Theme
	switch {
	case p.typing != nil && p.jumping:
		return theme.Key.Render("record number: " + Safe(*p.typing) + "▏")
	case p.typing != nil:
		return theme.Key.Render("filter: " + Safe(*p.typing) + "▏")
	case p.err != nil:
		return theme.Error.Render(Safe(p.err.Error()))
	}
	text := ""
	if at := p.list.at - first; at >= 0 && at < len(records) && p.column < len(s.Current.Data.Columns()) {
		text = cellStory(s.Current.Data.Columns()[p.column], records[at])
	}
	if p.found.meets != nil {
		count := Count(rows)
		if p.found.scanned < s.Current.Data.Len() {
			count += " or more"
		}
		text += "   " + count + " of " + Count(s.Current.Data.Len()) + " records"
	}
	return theme.Faint.Render(text)
}

// cellStory says what a cell is and what it was.
func cellStory(column *microdata.Column, record int) string {
	now, before := shortened(column.Text(record)), shortened(column.Source().Text(record))
	text := " " + Safe(column.Name()) + ": "
	switch {
	case column.Missing(record) && column.Source().Missing(record):
		return text + "missing"
	case column.Missing(record):
		return text + "suppressed, was " + Safe(before)
	case now != before:
		return text + Safe(now) + ", was " + Safe(before)
	default:
		return text + Safe(now)
	}
}
