package fileio

import (
	"strings"

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
// level that needs quotes says nothing. labels are those of the column.
func (a *assembly) withQuotes(column *microdata.Column, levels []level, labels []microdata.Level) *microdata.Column {
	quoted, plain := 0, 0
	for _, l := range levels {
		if a.needsQuotes(l.label) {
			continue
		}
		switch a.marks[l.code-1] & (quotedWord | plainWord) {
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
	for i, l := range levels {
		if a.marks[l.code-1]&plainWord == 0 && !a.needsQuotes(l.label) {
			marked[strings.Clone(labels[i].Label)] = true
		}
	}
	return column.WithQuotedLabels(marked)
}
