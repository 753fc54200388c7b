package fileio

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// cells collects the cells of one column in the block that is being parsed,
// either as codes of a vocabulary or as numbers. Both keep every spelling.
type cells struct {
	asNumbers  bool
	vocabulary vocabulary
	codes      []uint32
	numbers    numberCells
}

// start empties the cells for the next block.
func (c *cells) start(asNumbers bool) {
	c.asNumbers = asNumbers
	if asNumbers {
		c.vocabulary = vocabulary{}
		c.numbers = numberCells{values: c.numbers.values[:0], decimals: c.numbers.decimals[:0]}
		return
	}
	c.vocabulary.reset()
	c.codes = c.codes[:0]
}

// add takes one column of a batch of records: every stride-th field from the
// first on.
func (c *cells) add(data []byte, fields []field, first, stride int, d *dialect) {
	if c.asNumbers {
		c.numbers.add(data, fields, first, stride, d)
		return
	}
	codes, table := c.codes, c.vocabulary.table
	for i := first; i < len(fields); i += stride {
		f := fields[i]
		length := f.end - f.start
		// A flag in start makes the length wrap, so that this is only for
		// short fields without quotes.
		if length < 8 {
			if length == 0 {
				codes = append(codes, 0)
				continue
			}
			k := shortKey(binary.LittleEndian.Uint64(data[f.start:f.start+8]), length)
			if s := table[c.vocabulary.first(k)]; s.key == k {
				codes = append(codes, s.code)
				continue
			}
		}
		codes = append(codes, c.code(data, f, d))
		table = c.vocabulary.table
	}
	c.codes = codes
}

// code returns the code of any field.
func (c *cells) code(data []byte, f field, d *dialect) uint32 {
	text := f.bytes(data, d.quote)
	k := textKey(text)
	if f.quoted() {
		k |= quotedKey
	}
	return c.vocabulary.code(k, text)
}

// numberCells collects cells as numbers. A cell that is missing has the value
// NaN and the number of its missing code for decimals. A cell whose spelling
// value and decimals do not tell, or that is no number at all, is odd.
type numberCells struct {
	values   []float64
	decimals []uint8
	odd      map[uint32]oddCell
	quoted   bool // the first cell that is not missing is in quotes; others must be too or are odd
	some     bool // there is a cell that is not missing
	texts    int  // cells that are no numbers
}

// oddCell is a cell as it stands in the file; it is decoded but has the file's
// decimal mark.
type oddCell struct {
	text   string
	quoted bool
}

func (n *numberCells) add(data []byte, fields []field, first, stride int, d *dialect) {
	for i := first; i < len(fields); i += stride {
		f := fields[i]
		if f.start == f.end {
			n.put(math.NaN(), 0)
			continue
		}
		text := f.bytes(data, d.quote)
		if len(d.codes) > 1 || len(text) == 0 {
			if number, missing := d.blank(text, f.quoted()); missing {
				n.put(math.NaN(), number)
				continue
			}
		}
		value, decimals, ok := parseNumber(text, d.mark)
		if !n.some {
			n.some, n.quoted = true, f.quoted()
		}
		if !ok {
			n.texts++
			value = math.NaN()
		}
		if !ok || decimals == microdata.OddSpelling || f.quoted() != n.quoted {
			n.putOdd(value, oddCell{string(text), f.quoted()})
			continue
		}
		n.put(value, decimals)
	}
}

func (n *numberCells) put(value float64, decimals uint8) {
	n.values = append(n.values, value)
	n.decimals = append(n.decimals, decimals)
}

func (n *numberCells) putOdd(value float64, cell oddCell) {
	if n.odd == nil {
		n.odd = map[uint32]oddCell{}
	}
	n.odd[uint32(len(n.values))] = cell
	n.put(value, microdata.OddSpelling)
}

// chunk is what one block contributes to a column: codes or numbers.
type chunk struct {
	from, to int             // places of its cells in the variable
	codes    microdata.Codes // 0 for the empty field, else index into words plus 1
	words    []uint32        // code in the variable's lexicon, times 2, plus 1 for quotes
	empty    bool            // code 0 occurs
	numbers  *numberCells
}

// spelling appends a cell that is not missing as it stands in the file.
func (n *numberCells) spelling(dst []byte, row int, mark byte) (text []byte, quoted bool) {
	decimals := n.decimals[row]
	if decimals == microdata.OddSpelling {
		cell := n.odd[uint32(row)]
		return append(dst, cell.text...), cell.quoted
	}
	start := len(dst)
	if decimals&microdata.BarePoint != 0 {
		dst = microdata.AppendBare(dst, n.values[row], int(decimals&^microdata.BarePoint))
	} else {
		dst = microdata.AppendDecimal(dst, n.values[row], int(decimals))
	}
	exchange(dst[start:], '.', mark)
	return dst, n.quoted
}

// missing reports whether a cell is missing.
func (n *numberCells) missing(row int) bool {
	return math.IsNaN(n.values[row]) && n.decimals[row] != microdata.OddSpelling
}

// exchange replaces the first occurrence of a decimal mark.
func exchange(text []byte, from, to byte) {
	if from == to {
		return
	}
	if i := bytes.IndexByte(text, from); i >= 0 {
		text[i] = to
	}
}
