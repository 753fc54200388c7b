package views

import (
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// Records is the grid of records: all of them, or those of a category or a
// filter. Only what is in sight is formatted, however many records there are.
type Records struct {
	list     list
	column   int    // the column under the cursor
	left     int    // the first column shown
	variable string // drilled down from a category of this variable; "": all records
	level    uint32

	expression string // the filter as typed
	typing     *string
	jumping    bool // what is typed is a record number
	err        error
	found      matches
}

// matches are the records of a filter that have been found so far.
type matches struct {
	of      *microdata.Dataset
	text    string
	meets   func(record int) bool // nil: all records
	records []uint32
	scanned int
}

var (
	_ MousePane = (*Records)(nil)
)

// NewRecords returns the grid of the records of a category; of all where
// variable is "".
func NewRecords(variable string, level uint32) *Records {
	return &Records{variable: variable, level: level}
}

// ID returns "data".
func (*Records) ID() string { return "data" }

// Title returns what stands in the frame.
func (p *Records) Title() string {
	if p.variable != "" {
		return "Records by " + p.variable
	}
	return "Data"
}

// Typing reports whether a filter or a record number is being typed.
func (p *Records) Typing() bool { return p.typing != nil }

// Keys returns the keys of the pane.
func (p *Records) Keys() []key.Binding {
	if p.Typing() {
		return []key.Binding{bind("enter", "take it", "enter"), bind("esc", "cancel", "esc")}
	}
	return []key.Binding{bind("↑↓←→", "move", "up", "down", "left", "right", "k", "j", "h", "l", "pgup", "pgdown", "home", "end", "G"),
		bind("enter", "why", "enter"), bind("g", "go to record", "g"), bind("/", "filter", "/")}
}

// scanLimit is the number of records a filter looks at before the screen is
// drawn again.
const scanLimit = 2_000_000

// refilter makes the found records follow the data and the filter.
func (p *Records) refilter(s State) {
	data := s.Current.Data
	if p.found.of == data && p.found.text == p.expression {
		return
	}
	p.found = matches{of: data, text: p.expression}
	p.err = nil
	if p.expression != "" {
		filter, err := ParseFilter(p.expression)
		if err == nil {
			p.found.meets, err = filter.Bind(s)
		}
		p.err = err
	} else if column, ok := data.Column(p.variable); ok {
		codes, level := column.Categories().Codes, p.level
		p.found.meets = func(record int) bool { return codes.At(record) == level }
	}
}

// rows returns the number of records in the list so far, having looked at as
// many as it takes to know the one with the given place.
func (p *Records) rows(s State, place int) int {
	p.refilter(s)
	if p.found.meets == nil {
		return s.Current.Data.Len()
	}
	f := &p.found
	end := min(f.of.Len(), f.scanned+scanLimit)
	for ; f.scanned < end && (len(f.records) <= place || f.scanned%65536 != 0); f.scanned++ {
		if f.meets(f.scanned) {
			f.records = append(f.records, uint32(f.scanned))
		}
	}
	return len(f.records)
}

// record returns the record at a place of the list.
func (p *Records) record(place int) int {
	if p.found.meets == nil {
		return place
	}
	return int(p.found.records[place])
}

// HandleKey moves, filters, and opens the page of a record.
func (p *Records) HandleKey(msg tea.KeyPressMsg, s State) Action {
	if p.typing != nil {
		p.typeText(msg, s)
		return Handled{}
	}
	pressed := msg.String()
	rows := p.rows(s, p.list.at+2*max(1, p.list.page))
	if pressed == "end" || pressed == "G" {
		rows = p.rows(s, s.Current.Data.Len())
	}
	switch {
	case pressed == "g":
		p.typing, p.jumping = new(string), true
		return Handled{}
	case pressed == "/":
		text := p.expression
		p.typing, p.jumping = &text, false
		return Handled{}
	case pressed == "esc" && p.expression != "":
		p.expression = ""
		return Handled{}
	case pressed == "left" || pressed == "h":
		p.column--
	case pressed == "right" || pressed == "l":
		p.column++
	case rows > 0 && p.list.move(pressed, rows):
		return SelectRecord{p.record(p.list.at)}
	case pressed == "enter" && rows > 0 && s.Current.Assessment != nil:
		p.list.clamp(rows)
		return ShowRecord{p.record(p.list.at)}
	default:
		return nil
	}
	p.column = max(0, min(p.column, len(s.Current.Data.Columns())-1))
	return Handled{}
}

// typeText takes a key while a filter or a record number is typed.
func (p *Records) typeText(msg tea.KeyPressMsg, s State) {
	switch msg.String() {
	case "esc":
		p.typing = nil
	case "enter":
		text := strings.TrimSpace(*p.typing)
		p.typing = nil
		if !p.jumping {
			p.expression = text
			p.list = list{}
		} else if number, err := strconv.Atoi(strings.ReplaceAll(text, ",", "")); err == nil {
			p.jump(s, number-1)
		}
	case "backspace":
		runes := []rune(*p.typing)
		*p.typing = string(runes[:max(0, len(runes)-1)])
	default:
		*p.typing += msg.Text
	}
}

// jump puts the cursor on a record, or on the next one that the list has.
func (p *Records) jump(s State, record int) {
	rows := p.rows(s, s.Current.Data.Len())
	p.list.at = record
	if p.found.meets != nil {
		p.list.at = 0
		for p.list.at < rows-1 && p.record(p.list.at) < record {
			p.list.at++
		}
	}
	p.list.clamp(rows)
}

// Click puts the cursor on a record.
func (p *Records) Click(_, y int, s State) Action {
	place := y - 1 + p.list.first
	if y < 1 || place >= p.rows(s, place) {
		return nil
	}
	p.list.at = place
	return SelectRecord{p.record(place)}
}

// Wheel scrolls.
func (p *Records) Wheel(lines int, s State) Action {
	p.list.at += lines
	p.list.clamp(p.rows(s, p.list.at+1))
	return Handled{}
}
