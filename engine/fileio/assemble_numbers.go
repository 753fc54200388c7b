package fileio

import (
	"bytes"
	"context"
	"math"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// numberColumn returns the column as numbers.
func (a *assembly) numberColumn(ctx context.Context) (*microdata.Column, error) {
	gathered := newGathered(a.records())
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
	return microdata.NewNumeric(a.name, kind, gathered.numbers())
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
	values     []float64
	decimals   []uint8 // nil as long as all are uniform
	uniform    uint8
	some       bool
	odd        map[uint32]string
	fractional bool
}

func newGathered(records int) *gathered {
	g := &gathered{values: make([]float64, records)}
	for i := range g.values {
		g.values[i] = math.NaN()
	}
	return g
}

// put stores a number. spelling, with the file's decimal mark, is needed for
// odd ones.
func (g *gathered) put(record int, value float64, decimals uint8, spelling string, mark byte) {
	g.values[record] = value
	if decimals != 0 && !g.fractional {
		g.fractional = fractional(value, decimals, []byte(spelling), mark)
	}
	if decimals == microdata.OddSpelling {
		if g.odd == nil {
			g.odd = map[uint32]string{}
		}
		g.odd[uint32(record)] = strings.Replace(spelling, string(mark), ".", 1)
	}
	if !g.some {
		g.some, g.uniform = true, decimals
	}
	if g.decimals == nil {
		if decimals == g.uniform {
			return
		}
		g.decimals = bytes.Repeat([]byte{g.uniform}, len(g.values))
	}
	g.decimals[record] = decimals
}

func (g *gathered) numbers() *microdata.Numbers {
	return &microdata.Numbers{Values: g.values, Decimals: g.decimals, Uniform: g.uniform, Odd: g.odd}
}
