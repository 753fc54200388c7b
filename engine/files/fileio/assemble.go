package fileio

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// datasetMadeOf returns the dataset of columns of the names, which are made several at a time, each with how the source
// spelled its cells; nil: it is not wanted.
func datasetMadeOf(ctx context.Context, scratch *store.Store, names []string,
	column func(i int) (*microdata.Column, *microdata.Spelling, error)) (*microdata.Dataset, error) {
	columns, spellings := make([]*microdata.Column, len(names)), make([]*microdata.Spelling, len(names))
	err := parallel.Each(ctx, len(names), func(i int) (err error) {
		columns[i], spellings[i], err = column(i)
		return err
	})
	if err != nil {
		return nil, err
	}
	byName := make(map[string]*microdata.Spelling, len(names))
	for i, name := range names {
		byName[name] = spellings[i]
	}
	data, err := microdata.NewDataset(slices.DeleteFunc(columns, func(c *microdata.Column) bool { return c == nil }))
	if err != nil {
		return nil, err
	}
	return data.WithSpellings(byName).In(scratch), nil
}

// columnMaker makes a column of cells that were gathered.
type columnMaker struct {
	ctx      context.Context
	scratch  *store.Store // of the column; nil: the heap
	name     string
	spelling microdata.Spelling
	kinds    map[microdata.MissingSpelling]uint32 // of missing cells, by their place in the spelling
}

// kind returns the place of a kind of missing cells among the spellings.
func (m *columnMaker) kind(spelling microdata.MissingSpelling) uint32 {
	place, known := m.kinds[spelling]
	if !known {
		if m.kinds == nil {
			m.kinds = map[microdata.MissingSpelling]uint32{}
		}
		place = uint32(len(m.spelling.Missing))
		m.kinds[spelling] = place
		m.spelling.Missing = append(m.spelling.Missing, spelling)
	}
	return place
}

// categories returns the dictionary of the codes of so many values: their levels in an order, of which those that follow
// each other with one name are one. Codes that are not among the ordered ones are missing.
func (m *columnMaker) categories(codes microdata.Codes, values int, order []uint32,
	level func(code uint32) microdata.Level) *microdata.Categories {
	final := store.Make[uint32](m.scratch, values+1)
	defer store.Free(m.scratch, final)
	levels := store.Make[microdata.Level](m.scratch, len(order))[:0]
	labels := store.NewArena(m.scratch, levels[:cap(levels)])
	for _, code := range order {
		l := level(code)
		if last := len(levels) - 1; last < 0 || levels[last].Label != l.Label {
			l.Label = labels.Keep(l.Label)
			levels = append(levels, l)
		}
		final[code] = uint32(len(levels))
	}
	return &microdata.Categories{Levels: levels, Codes: codes.Settled(m.scratch, len(levels), final)}
}

// mark notes which cells are spelled in which way: kinds has the places of the spellings by the codes.
func (m *columnMaker) mark(codes microdata.Codes, kinds []uint32) {
	if most := len(m.spelling.Missing) - 1; most > 0 {
		m.spelling.Of = codes.Mapped(most, kinds).CopyIn(m.scratch)
	}
}

// markNumbers makes numbers missing, and notes how they are spelled. missing returns the place of the spelling of a cell
// that is.
func (m *columnMaker) markNumbers(values []float64, missing func(value float64) (place uint32, missing bool)) error {
	var places []uint32 // of the kinds of missing cells
	for row, value := range values {
		if parallel.Stopped(m.ctx, row) {
			return m.ctx.Err()
		}
		place, missing := missing(value)
		if !missing {
			continue
		}
		if place > 0 && places == nil {
			places = store.Make[uint32](m.scratch, len(values))
		}
		if place > 0 {
			places[row] = place
		}
		values[row] = math.NaN()
	}
	if places != nil {
		m.mark(microdata.CodesOf(places), stat.InOrder(len(m.spelling.Missing)))
		store.Free(m.scratch, places)
	}
	return nil
}

// textMaker makes the column of a variable of a text file.
type textMaker struct {
	columnMaker
	*variable
}

