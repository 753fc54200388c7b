package fileio

import (
	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// mostQuotes is the number of labels in quotes up to which these are noted, and
// not the cells, where some have them and some do not.
const mostQuotes = 1 << 16

// needsQuotes reports whether a text must be written in quotes.
func (d *dialect) needsQuotes(text string) bool {
	for i := range len(text) { // one pass: cells are short
		switch b := text[i]; {
		case b == d.delimiter, b == '\n', b == '\r', b == d.quote && d.quote != 0:
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

// noteCells notes which cells of a chunk of codes are missing, and how, and which
// stand in quotes.
func (a *assembly) noteCells(block int, c chunk) {
	a.blanks.seen[0] = a.blanks.seen[0] || c.empty
	numbers, some := make([]uint8, len(c.words)+1), false
	for i, word := range c.words {
		if a.marks[word>>1-1]&blankWord != 0 {
			numbers[i+1], _ = a.blank([]byte(a.label(word>>1)), word&1 == 1)
			some = true
		}
	}
	if !some && a.spelling.QuotedCells == nil {
		return
	}
	for row := range c.codes.Len() {
		code, record := c.codes.At(row), a.starts[block]+row
		if number := numbers[code]; number != 0 {
			a.blanks.put(record, number, a.records())
		}
		if a.spelling.QuotedCells != nil && code != 0 && c.words[code-1]&1 == 1 {
			a.spelling.QuotedCells.Set(record)
		}
	}
}

// blankCells notes which missing code each missing cell of a column is, as long
// as all are empty fields without a byte per record.
type blankCells struct {
	scratch *store.Store
	of      []uint8 // number of the missing code per record; nil: 0 for all
	seen    [2 * (maxMissing + 1)]bool
}

func (b *blankCells) put(record int, number uint8, records int) {
	b.seen[number] = true
	if number == 0 {
		return
	}
	if b.of == nil {
		b.of = store.Make[uint8](b.scratch, records)
	}
	b.of[record] = number
}

// spell notes how the missing cells are spelled. codes are the missing codes of
// the format.
func (b *blankCells) spell(out *microdata.Spelling, codes []string) {
	if b.of == nil {
		return
	}
	var index [len(b.seen)]uint8
	for number, seen := range b.seen {
		if seen {
			index[number] = uint8(len(out.Missing))
			out.Missing = append(out.Missing, microdata.MissingSpelling{Text: codes[number/2], Quoted: number%2 == 1})
		}
	}
	if len(out.Missing) == 1 {
		return
	}
	for i, number := range b.of {
		b.of[i] = index[number]
	}
	out.Of = microdata.CodesOf(b.of)
}
