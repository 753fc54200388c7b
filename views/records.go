package views

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/notation"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Records is the grid of records: all of them, or those of a category or a
// filter. Only what is in sight is formatted, however many records there are.
type Records struct {
	tablePane
	widths   columnWidths
	followed int    // the selected record that the cursor was last put on; -1: none
	onto     string // the selected variable that it was last put on

	variable string // drilled down from a category of this variable; "": all records
	level    uint32
	filter   string
	given    string // the filter that was drilled into: there is nothing before it
	jumping  bool   // what is typed is a record number
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
		title = p.variable + " = " + levelLabel(categories, p.level)
	}
	if p.filter != "" {
		title += " · " + p.filter
	}
	p.refind(s)
	if p.given != "" && p.filter == p.given {
		return p.found.count() + " of " + Count(s.records()) + " records · " + p.given
	}
	if p.found.meets == nil {
		return title + " · " + wording.Counted(s.records(), "record")
	}
	return title + " · " + p.found.count() + " of " + Count(s.records()) + " records"
}

func (p *Records) keys() []act {
	begin := func(jumping bool, text string) func(tea.KeyPressMsg, State) Action {
		return does(func() {
			p.jumping, p.err = jumping, nil
			p.typed.begin(text, keyEnter("take it"), keyEscape())
		})
	}
	keys := []act{{bind("g", "go to record", "g"), begin(true, "")}, {bind("/", "filter", "/"), begin(false, p.filter)}}
	if p.filter != p.given {
		keys = append(keys, act{bind("", "", "esc"), does(func() { p.filter, p.err = p.given, nil })})
	}
	return keys
}

// selectRow selects the record of a row.
func (p *Records) selectRow(row int) Action {
	p.followed = p.record(row)
	return SelectRecord{p.followed}
}

// taken takes a filter or a record number that was typed. What makes no sense stays
// open, with the reason shown.
func (p *Records) taken(s State, end typedEnd) Action {
	if end == typedMore {
		p.err = nil
	}
	if end != typedTaken {
		return Handled{}
	}
	text := strings.TrimSpace(p.typed.Text())
	if p.jumping {
		number, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
		if err != nil || s.records() == 0 {
			return Handled{}
		}
		p.jump(s, max(1, min(number, s.records()))-1)
		return p.selectRow(p.cursor.At)
	}
	if text != "" {
		filter, err := notation.ParseCondition(text)
		if err == nil {
			_, err = filter.Bind(s.scope())
		}
		if p.err = err; err != nil {
			p.typed.active = true
			return Handled{}
		}
	}
	p.filter = text
	p.cursor = Cursor{Column: p.cursor.Column, left: p.cursor.left}
	p.rows(s) // the first page at once
	return Handled{}
}

// jump puts the cursor on a record, or on the next one that was found.
func (p *Records) jump(s State, record int) {
	p.cursor.At = record
	if p.refind(s); p.found.meets != nil {
		p.cursor.At, _ = slices.BinarySearch(p.found.records, uint32(record))
	}
	p.cursor.clamp(p.rows(s))
}

// Variable returns the variable of the column under the cursor.
func (p *Records) Variable(s State) string {
	if s.Current.Data == nil || len(s.Current.Data.Columns()) == 0 {
		return ""
	}
	p.follow(s)
	columns := s.Current.Data.Columns()
	p.cursor.Column = max(0, min(p.cursor.Column, len(columns)-1))
	p.onto = columns[p.cursor.Column].Name()
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
		if at := slices.IndexFunc(s.Current.Data.Columns(), func(c *microdata.Column) bool { return c.Name() == variable }); at >= 0 {
			p.cursor.Column = at
		}
	}
}

// Figures explains the risk of the record under the cursor.
func (p *Records) Figures(s State) []Figure {
	rows := p.rows(s)
	if rows == 0 {
		return nil
	}
	p.cursor.clamp(rows)
	return recordFigures(s, p.record(p.cursor.At))
}

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
