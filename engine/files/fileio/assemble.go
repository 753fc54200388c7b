package fileio

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// assembly makes a column of the chunks of a variable.
type assembly struct {
	*variable
	name     string
	starts   []int // first record of each block, and the number of records
	blanks   blankCells
	spelling microdata.Spelling // of the cells, as far as the column does not tell it
}

func (a *assembly) records() int { return a.starts[len(a.starts)-1] }

// column returns the column. The chunks are given up on the way: codes and numbers move
// to their places, and only wider cells are in memory twice meanwhile.
func (a *assembly) column(ctx context.Context) (*microdata.Column, error) {
	a.cells(a.records())
	someNumbers := a.numbers > 0
	for _, c := range a.chunks {
		someNumbers = someNumbers || c.numbers != nil && c.numbers.some
	}
	if a.texts || !someNumbers {
		return a.textColumn(ctx)
	}
	if order, kind, ok := a.numberOrder(); ok {
		return a.dictionary(ctx, order, kind)
	}
	return a.numberColumn(ctx)
}

// textColumn returns the column as text: levels by their bytes.
func (a *assembly) textColumn(ctx context.Context) (*microdata.Column, error) {
	for i := range a.chunks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if numbers := a.chunks[i].numbers; numbers != nil {
			a.chunks[i] = a.recoded(numbers)
		}
	}
	store.Free(a.scratch, a.table)
	store.Free(a.scratch, a.values)
	store.Free(a.scratch, a.decimals)
	a.table, a.values, a.decimals = nil, nil, nil // no more words: make room
	order, err := a.textOrder(ctx)
	if err != nil {
		return nil, err
	}
	defer store.Free(a.scratch, order)
	return a.dictionary(ctx, order, microdata.Category)
}

// textOrder returns the codes of all words that are not missing codes, in the
// order of the words' bytes; described codes as mu-Argus orders them, with
// blanks before them, so that 2 comes before 10.
func (a *assembly) textOrder(ctx context.Context) ([]uint32, error) {
	// The first bytes as a number decide most comparisons without a look at
	// the words, which are all over the memory.
	type prefixed struct {
		prefix uint64
		code   uint32
	}
	words := store.Make[prefixed](a.scratch, len(a.marks))[:0]
	defer store.Free(a.scratch, words)
	for i, mark := range a.marks {
		if mark&blankWord == 0 {
			var start [8]byte
			copy(start[:], a.words[i])
			words = append(words, prefixed{binary.BigEndian.Uint64(start[:]), uint32(i + 1)})
		}
	}
	err := parallel.Sort(ctx, words, func(x, y prefixed) int {
		if a.nominal {
			if longer := utf8.RuneCountInString(a.label(x.code)) - utf8.RuneCountInString(a.label(y.code)); longer != 0 {
				return longer
			}
		}
		if x.prefix != y.prefix {
			return cmp.Compare(x.prefix, y.prefix)
		}
		return strings.Compare(a.label(x.code), a.label(y.code))
	})
	order := store.Make[uint32](a.scratch, len(words))
	for i := range words {
		order[i] = words[i].code
	}
	return order, err
}

// label returns the word of a code of the lexicon.
func (a *assembly) label(code uint32) string { return a.words[code-1] }

// recoded turns numbers back into words, as they are spelled in the file.
func (a *assembly) recoded(numbers *numberCells) chunk {
	var spelling []byte
	codes := make([]uint32, len(numbers.values))
	words := make([]uint32, 0, len(numbers.values))
	for row := range numbers.values {
		quoted := false
		if numbers.missing(row) {
			number := numbers.decimals[row]
			if number == 0 {
				continue
			}
			spelling, quoted = append(spelling[:0], a.codes[number/2]...), number%2 == 1
		} else {
			spelling, quoted = numbers.spelling(spelling[:0], row, a.mark)
		}
		words = append(words, a.word(spelling, quoted))
		codes[row] = uint32(len(words))
	}
	return chunk{codes: microdata.NarrowCodes(codes, len(words)), words: words, empty: slices.Contains(codes, 0)}
}

