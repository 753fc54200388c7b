package data

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Records is the grid of records: all of them, or those of a category or a filter. Only visible records are
// formatted, however many there are.
type Records struct {
	views.TablePane
	widths   views.ColumnWidths // of the cells visible so far
	wide     map[string]bool    // columns widened to their content
	layout   layout
	inSight  views.Cache[columnsOf, []gridColumn]
	By       draw.Sorting
	sorted   ordering
	finds    cellSearch
	followed int    // the selected record the cursor was last moved to, or -1
	onto     string // the selected variable it was last moved to

	variable string // variable of the category drilled into; "": all records
	level    uint32
	Filter   string
	given    string   // the filter drilled into; esc does not remove it
	asked    question // what is being typed
	err      error
	found    views.Cache[searchKey, search]
	grouped  bool // the last drawn rows are groups

	ofKeys  bool                                                          // rows are key patterns, not records
	opens   func(row int) draw.Action                                     // for key patterns, what enter does
	spelled func(column *microdata.Column, row int) (string, *draw.Style) // for key patterns, the text of a cell
}

var _ views.Seeker = (*Records)(nil)

// NewRecords returns the grid of the records of a category, or of all records if variable is "".
func NewRecords(variable string, level uint32) *Records {
	p := &Records{TablePane: views.TablePane{PaneID: "data", Heading: "Data", Enter: "open"}, variable: variable,
		level: level, followed: -1}
	p.Content, p.Actions, p.OnTyped, p.OfRow = p.table, p.keys, p.taken, p.explain
	p.Move = draw.Bind("←↑↓→", "move", "up", "down", "left", "right", "k", "j", "h", "l", "pgup", "pgdown", "ctrl+b",
		"ctrl+f", "home", "end", "G")
	return p
}

// TitleFor says which records are shown.
func (p *Records) TitleFor(s views.State) string {
	title := p.Title()
	if categories := views.CategoriesOf(s.Current, p.variable); p.variable != "" && categories != nil {
		title = p.variable + " = " + s.WithCode(p.variable, views.LevelLabelOf(s, p.variable, categories, p.level))
	}
	if p.Filter != "" {
		title += " · " + p.Filter
	}
	p.refind(s)
	switch {
	case p.given != "" && p.Filter == p.given:
		title = p.matches().count() + " of " + rowsOf(s) + " · " + p.given
	case p.matches().meets == nil:
		title += " · " + rowsOf(s)
	default:
		title += " · " + p.matches().count() + " of " + rowsOf(s)
	}
	title += p.hiddenColumns(s)
	switch text := p.sorted.underway(); {
	case text != "":
		title += " · " + text
	case len(p.By) > 0:
		title += " · by " + p.By.String()
	}
	return title
}

// hiddenColumns returns the number of hidden columns as the end of a title.
func (p *Records) hiddenColumns(s views.State) string {
	if hidden := p.hidden(s); hidden > 0 {
		return " · " + wording.Counted(hidden, "column") + " hidden"
	}
	return ""
}

// selectRow selects the record of a row.
func (p *Records) selectRow(row int) draw.Action {
	if p.ofKeys {
		return draw.Handled{}
	}
	p.followed = p.record(row)
	return views.SelectRecord{Record: p.followed}
}

// jump moves the cursor to a record, or to the next one in the list.
func (p *Records) jump(s views.State, record int) {
	p.refind(s)
	p.Cursor.At = p.sorted.shown.placeOf(record)
	if p.matches().meets != nil {
		p.Cursor.At, _ = slices.BinarySearchFunc(p.matches().records, p.Cursor.At, func(found uint32, place int) int {
			return p.matches().order.placeOf(int(found)) - place
		})
	}
	p.Cursor.Clamp(p.Rows(s))
}

// Variable returns the variable of the column under the cursor.
func (p *Records) Variable(s views.State) string {
	if !known(s) {
		return ""
	}
	p.follow(s)
	c := p.current(s)
	if c.variable == nil || p.ofKeys && !slices.Contains(s.Keys(), c.name()) {
		return ""
	}
	p.onto = c.name()
	return p.onto
}

// follow moves the cursor to the selected record and variable if another pane selected them.
func (p *Records) follow(s views.State) {
	if record := s.Selected.Record; record != p.followed && record >= 0 && record < s.Rows() {
		p.followed = record
		p.jump(s, record)
	}
	if variable := s.Selected.Variable; variable != p.onto && !p.ofKeys {
		p.onto = variable
		if at := slices.IndexFunc(p.columns(s), func(c gridColumn) bool { return c.id == variable }); at >= 0 {
			p.Cursor.Column = at
		}
	}
}

// explain explains the cell under the cursor and the risk of its record.
func (p *Records) explain(s views.State) []views.Figure {
	record := p.record(p.Cursor.At)
	return append(p.cellFigure(s, record), views.RecordFigures(s, record)...)
}

