package views

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/notation"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Records is the grid of records: all of them, or those of a category or a
// filter. Only what is in sight is formatted, however many records there are.
type Records struct {
	tablePane
	widths   columnWidths
	followed int // the selected record that the cursor was last put on; -1: none

	variable string // drilled down from a category of this variable; "": all records
	level    uint32
	filter   string
	jumping  bool // what is typed is a record number
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
	if p.filter != "" {
		keys = append(keys, act{bind("", "", "esc"), does(func() { p.filter, p.err = "", nil })})
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

// follow puts the cursor on the selected record when another pane selected it.
func (p *Records) follow(s State) {
	if record := s.Selected.Record; record != p.followed && record >= 0 && record < s.records() {
		p.followed = record
		p.jump(s, record)
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