func (m *textMaker) column() (*microdata.Column, error) {
	var places [len(m.missing)]uint32 // of the spellings, by the numbers of the missing codes
	for number, quotes := range m.missing {
		if quotes != 0 {
			places[number] = m.kind(microdata.MissingSpelling{Text: m.variable.codes[number], Quoted: quotes == quotedCell})
		}
	}
	m.spelling.Quoted = m.quotes == quotedCell
	if m.texts || m.distinct == 0 && !m.shown.some {
		codes := m.Codes(m.coded)
		order, err := m.textOrder(m.ctx)
		if err != nil {
			return nil, err
		}
		defer store.Free(m.scratch, order)
		out := m.dictionary(codes, order, places[:], func(code uint32) microdata.Level {
			return microdata.Level{Label: m.Words[code-1], Value: math.NaN()}
		})
		if !m.nominal {
			out = out.Chronological()
		}
		return microdata.NewCategorical(m.name, microdata.Category, out), m.ctx.Err()
	}
	values := m.parsed()
	if m.distinct <= mostLevels && !m.HasNumbers() {
		order, level := m.numberOrder(values)
		out := m.dictionary(m.Codes(nil), order, places[:], level)
		out.Ordered = true
		return microdata.NewCategorical(m.name, kindOf(!slices.ContainsFunc(out.Levels, fractionalLevel)), out), m.ctx.Err()
	}
	numbers := &microdata.Numbers{Values: m.Numbers(values), Decimals: m.shown.decimals}
	err := m.markNumbers(numbers.Values, func(value float64) (uint32, bool) {
		if value == value {
			return 0, false
		}
		return places[missingNumber(value)], true
	})
	if err != nil {
		return nil, err
	}
	return microdata.NewNumeric(m.name, kindOf(m.shown.whole()), numbers), nil
}

func kindOf(whole bool) microdata.Kind {
	if whole {
		return microdata.Whole
	}
	return microdata.Number
}

// dictionary returns the words of the given codes as levels, and notes how missing cells are spelled.
func (m *textMaker) dictionary(codes microdata.Codes, order, places []uint32,
	level func(code uint32) microdata.Level) *microdata.Categories {
	kinds := store.Make[uint32](m.scratch, len(m.Words)+1)
	kinds[0] = places[0]
	for code, number := range m.blanks {
		kinds[code] = places[number]
	}
	m.mark(codes, kinds)
	store.Free(m.scratch, kinds)
	return m.categories(codes, len(m.Words), order, level)
}

// textOrder returns the codes of all words that are not missing codes, in the
// order of the words' bytes; described codes as mu-Argus orders them, with
// blanks before them, so that 2 comes before 10.
func (v *variable) textOrder(ctx context.Context) ([]uint32, error) {
	// The first bytes as a number decide most comparisons without a look at
	// the words, which are all over the memory.
	type prefixed struct {
		prefix uint64
		code   uint32
	}
	words := store.Make[prefixed](v.Scratch, len(v.Words))[:0]
	defer store.Free(v.Scratch, words)
	for i, word := range v.Words {
		if _, missing := v.blanks[uint32(i+1)]; !missing {
			var start [8]byte
			copy(start[:], word)
			words = append(words, prefixed{binary.BigEndian.Uint64(start[:]), uint32(i + 1)})
		}
	}
	err := parallel.Sort(ctx, words, func(x, y prefixed) int {
		if v.nominal {
			longer := utf8.RuneCountInString(v.Words[x.code-1]) - utf8.RuneCountInString(v.Words[y.code-1])
			if longer != 0 {
				return longer
			}
		}
		if x.prefix != y.prefix {
			return cmp.Compare(x.prefix, y.prefix)
		}
		return strings.Compare(v.Words[x.code-1], v.Words[y.code-1])
	})
	order := store.Make[uint32](v.Scratch, len(words))
	for i := range words {
		order[i] = words[i].code
	}
	return order, err
}

// parsed returns the numbers of all words by their codes, and sees how they are spelled.
func (v *variable) parsed() []float64 {
	values := make([]float64, len(v.Words)+1)
	values[0] = missingCell(0)
	for i, word := range v.Words {
		if number, missing := v.blanks[uint32(i+1)]; missing {
			values[i+1] = missingCell(number)
			continue
		}
		value, decimals, _ := parseNumber([]byte(word), v.mark)
		v.shown.add(value, decimals)
		values[i+1] = value
	}
	return values
}

// numberOrder returns the codes of all words by the numbers that they are, and their levels. Those of a number that is
// spelled in several ways are one.
func (v *variable) numberOrder(values []float64) (order []uint32, level func(code uint32) microdata.Level) {
	spellings := map[float64]int{}
	for code, value := range values {
		if value == value {
			order = append(order, uint32(code))
			spellings[value]++
		}
	}
	slices.SortFunc(order, func(x, y uint32) int { return cmp.Compare(values[x], values[y]) })
	return order, func(code uint32) microdata.Level {
		value := values[code]
		if spellings[value] > 1 {
			return microdata.Level{Label: strconv.FormatFloat(value+0, 'f', -1, 64), Value: value + 0}
		}
		return microdata.Level{Label: strings.Replace(v.Words[code-1], string(v.mark), ".", 1), Value: value}
	}
}

// fractionalLevel reports whether a number is spelled with a decimal mark or is not whole.
func fractionalLevel(l microdata.Level) bool {
	return strings.Contains(l.Label, ".") || l.Value != math.Trunc(l.Value)
}