// table has one row per record, with a line about the cell under the cursor below.
func (p *Records) table(s views.State, _ int) draw.Table {
	if !known(s) {
		return draw.Table{Instead: "The file has no variables."}
	}
	p.follow(s)
	p.grouped = s.Row() == "group"
	rows, columns, number := p.Rows(s), p.columns(s), max(6, draw.Width(draw.Count(s.Rows())))
	t := draw.Table{
		Columns: []draw.Column{{Head: s.Row(), Kind: draw.Values, Size: number, Most: number}},
		Sideways: &draw.ColumnScroll{Columns: len(columns),
			Column: func(i int) draw.Column { return p.column(s, &columns[i]) },
			Cell:   func(row, i int) draw.Cell { return p.cell(s, &columns[i], p.record(row)) },
			Widen:  func(i, size int) int { return p.widen(&columns[i], size) }},
		Rows: rows,
		Row: func(row int) []draw.Cell {
			return []draw.Cell{{Text: draw.Count(p.record(row) + 1), Style: &s.Faint}}
		},
		None: p.empty(s),
		Banner: func(width int) string {
			if p.err == nil || p.Typed.Active {
				return ""
			}
			return s.Error.Fit(" "+p.err.Error(), width)
		},
		Status: func(width int) []string {
			lines := []string{p.status(s, rows, width)}
			if p.err != nil && p.Typed.Active {
				lines = append(lines, s.Error.Fit(" "+p.err.Error(), width))
			}
			return lines
		},
		Choose: p.selectRow,
	}
	if stands := s.Current.Data.Multiplicity(); stands != nil {
		t.Columns = append(t.Columns, draw.Column{Head: "records", Kind: draw.Counts, Size: 7})
		t.Row = func(row int) []draw.Cell {
			record := p.record(row)
			return []draw.Cell{{Text: draw.Count(record + 1), Style: &s.Faint}, {Text: draw.Count(int(stands[record]))}}
		}
	}
	switch {
	case p.ofKeys:
		t.Open = func(row int) draw.Action { return p.opens(p.record(row)) }
		t.Row = func(row int) []draw.Cell { return []draw.Cell{{Text: draw.Count(row + 1), Style: &s.Faint}} }
		t.Columns[0].Head = ""
	case s.Current.Assessment != nil:
		t.Open = func(row int) draw.Action {
			p.selectRow(row)
			return views.ShowRecord{Record: p.record(row)}
		}
	}
	return t
}

// called names a record, or a key pattern by its row.
func (p *Records) called(s views.State, record int) string {
	if p.ofKeys {
		return "key " + draw.Count(p.Cursor.At+1)
	}
	return s.Row() + " " + draw.Count(record+1)
}

// known reports whether there are variables.
func known(s views.State) bool {
	return s.Current.Data != nil && len(s.Current.Data.Columns()) > 0
}

// rowsOf returns the number of listed rows in words.
func rowsOf(s views.State) string {
	if s.Row() == "group" {
		return wording.Counted(s.Rows(), "group") + " of " + wording.Counted(s.Records(), "record")
	}
	return wording.Counted(s.Rows(), "record")
}

// empty returns the reason why there is no record to show.
func (p *Records) empty(s views.State) string {
	switch {
	case s.Rows() == 0:
		return "the file has no records"
	case p.ofKeys:
		return "no key pattern matches"
	case p.matches().examined < s.Rows():
		return "looked at " + draw.Count(p.matches().examined) + " of " + draw.Count(s.Rows()) + " records …"
	default:
		return "no record matches"
	}
}

// headOf returns the name of a variable with the sign of its role.
func headOf(s views.State, variable string) string {
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
			return sign.mark + s.Marked(variable)
		}
	}
	return s.Marked(variable)
}

// status shows what is typed, or describes the cell under the cursor and its record.
func (p *Records) status(s views.State, rows, width int) string {
	theme := s.Theme
	switch {
	case p.Typed.Active:
		return p.asking(theme, width)
	case rows == 0:
		return strings.Repeat(" ", width)
	}
	record := p.record(p.Cursor.At)
	figures := ""
	if a := s.Current.Assessment; a != nil && record < a.Records {
		figures = "f " + figureText(s, "f", record) + "  F " + figureText(s, "F", record) + "  risk " + figureText(s, "risk", record)
	}
	l := draw.NewLine(width, nil)
	l.Gap(1)
	p.story(s, l, record)
	if text := p.finds.outcome(&p.Cursor); text != "" {
		l.Text(&theme.Warning, " · "+text)
	}
	if size := draw.Width(figures) + 1; size > 1 && l.Rest() > size+1 {
		l.Gap(l.Rest() - size)
		l.Text(s.Fresh(&theme.Faint), figures)
	}
	return l.String()
}

// story describes the cell under the cursor and its original value.
func (p *Records) story(s views.State, l *draw.Line, record int) {
	theme, c := s.Theme, p.current(s)
	l.Text(&theme.Faint, draw.Shortened(s.Titled(c.name()))+": ")
	switch {
	case p.ofKeys && c.variable.Missing(record):
		l.Text(&theme.Faint, views.MissingLabel)
	case p.ofKeys:
		text, style := p.spelled(c.variable, record)
		l.Text(style, draw.Shortened(text))
	case c.variable != nil:
		views.CellInWords(l, s, c.variable, record, ", ", "missing in the original")
	default:
		l.Text(&theme.Plain, figureText(s, c.figure, record))
		l.Text(&theme.Faint, ", "+figureMeaning(c.figure))
	}
	if s.Current.Data.Moved() && s.Row() == "record" {
		l.Text(&theme.Faint, " · "+views.SourceRecord(s, record))
	}
}
