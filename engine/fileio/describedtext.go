package fileio

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/muargus"
)

// appendDescribed appends a cell of a described file. What would be read as
// something else is an error: there quotes protect nothing.
func (t *textWriter) appendDescribed(dst []byte, text string, quoted bool, what string) ([]byte, error) {
	switch {
	case strings.ContainsAny(text, "\n"+string(rune(t.dialect.newline))):
		return nil, failure(ErrFormat, "%s has a line break, which a file of type %q cannot hold; choose another label", what, t.format.Type)
	case text != "" && (blank(text[0]) || blank(text[len(text)-1])):
		return nil, failure(ErrFormat, "%s begins or ends with a blank, which would be lost; choose another label", what)
	case t.format.Type == Fixed:
		return append(dst, text...), nil
	case strings.IndexByte(text, t.delimiter) >= 0:
		return nil, failure(ErrFormat, "%s has the delimiter %q, which quotes do not protect in a file of type %q; choose another delimiter or label", what, t.format.Delimiter, t.format.Type)
	}
	if quoted || len(text) > 1 && text[0] == '"' && text[len(text)-1] == '"' {
		return append(append(append(dst, '"'), text...), '"'), nil
	}
	return append(dst, text...), nil
}

// setPlaces says where the columns stand in records of fixed fields: where they
// are described, unless a field before them grew, shrank, or was left out.
func (t *textWriter) setPlaces() {
	columns := make(map[string]int, len(t.columns))
	for i := range t.columns {
		columns[t.columns[i].column.Name()] = i
	}
	t.places = make([]extent, len(t.columns))
	fields := slices.Clone(t.format.Fields)
	slices.SortStableFunc(fields, func(x, y muargus.Variable) int { return x.Start - y.Start })
	end, at := 1, 0 // of the described field before, and of the one written before
	for _, field := range fields {
		gap := field.Start - end
		end = field.Start + field.Width
		if i, written := columns[field.Name]; written {
			t.places[i] = extent{at + gap, at + gap + t.columns[i].width(&t.format)}
			at, t.columns[i].left, t.order = t.places[i].to, field.Left, append(t.order, i)
		}
	}
}

// width returns the characters that the column needs: those described, or after
// a recode those its description says, and more where a cell is wider.
func (c *columnText) width(f *Format) int {
	field, _ := f.field(c.column.Name())
	width := field.Width
	if said := c.column.Description(); said != nil && said.Width > 0 {
		width = said.Width
	}
	width = max(width, utf8.RuneCount(c.missing), 1)
	if c.column == c.column.Source() && c.column.Description() != nil {
		return width // as it was read
	}
	for _, code := range f.missingOf(c.column) {
		width = max(width, utf8.RuneCountInString(code))
	}
	if c.numbers == nil {
		for _, level := range c.levels {
			width = max(width, utf8.RuneCount(level))
		}
		return width
	}
	var cell []byte
	for record := range c.column.Len() {
		cell = c.append(cell[:0], record)
		width = max(width, len(cell))
	}
	return width
}

// renderFixed appends records of fixed fields from one to before another.
func (t *textWriter) renderFixed(text []byte, from, to int) []byte {
	var cell []byte
	for record := from; record < to; record++ {
		at := 0
		for _, i := range t.order {
			c := &t.columns[i]
			cell = c.append(cell[:0], record)
			blanks, behind := t.places[i].to-t.places[i].from-utf8.RuneCount(cell), 0
			if c.left {
				blanks, behind = 0, blanks
			}
			text = appendBlanks(text, t.places[i].from-at+blanks)
			text = appendBlanks(append(text, cell...), behind)
			at = t.places[i].to
		}
		text = t.endLine(text, record == t.length-1)
	}
	return text
}

func appendBlanks(text []byte, n int) []byte {
	return append(text, bytes.Repeat([]byte{' '}, max(0, n))...)
}
