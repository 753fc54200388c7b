package fileio

import (
	"context"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// valuesSeen are the values of a variable of another program's file, in the order in which they come
// first. A code, from 1, stands for each; of texts 0 is missing.
type valuesSeen struct {
	variable statfile.Variable // without a column
	declared string            // what becomes of values declared missing
	by       bool              // groups go by it
	most     int               // values up to which they are kept

	numbers []float64
	texts   []string
	codeOf  map[uint64]uint32 // of numbers, by their bits
	textOf  map[string]uint32 // codes of texts
	counts  []int             // records by code
	bytes   int64             // of memory that the values take
	taken   int64             // of that, from the budget

	groups  []uint32          // by code: that by which groups go; 0: missing
	groupOf map[string]uint32 // by what a value is called
	first   []uint32          // by code of groups: the first value

	// of variables of more values than are kept
	many       bool
	blank      int //  records without a value
	fractional bool
}

// newValuesSeen begins before the first piece.
func newValuesSeen(v *statfile.Variable, declared string, by bool, most int) valuesSeen {
	s := valuesSeen{variable: *v, declared: declared, by: by, most: most, codeOf: map[uint64]uint32{},
		textOf: map[string]uint32{}, counts: []int{0}, groups: []uint32{0}, groupOf: map[string]uint32{}, first: []uint32{0}}
	if s.variable.Column = (statfile.Column{}); by || declared == declaredCategory && v.Kind != statfile.Number {
		s.most = math.MaxInt32 // which one is the category depends on all
	}
	return s
}

// add counts the cells of a piece, and returns by record the codes by which groups go; nil: none do.
func (v *valuesSeen) add(c *statfile.Column) []uint32 {
	switch {
	case c.Texts != nil && v.many:
		counts := c.Texts.Codes.Counts(len(c.Texts.Values) + 1)
		v.blank += counts[0]
		for i, text := range c.Texts.Values {
			v.lookAt(statfile.Value{Text: text, IsText: true}, counts[i+1])
		}
		return nil
	case c.Texts != nil:
		codes := make([]uint32, len(c.Texts.Values)+1)
		for i, text := range c.Texts.Values {
			codes[i+1] = v.text(text)
		}
		return v.addCodes(c.Texts.Codes, codes)
	case c.Few != nil && !v.many:
		return v.addNumbers(c.Few.Values, microdata.CodesOf(c.Few.Codes))
	}
	numbers := c.AsNumbers(nil)
	if !v.many {
		if values, codes, few := statfile.Distinct[uint32](context.Background(), nil, numbers, v.most); few {
			return v.addNumbers(values, microdata.CodesOf(codes))
		}
		v.forget()
	}
	for _, number := range numbers {
		v.lookAt(statfile.Value{Number: number}, 1)
	}
	return nil
}

func (v *valuesSeen) addNumbers(values []float64, codes microdata.Codes) []uint32 {
	of := make([]uint32, len(values))
	for i, value := range values {
		of[i] = v.number(value)
	}
	return v.addCodes(codes, of)
}

// addCodes counts cells by the codes that those of a piece stand for.
func (v *valuesSeen) addCodes(codes microdata.Codes, of []uint32) (groups []uint32) {
	for code, count := range codes.Counts(len(of)) {
		v.counts[of[code]] += count
	}
	if len(v.counts)-1 > v.most {
		v.forget()
	}
	if !v.by {
		return nil
	}
	groups = make([]uint32, codes.Len())
	for row := range groups {
		groups[row] = v.groups[of[codes.At(row)]]
	}
	return groups
}

func (v *valuesSeen) number(value float64) uint32 {
	bits := math.Float64bits(value)
	code, known := v.codeOf[bits]
	if !known {
		v.numbers = append(v.numbers, value)
		if value == 0 {
			value = 0 // no negative zero
		}
		code = v.enter(statfile.Value{Number: value})
		v.codeOf[bits] = code
	}
	return code
}

func (v *valuesSeen) text(text string) uint32 {
	code, known := v.textOf[text]
	if !known {
		v.texts = append(v.texts, text)
		code = v.enter(statfile.Value{Text: text, IsText: true})
		v.textOf[text] = code
	}
	return code
}

// enter gives a value the next code.
func (v *valuesSeen) enter(value statfile.Value) uint32 {
	const ofValue, ofGroup = 64, 96
	v.bytes += ofValue + int64(len(value.Text))
	v.counts = append(v.counts, 0)
	if !v.by {
		return uint32(len(v.counts) - 1)
	}
	maker := columnMaker{variable: &v.variable, declared: v.declared}
	e, group := maker.entryOf(value), uint32(0)
	if e.marked && !e.missing {
		e.level.Label = "\x00" // all declared missing values are one category
	}
	if !e.missing {
		var known bool
		if group, known = v.groupOf[e.level.Label]; !known {
			group = uint32(len(v.first))
			v.groupOf[e.level.Label] = group
			v.first = append(v.first, uint32(len(v.groups)))
			v.bytes += ofGroup + int64(len(e.level.Label))
		}
	}
	v.groups = append(v.groups, group)
	return uint32(len(v.counts) - 1)
}

// grown returns how many bytes more the values take than when it was asked last.
func (v *valuesSeen) grown() int64 {
	grown := v.bytes - v.taken
	v.taken = v.bytes
	return grown
}

// forget lets the values go, of which there are many.
func (v *valuesSeen) forget() {
	v.many = true
	v.blank += v.counts[0]
	for i, number := range v.numbers {
		v.lookAt(statfile.Value{Number: number}, v.counts[i+1])
	}
	for i, text := range v.texts {
		v.lookAt(statfile.Value{Text: text, IsText: true}, v.counts[i+1])
	}
	v.numbers, v.texts, v.codeOf, v.textOf, v.counts, v.bytes = nil, nil, nil, nil, nil, 0
}

// lookAt says what a value of many makes of a variable.
func (v *valuesSeen) lookAt(value statfile.Value, records int) {
	if v.missing(value) {
		v.blank += records
	} else if !value.IsText {
		v.fractional = v.fractional || value.Number != math.Trunc(value.Number)
	}
}

// missing reports whether cells with a value of many are missing.
func (v *valuesSeen) missing(value statfile.Value) bool {
	if letter, missing := statfile.Tag(value.Number); missing {
		return letter == 0 || v.variable.Kind == statfile.Number || v.declared == declaredMissing
	}
	return value.IsText && value.Text == "" || v.declared == declaredMissing && v.variable.Declared(value)
}

// kind returns what a variable of many values is.
func (v *valuesSeen) kind() microdata.Kind {
	switch {
	case v.variable.Kind != statfile.Number:
		return microdata.Category
	case v.fractional:
		return microdata.Number
	}
	return microdata.Whole
}

// whole returns the column that the values make, with a row for each that some record has.
func (v *valuesSeen) whole(ctx context.Context, name string) (wholeColumn, error) {
	w := wholeColumn{maker: &columnMaker{ctx: ctx, variable: &v.variable, name: name, declared: v.declared}}
	if w.maker.said = w.maker.description(); v.many {
		return w, nil
	}
	var rows []uint32
	w.row = make([]uint32, len(v.counts))
	for code, count := range v.counts {
		if count > 0 {
			w.row[code] = uint32(len(rows))
			rows, w.counts = append(rows, uint32(code)), append(w.counts, count)
		}
	}
	if v.variable.Kind == statfile.Text {
		v.variable.Column.Texts = &statfile.Texts{Values: v.texts, Codes: microdata.CodesOf(rows)}
	} else {
		for _, code := range rows {
			v.variable.Column.Numbers = append(v.variable.Column.Numbers, v.numbers[code-1])
		}
	}
	var err error
	w.column, err = w.maker.column()
	v.variable.Column = statfile.Column{}
	if err == nil && v.by && w.column.StoredAsNumbers() != nil && v.groupOf["\x00"] > 0 {
		err = failure(ErrFormat, "variable %s has too many values for those that are declared missing to be a category; "+
			"choose that they are missing (declared missing)", quotedName(name))
	}
	return w, err
}

// ofGroups returns the column of groups that have these codes.
func (v *valuesSeen) ofGroups(w *wholeColumn, codes []uint32) (column *microdata.Column, err error) {
	if numbers := w.column.StoredAsNumbers(); numbers != nil {
		picked := &microdata.Numbers{Values: make([]float64, len(codes)), Uniform: numbers.Uniform}
		for i, code := range codes {
			if picked.Values[i] = math.NaN(); code > 0 {
				picked.Values[i] = numbers.Values[w.row[v.first[code]]]
			}
		}
		column, err = microdata.NewNumeric(w.column.Name(), w.column.Kind(), picked)
		if err != nil {
			return nil, err
		}
		return column.WithDescription(w.maker.said), nil
	}
	of := w.column.Categories()
	mapping := make([]uint32, len(v.first))
	for code := 1; code < len(mapping); code++ {
		mapping[code] = of.Codes.At(int(w.row[v.first[code]]))
	}
	picked := microdata.CodesOf(codes).Mapped(len(of.Levels), mapping).Copy()
	return microdata.NewCategorical(w.column.Name(), w.column.Kind(), &microdata.Categories{Levels: of.Levels, Codes: picked,
		Ordered: of.Ordered}).WithDescription(w.maker.said), nil
}

// sums returns cells as numbers, those that are missing as NaN, and how many decimals they have at most.
func (v *valuesSeen) sums(c *statfile.Column) (values []float64, decimals int) {
	if c.Texts != nil {
		return slices.Repeat([]float64{math.NaN()}, c.Len()), 0
	}
	values = slices.Clone(c.AsNumbers(nil))
	for i, value := range values {
		if v.missing(statfile.Value{Number: value}) {
			values[i] = math.NaN()
			continue
		}
		for decimals < mostDecimals && !hasDecimals(value, decimals) {
			decimals++
		}
	}
	return values, decimals
}

// mostDecimals are as many as a float64 tells.
const mostDecimals = 15

// hasDecimals reports whether a number has at most so many decimals.
func hasDecimals(value float64, decimals int) bool {
	scale := math.Pow10(decimals)
	return math.Round(value*scale)/scale == value
}