// numberOrder returns the codes of all words by the value of the numbers that
// they are, where there are few and each value is spelled in one way.
func (a *assembly) numberOrder() (order []uint32, kind microdata.Kind, ok bool) {
	if a.numbers > mostLevels || slices.ContainsFunc(a.chunks, func(c chunk) bool { return c.numbers != nil }) {
		return nil, 0, false
	}
	kind = microdata.Whole
	values, decimals := a.parsedLexicon()
	for i, label := range a.words {
		if a.marks[i]&blankWord != 0 {
			continue
		}
		order = append(order, uint32(i+1))
		if fractional(values[i+1], decimals[i+1], []byte(label), a.mark) {
			kind = microdata.Number
		}
	}
	slices.SortFunc(order, func(x, y uint32) int { return cmp.Compare(values[x], values[y]) })
	for i := range order {
		if i > 0 && values[order[i]] == values[order[i-1]] {
			return nil, 0, false
		}
	}
	return order, kind, true
}

// dictionary returns a column with the words of the given codes as levels.
func (a *assembly) dictionary(ctx context.Context, order []uint32, kind microdata.Kind) (*microdata.Column, error) {
	final := store.Make[uint32](a.scratch, len(a.words)+1)
	defer store.Free(a.scratch, final)
	levels := store.Make[microdata.Level](a.scratch, len(order))
	labels := store.NewArena(a.scratch, levels)
	for i, code := range order {
		final[code] = uint32(i + 1)
		label, value := a.label(code), math.NaN()
		if kind != microdata.Category {
			value, _, _ = parseNumber([]byte(label), a.mark)
			label = strings.Replace(label, string(a.mark), ".", 1)
		}
		levels[i] = microdata.Level{Label: labels.Keep(label), Value: value}
	}
	a.noteQuotes(order, levels)
	codes := a.codesOf(len(levels))
	for i, c := range a.chunks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		mapping := make([]uint32, len(c.words)+1)
		for j, word := range c.words {
			mapping[j+1] = final[word>>1]
		}
		a.noteCells(i, c)
		codes.Fill(a.starts[i], c.codes, mapping)
		a.chunks[i] = chunk{}
	}
	categories := &microdata.Categories{Levels: levels, Codes: codes, Ordered: kind != microdata.Category}
	a.blanks.spell(&a.spelling, a.codes)
	return microdata.NewCategorical(a.name, kind, categories), nil
}

// codesOf returns codes for so many levels, in the memory of the placed ones where
// they fit: a code stays where it is or moves up to its record.
func (a *assembly) codesOf(levels int) microdata.Codes {
	if levels > math.MaxUint8 {
		a.wide = places(a.scratch, a.wide, a.records())
		return microdata.CodesOf(a.wide)
	}
	a.narrow = places(a.scratch, a.narrow, a.records())
	return microdata.CodesOf(a.narrow)
}

// places returns the first places, in memory that fits them.
func places[T any](s *store.Store, placed []T, records int) []T {
	return statfile.Fitted(s, statfile.Longer(s, placed, records, records)[:records])
}

// numberColumn returns the column as numbers, in the memory of the placed ones.
func (a *assembly) numberColumn(ctx context.Context) (*microdata.Column, error) {
	gathered := &gathered{Numbers: microdata.Numbers{Values: places(a.scratch, a.values, a.records())}, scratch: a.scratch}
	a.values = gathered.Values
	values, decimals := a.parsedLexicon()
	if quoted, plain := a.quotesOfNumbers(); quoted && plain {
		a.spelling.QuotedCells = microdata.NewBits(a.records())
	} else {
		a.spelling.Quoted = quoted
	}
	for i, c := range a.chunks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		start := a.starts[i]
		if c.numbers == nil {
			a.gatherCodes(gathered, start, c, values, decimals)
			a.noteCells(i, c)
		} else {
			a.gatherNumbers(gathered, start, c.numbers)
		}
		a.chunks[i] = chunk{}
	}
	kind := microdata.Whole
	if gathered.fractional {
		kind = microdata.Number
	}
	a.blanks.spell(&a.spelling, a.codes)
	return microdata.NewNumeric(a.name, kind, &gathered.Numbers)
}

