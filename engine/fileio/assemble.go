package fileio

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// assembly makes a column of the chunks of a variable.
type assembly struct {
	*variable
	*dialect
	name   string
	starts []int // first record of each block, and the number of records
	blanks blankCells
	mixed  bool // some equal or similar cells were in quotes and some not
}

func (a *assembly) records() int { return a.starts[len(a.starts)-1] }

// column returns the column. The chunks are given up on the way, so that cells
// are in memory twice for one column at a time only.
func (a *assembly) column() (*microdata.Column, error) {
	someNumbers := a.numbers > 0
	for _, c := range a.chunks {
		someNumbers = someNumbers || c.numbers != nil && c.numbers.some
	}
	if a.texts || !someNumbers {
		return a.textColumn(), nil
	}
	if levels, kind, ok := a.numberLevels(); ok {
		return a.dictionary(levels, kind), nil
	}
	return a.numberColumn()
}

// level is a word that is a level of the column.
type level struct {
	label string
	value float64
	code  uint32 // in the lexicon
}

// textColumn returns the column as text: levels by their bytes.
func (a *assembly) textColumn() *microdata.Column {
	for i := range a.chunks {
		if numbers := a.chunks[i].numbers; numbers != nil {
			a.chunks[i] = a.recoded(numbers)
		}
	}
	type prefixed struct {
		prefix uint64
		code   uint32
	}
	order := make([]prefixed, 0, len(a.marks))
	for i, mark := range a.marks {
		if mark&blankWord == 0 {
			var start [8]byte
			copy(start[:], a.lexicon.labels[i])
			order = append(order, prefixed{binary.BigEndian.Uint64(start[:]), uint32(i + 1)})
		}
	}
	slices.SortFunc(order, func(x, y prefixed) int {
		if x.prefix != y.prefix {
			return cmp.Compare(x.prefix, y.prefix)
		}
		return strings.Compare(a.lexicon.labels[x.code-1], a.lexicon.labels[y.code-1])
	})
	levels := make([]level, len(order))
	for i, o := range order {
		levels[i] = level{a.lexicon.labels[o.code-1], math.NaN(), o.code}
	}
	return a.dictionary(levels, microdata.Category)
}

// recoded turns numbers back into words, as they are spelled in the file.
func (a *assembly) recoded(numbers *numberCells) chunk {
	var spelling []byte
	codes := make([]uint32, len(numbers.values))
	words := make([]uint32, 0, len(numbers.values))
	for row := range numbers.values {
		quoted := false
		if numbers.missing(row) {
			number := numbers.decimalsOf(row)
			if number == 0 {
				continue
			}
			spelling, quoted = append(spelling[:0], a.codes[number/2]...), number%2 == 1
		} else {
			spelling, quoted = numbers.spelling(spelling[:0], row, a.mark)
		}
		k := textKey(spelling)
		if quoted {
			k |= quotedKey
		}
		words = append(words, a.word(k, spelling, a.dialect))
		codes[row] = uint32(len(words))
	}
	return newChunk(codes, words)
}

// numberLevels returns the levels of a numeric column by value, where it has few
// and each value is spelled in one way.
func (a *assembly) numberLevels() (levels []level, kind microdata.Kind, ok bool) {
	if a.numbers > mostLevels || slices.ContainsFunc(a.chunks, func(c chunk) bool { return c.numbers != nil }) {
		return nil, 0, false
	}
	kind = microdata.Whole
	for i, label := range a.lexicon.labels {
		if a.marks[i]&blankWord != 0 {
			continue
		}
		value, decimals, _ := parseNumber([]byte(label), a.mark)
		if fractional(value, decimals, []byte(label), a.mark) {
			kind = microdata.Number
		}
		levels = append(levels, level{label, value, uint32(i + 1)})
	}
	slices.SortFunc(levels, func(x, y level) int { return cmp.Compare(x.value, y.value) })
	for i := range levels {
		if i > 0 && levels[i].value == levels[i-1].value {
			return nil, 0, false
		}
	}
	return levels, kind, true
}

// dictionary returns a column of the given levels.
func (a *assembly) dictionary(levels []level, kind microdata.Kind) *microdata.Column {
	final := make([]uint32, len(a.lexicon.labels)+1)
	out := make([]microdata.Level, len(levels))
	for i, l := range levels {
		final[l.code] = uint32(i + 1)
		out[i] = microdata.Level{Label: l.label, Value: l.value}
		if kind != microdata.Category {
			out[i].Label = strings.Replace(l.label, string(a.mark), ".", 1)
		}
	}
	codes := microdata.NewCodes(a.records(), len(levels))
	for i, c := range a.chunks {
		mapping := make([]uint32, len(c.words)+1)
		for j, word := range c.words {
			mapping[j+1] = final[word>>1]
		}
		fill(codes, a.starts[i], c.codes, mapping)
		a.fillBlanks(i, c, mapping)
		a.chunks[i] = chunk{}
	}
	categories := &microdata.Categories{Levels: out, Codes: codes, Ordered: kind != microdata.Category}
	column := microdata.NewCategorical(a.name, kind, categories, a.blanks.blanks(a.codes))
	return a.withQuotes(column, levels, out)
}

// fillBlanks notes how the missing cells of a chunk of codes are spelled.
func (a *assembly) fillBlanks(block int, c chunk, mapping []uint32) {
	a.blanks.seen[0] = a.blanks.seen[0] || c.empty
	numbers, spelled := make([]uint8, len(mapping)), false
	for j, word := range c.words {
		if mapping[j+1] == 0 {
			numbers[j+1], _ = a.blank([]byte(a.lexicon.labels[word>>1-1]), word&1 == 1)
			spelled = true
		}
	}
	if !spelled {
		return
	}
	for row := range c.codes.Len() {
		if number := numbers[c.codes.At(row)]; number != 0 {
			a.blanks.put(a.starts[block]+row, number, a.records())
		}
	}
}
