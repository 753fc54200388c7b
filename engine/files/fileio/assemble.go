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

// datasetMadeOf returns the dataset of the named columns, which it builds concurrently, with the spelling of their
// cells in the source. column returns a nil column for a variable to leave out.
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

// columnMaker builds a column from its cells.
type columnMaker struct {
	ctx      context.Context
	scratch  *store.Store // memory of the column; nil for the heap
	name     string
	spelling microdata.Spelling
	kinds    map[microdata.MissingSpelling]uint32 // index in spelling.Missing
}

// kind returns the index of a spelling in spelling.Missing, adding it if new.
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

// categories returns the dictionary for codes of the given number of values. order lists the codes of levels in
// their order; consecutive ones with the same label are merged, and other codes become missing.
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
	return &microdata.Categories{Levels: levels, Codes: codes.Owned(m.scratch, len(levels), final)}
}

// mark records the spellings of missing cells; kinds is the index of the spelling by code.
func (m *columnMaker) mark(codes microdata.Codes, kinds []uint32) {
	if most := len(m.spelling.Missing) - 1; most > 0 {
		m.spelling.Of = codes.Mapped(most, kinds).CopyIn(m.scratch)
	}
}

// markNumbers sets missing numbers to NaN and records their spellings. The function missing reports whether a
// value is missing, and the index of its spelling.
func (m *columnMaker) markNumbers(values []float64, missing func(value float64) (place uint32, missing bool)) error {
	var places []uint32 // index of the spelling by row
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

// textMaker builds the column of a variable of a text file.
type textMaker struct {
	columnMaker
	*variable
}

func (m *textMaker) column() (*microdata.Column, error) {
	var places [len(m.missing)]uint32 // index of the spelling by missing code
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

// dictionary returns the categories with the words of order as levels, and records the spellings of missing cells.
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

// textOrder returns the codes of all words that are not missing codes in byte order. Described codes are in the
// order of mu-Argus, as if padded on the left, so that 2 comes before 10.
func (v *variable) textOrder(ctx context.Context) ([]uint32, error) {
	// The first eight bytes decide most comparisons without access to the words, which are scattered in memory.
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

// parsed returns the numbers of all words by code, and records how they are spelled.
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

// numberOrder returns the codes of all words in numeric order, and a function that returns their levels. Different
// spellings of the same number become one level.
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

// fractionalLevel reports whether a number is spelled with a decimal mark or is not an integer.
func fractionalLevel(l microdata.Level) bool {
	return strings.Contains(l.Label, ".") || l.Value != math.Trunc(l.Value)
}
