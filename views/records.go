package views

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Records is the grid of records: all of them, or those of a category or a
// filter. Only what is in sight is formatted, however many records there are.
type Records struct {
	tablePane
	widths   columnWidths    // of what was in sight
	wide     map[string]bool // columns that are as wide as they need
	layout   layout
	inSight  memo[columnsOf, []gridColumn]
	by       sorting
	sorted   ordering
	finds    finding
	followed int    // the selected record that the cursor was last put on; -1: none
	onto     string // the selected variable that it was last put on

	variable string // drilled down from a category of this variable; "": all records
	level    uint32
	filter   string
	given    string   // the filter that was drilled into: there is nothing before it
	asked    question // what is typed
	err      error
	found    search
}

var _ Seeker = (*Records)(nil)

// NewRecords returns the grid of the records of a category; of all where
// variable is "".
func NewRecords(variable string, level uint32) *Records {
	p := &Records{tablePane: tablePane{id: "data", title: "Data", enter: "why"}, variable: variable, level: level, followed: -1}
	p.content, p.acts, p.heard = p.table, p.keys, p.taken
	p.move = bind("↑↓←→", "move", "up", "down", "left", "right", "k", "j", "h", "l", "pgup", "pgdown", "ctrl+b", "ctrl+f", "home", "end", "G")
	return p
}

// TitleFor says which records are shown.
func (p *Records) TitleFor(s State) string {
	title := p.Title()
	if categories := categoriesOf(s.Current, p.variable); p.variable != "" && categories != nil {
		title = p.variable + " = " + withCodeLabel(levelLabel(categories, p.level), codeLabels(s, p.variable))
	}
	if p.filter != "" {
		title += " · " + p.filter
	}
	p.refind(s)
	switch {
	case p.given != "" && p.filter == p.given:
		title = p.found.count() + " of " + Count(s.records()) + " records · " + p.given
	case p.found.meets == nil:
		title += " · " + wording.Counted(s.records(), "record")
	default:
		title += " · " + p.found.count() + " of " + Count(s.records()) + " records"
	}
	if hidden := p.hidden(s); hidden > 0 {
		title += " · " + wording.Counted(hidden, "column") + " hidden"
	}
	switch text := p.sorted.underway(); {
	case text != "":
		title += " · " + text
	case len(p.by) > 0:
		title += " · by " + p.by.String()
	}
	return title
}

// selectRow selects the record of a row.
func (p *Records) selectRow(row int) Action {
	p.followed = p.record(row)
	return SelectRecord{p.followed}
}

// jump puts the cursor on a record, or on the next one that was found.
func (p *Records) jump(s State, record int) {
	p.refind(s)
	p.cursor.At = p.sorted.shown.placeOf(record)
	if p.found.meets != nil {
		p.cursor.At, _ = slices.BinarySearchFunc(p.found.records, p.cursor.At, func(found uint32, place int) int {
			return p.found.order.placeOf(int(found)) - place
		})
	}
	p.cursor.clamp(p.rows(s))
}

// Variable returns the variable of the column under the cursor.
func (p *Records) Variable(s State) string {
	if s.Current.Data == nil || len(s.Current.Data.Columns()) == 0 {
		return ""
	}
	p.follow(s)
	c := p.current(s)
	if c.variable == nil {
		return ""
	}
	p.onto = c.name()
	return p.onto
}

// follow puts the cursor on the selected record and the selected variable when
// another pane selected them.
func (p *Records) follow(s State) {
	if record := s.Selected.Record; record != p.followed && record >= 0 && record < s.records() {
		p.followed = record
		p.jump(s, record)
	}
	if variable := s.Selected.Variable; variable != p.onto {
		p.onto = variable
		if at := slices.IndexFunc(p.columns(s), func(c gridColumn) bool { return c.id == variable }); at >= 0 {
			p.cursor.Column = at
		}
	}
}

// Figures explains the cell under the cursor and the risk of its record.
func (p *Records) Figures(s State) []Figure {
	rows := p.rows(s)
	if rows == 0 {
		return nil
	}
	p.cursor.clamp(rows)
	record := p.record(p.cursor.At)
	return append(p.cellFigure(s, record), recordFigures(s, record)...)
}

// table has one row per record, with a line about the cell under the cursor below.
func (p *Records) table(s State, _ int) Table {
	if s.Current.Data == nil || len(s.Current.Data.Columns()) == 0 {
		return Table{Instead: "The file has no variables."}
	}
	p.follow(s)
	rows, columns, number := p.rows(s), p.columns(s), max(6, Width(Count(s.records())))
	t := Table{
		Columns: []Column{{Head: "record", Kind: Values, Size: number, Most: number}},
		Sideways: &Sideways{Columns: len(columns),
			Column: func(i int) Column { return p.column(s, &columns[i]) },
			Cell:   func(row, i int) Cell { return p.cell(s, &columns[i], p.record(row)) },
			Widen:  func(i, size int) int { return p.widen(&columns[i], size) }},
		Rows: rows,
		Row:  func(row int) []Cell { return []Cell{{Text: Count(p.record(row) + 1), Style: &s.Theme.Faint}} },
		None: p.empty(s),
		Banner: func(width int) string {
			if p.err == nil || p.typed.active {
				return ""
			}
			return s.Theme.Error.Render(Fit(" "+p.err.Error(), width))
		},
		Status: func(width int) []string {
			lines := []string{p.status(s, rows, width)}
			if p.err != nil && p.typed.active {
				lines = append(lines, s.Theme.Error.Render(Fit(" "+p.err.Error(), width)))
			}
			return lines
		},
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
			return sign.mark + s.marked(variable)
		}
	}
	return s.marked(variable)
}

// status shows what is typed, or tells about the cell under the cursor and its
// record.
func (p *Records) status(s State, rows, width int) string {
	theme := s.Theme
	switch {
	case p.typed.active:
		return p.asking(theme, width)
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
	if text := p.finds.story(&p.cursor); text != "" {
		l.text(&theme.Warning, " · "+text)
	}
	if size := Width(figures) + 1; size > 1 && l.rest() > size+1 {
		l.gap(l.rest() - size)
		l.text(s.Fresh(&theme.Faint), figures)
	}
	return l.String()
}

// story says what the cell under the cursor is and what it was.
func (p *Records) story(s State, l *line, record int) {
	theme, c := s.Theme, p.current(s)
	l.text(&theme.Faint, shortened(s.Titled(c.name()))+": ")
	if c.variable != nil {
		cellStory(l, s, c.variable, record, ", ", "missing in the original")
	} else {
		l.text(&theme.Plain, figureText(s.Current.Assessment, c.figure, record))
		l.text(&theme.Faint, ", "+figureStory(c.figure))
	}
	if s.Current.Data.Moved() {
		l.text(&theme.Faint, " · "+sourceRecord(s, record))
	}
}
