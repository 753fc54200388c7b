package views

import (
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
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
	typed    typed
	jumping  bool // what is typed is a record number
	err      error
	found    search
}

var (
	_ Typist = (*Records)(nil)
	_ Seeker = (*Records)(nil)
)

// NewRecords returns the grid of the records of a category; of all where
// variable is "".
func NewRecords(variable string, level uint32) *Records {
	p := &Records{tablePane: tablePane{id: "data", title: "Data"}, variable: variable, level: level, followed: -1}
	p.content = p.table
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

// Typing reports whether a filter or a record number is being typed.
func (p *Records) Typing() bool { return p.typed.active }

func (*Records) keyJump() key.Binding   { return bind("g", "go to record", "g") }
func (*Records) keyFilter() key.Binding { return bind("/", "filter", "/") }

// Keys returns the keys of the pane.
func (p *Records) Keys() []key.Binding {
	if p.typed.active {
		return []key.Binding{keyEnter("take it"), keyEscape()}
	}
	return []key.Binding{
		bind("↑↓←→", "move", "up", "down", "left", "right", "k", "j", "h", "l", "pgup", "pgdown", "ctrl+b", "ctrl+f", "home", "end", "G"),
		keyEnter("why"), p.keyJump(), p.keyFilter(),
	}
}

// HandleKey moves, filters, and opens the page of a record.
func (p *Records) HandleKey(msg tea.KeyPressMsg, s State) Action {
	if p.typed.active {
		return p.typeText(msg, s)
	}
	switch {
	case key.Matches(msg, p.keyJump()):
		p.jumping, p.err = true, nil
		p.typed.begin("")
	case key.Matches(msg, p.keyFilter()):
		p.jumping, p.err = false, nil
		p.typed.begin(p.filter)
	case p.filter != "" && key.Matches(msg, keyEscape()):
		p.filter, p.err = "", nil
	default:
		return p.tablePane.HandleKey(msg, s)
	}
	return Handled{}
}

// selectRow selects the record of a row.
func (p *Records) selectRow(row int) Action {
	p.followed = p.record(row)
	return SelectRecord{p.followed}
}

// typeText takes a key while a filter or a record number is typed. What makes
// no sense stays open, with the reason shown.
func (p *Records) typeText(msg tea.KeyPressMsg, s State) Action {
	end := p.typed.press(msg)
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
