package data

import (
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/release/paged"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// pageOf is a page whose records a grid shows.
type pageOf struct {
	*paged.Page
	before int            // records before; -1: not known
	widths map[string]int // of columns, by their ids: those of the pages before, too
}

// name is what a record is told apart by.
func (p *pageOf) name(record int) string {
	switch {
	case record >= p.Len():
		return ""
	case p.Called == "" && p.before >= 0:
		return draw.Count(p.before + record + 1)
	}
	if number, err := strconv.Atoi(p.Names[record]); err == nil && p.Called == calledRecord {
		return draw.Count(number)
	}
	return draw.Label(p.Names[record])
}

// calledRecord is what records are called that are told apart by their numbers.
const calledRecord = "record"

// column is that of the names.
func (p *pageOf) column() draw.Column {
	head := draw.Label(p.Called)
	size := max(6, min(20, draw.Width(head)))
	for record := range p.Len() {
		size = max(size, min(20, draw.Width(p.name(record))))
	}
	return draw.Column{Head: head, Kind: draw.Values, Size: p.grow("", size), Most: 20}
}

// row returns the row of the data that a record is in, or the first that records of its group are in; -1: none is
// known.
func (p *pageOf) row(record int) int {
	switch {
	case p == nil:
		return record
	case record >= len(p.Rows), p.Rows[record] == streamed.Left:
		return -1
	}
	return int(p.Rows[record])
}

// decided reports whether all records of the group of a record lose the same cells, and have the same values.
func (p *pageOf) decided(record int) bool {
	if p == nil {
		return true
	}
	for _, of := range p.Undecided {
		if part, some := of[record]; some && !part.Each {
			return false
		}
	}
	return true
}

// grow makes a column at least so wide.
func (p *pageOf) grow(id string, size int) int {
	p.widths[id] = max(p.widths[id], size)
	return p.widths[id]
}

// undecided says that only some records of a group are kept, lose a cell or have its value; "": all or none do.
func (p *pageOf) undecided(variable string, record int) string {
	if p == nil || p.Page == nil {
		return ""
	}
	var parts []string
	if p.Sampled != nil {
		group := p.Sampled[record]
		parts = append(parts, draw.Count(group.Kept)+" of the "+wording.Counted(group.Of, "record")+" of its group are in the sample")
	}
	part, some := p.Undecided[variable][record]
	if !some && parts == nil {
		return ""
	}
	of := " of the " + wording.Counted(part.Of, "record") + " of its group"
	if part.Some > 0 {
		parts = append(parts, "lost by "+draw.Count(part.Some)+of)
	}
	if part.Others > 0 {
		parts = append(parts, draw.Count(part.Others)+of+" drew another value")
	}
	if part.Each {
		return "its number before every record drew another one, which the protected file has"
	}
	return strings.Join(parts, ", ") + ": which ones, the protected file tells"
}

// sign marks a cell that not all records of a group have or keep; "": all or none do.
func (p *pageOf) sign(variable string, record int) string {
	if p == nil || p.Page == nil {
		return ""
	}
	part := p.Undecided[variable][record]
	switch {
	case part.Some > 0:
		return views.SuppressedSign + "?"
	case part.Others > 0 || part.Each:
		return "?"
	}
	return ""
}