// parsedLexicon returns value and decimals of every word by its code, NaN for
// missing codes.
func (a *assembly) parsedLexicon() (values []float64, decimals []uint8) {
	values, decimals = make([]float64, len(a.marks)+1), make([]uint8, len(a.marks)+1)
	for i, label := range a.words {
		values[i+1] = math.NaN()
		if a.marks[i]&blankWord == 0 {
			values[i+1], decimals[i+1], _ = parseNumber([]byte(label), a.mark)
		}
	}
	return values, decimals
}

// quotesOfNumbers reports whether some numbers stand in quotes and some without.
func (a *assembly) quotesOfNumbers() (quoted, plain bool) {
	for _, mark := range a.marks {
		if mark&blankWord == 0 {
			quoted, plain = quoted || mark&quotedWord != 0, plain || mark&plainWord != 0
		}
	}
	for _, c := range a.chunks {
		if c.numbers == nil || !c.numbers.some {
			continue
		}
		quoted, plain = quoted || c.numbers.quoted, plain || !c.numbers.quoted
		for _, cell := range c.numbers.odd {
			quoted, plain = quoted || cell.quoted, plain || !cell.quoted
		}
	}
	return quoted, plain
}

// gatherCodes takes over the numbers of a chunk of codes.
func (a *assembly) gatherCodes(g *gathered, start int, c chunk, values []float64, decimals []uint8) {
	for row := range c.codes.Len() {
		code := c.codes.At(row)
		g.Values[start+row] = math.NaN()
		if code == 0 {
			continue
		}
		if word := c.words[code-1] >> 1; a.marks[word-1]&blankWord == 0 {
			g.put(start+row, values[word], decimals[word], a.label(word), a.mark)
		}
	}
}

// gatherNumbers takes over a chunk of numbers.
func (a *assembly) gatherNumbers(g *gathered, start int, n *numberCells) {
	for row, value := range n.values {
		decimals, quoted := n.decimals[row], n.quoted
		switch {
		case n.missing(row):
			g.Values[start+row] = math.NaN()
			a.blanks.put(start+row, decimals, a.records())
		case decimals == microdata.OddSpelling:
			cell := n.odd[uint32(row)]
			_, decimals, _ = parseNumber([]byte(cell.text), a.mark) // odd for its quotes only?
			quoted = cell.quoted
			g.put(start+row, value, decimals, cell.text, a.mark)
		default:
			g.put(start+row, value, decimals, "", a.mark)
		}
		if quoted && a.spelling.QuotedCells != nil {
			a.spelling.QuotedCells.Set(start + row)
		}
	}
}

// gathered is the storage of a numeric column in the making.
type gathered struct {
	microdata.Numbers // Decimals are nil as long as all are uniform
	some, fractional  bool
	scratch           *store.Store
}

// put stores a number. spelling, with the file's decimal mark, is needed for
// odd ones.
func (g *gathered) put(record int, value float64, decimals uint8, spelling string, mark byte) {
	g.Values[record] = value
	if decimals != 0 && !g.fractional {
		g.fractional = fractional(value, decimals, []byte(spelling), mark)
	}
	if decimals == microdata.OddSpelling {
		if g.Odd == nil {
			g.Odd = map[uint32]string{}
		}
		g.Odd[uint32(record)] = strings.Clone(strings.Replace(spelling, string(mark), ".", 1)) // words do not last
	}
	if !g.some {
		g.some, g.Uniform = true, decimals
	}
	if g.Decimals == nil {
		if decimals == g.Uniform {
			return
		}
		g.Decimals = store.Make[uint8](g.scratch, len(g.Values))
		for i := range g.Decimals {
			g.Decimals[i] = g.Uniform
		}
	}
	g.Decimals[record] = decimals
}
