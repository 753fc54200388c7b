package fileio

import "github.com/sdcdesk/sdcdesk/engine/microdata"

// mostQuotes is the number of labels in quotes up to which these are noted, and
// not the cells, where some have them and some do not.
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

// noteQuotes notes what of a dictionary stands in quotes: all of it, some labels,
// or, where a label stands both ways, that cells have to be noted. A label that
// needs quotes says nothing. order are the codes of the levels.
func (a *assembly) noteQuotes(order []uint32, levels []microdata.Level) {
	var quoted, plain, both int
	labels := map[string]bool{}
	for i, code := range order {
		if a.needsQuotes(a.label(code)) {
			continue
		}
		switch a.marks[code-1] & (quotedWord | plainWord) {
		case quotedWord:
			quoted++
			if quoted <= mostQuotes {
				labels[levels[i].Label] = true
			}
		case plainWord:
			plain++
		default:
			both++
		}
	}
	switch {
	case both > 0 || quoted > mostQuotes && plain > 0:
		a.spelling.QuotedCells = microdata.NewBits(a.records())
	case plain == 0:
		a.spelling.Quoted = quoted > 0
	case quoted > 0:
		a.spelling.QuotedLabels = labels
	}
}

// noteQuotedCells notes which cells of a chunk of codes stand in quotes.
func (a *assembly) noteQuotedCells(block int, c chunk) {
	if a.spelling.QuotedCells == nil {
		return
	}
	for row := range c.codes.Len() {
		if code := c.codes.At(row); code != 0 && c.words[code-1]&1 == 1 {
			a.spelling.QuotedCells.Set(a.starts[block] + row)
		}
	}
}
