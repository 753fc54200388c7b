package fileio

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// mostQuotes is the number of levels up to which each one's quotes are
// remembered where some have them and some do not.
const mostQuotes = 1 << 16

// needsQuotes reports whether a text must be written in quotes.
func (d *dialect) needsQuotes(text string) bool {
	for i := range len(text) {
		switch b := text[i]; {
		case b == d.delimiter, b == '\n', b == '\r':
			return true
		case b == d.quote && d.quote != 0:
			return true
		}
	}
	return false
}

// withQuotes marks a column as written in quotes: all of it, or some levels. A
// level that needs quotes says nothing. order are the codes of the levels.
func (a *assembly) withQuotes(column *microdata.Column, order []uint32, levels []microdata.Level) *microdata.Column {
	if !slices.ContainsFunc(a.marks, func(mark uint8) bool { return mark&quotedWord != 0 }) {
		return column
	}
	quoted, plain := 0, 0
	for _, code := range order {
		if a.needsQuotes(a.label(code)) {
			continue
		}
		switch a.marks[code-1] & (quotedWord | plainWord) {
		case quotedWord:
			quoted++
		case plainWord:
			plain++
		default:
			plain, a.mixed = plain+1, true
		}
	}
	switch {
	case quoted == 0:
		return column
	case plain == 0:
		return column.WithQuotes()
	case quoted+plain > mostQuotes:
		a.mixed = true
		return column
	}
	marked := make(map[string]bool, quoted)
	for i, code := range order {
		if a.marks[code-1]&plainWord == 0 && !a.needsQuotes(a.label(code)) {
			marked[levels[i].Label] = true
		}
	}
	return column.WithQuotedLabels(marked)
}
