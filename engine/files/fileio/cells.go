package fileio

import (
	"encoding/binary"
)

// cells collects the cells of one column in a block, either as codes of a vocabulary or as numbers. Both preserve
// the spelling.
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

// add collects a column from a batch of records: every stride-th field, starting with first.
func (c *cells) add(data []byte, fields []field, first, stride int, d *dialect) {
	if c.asNumbers {
		c.numbers.add(data, fields, first, stride, d)
		return
	}
	codes, table := c.codes, c.vocabulary.table
	for i := first; i < len(fields); i += stride {
		f := fields[i]
		length := f.end - f.start
		// A flag in start makes the length wrap around, so this is reached only by short fields without quotes.
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

// numberCells collects cells as numbers. A missing cell is a missingCell, and so is a text. A cell that is not a
// number, or whose spelling does not follow from its value and decimals, is in odd as well.
type numberCells struct {
	values   []float64
	decimals []uint8
	odd      map[uint32]string     // text in UTF-8, with the decimal mark of the file
	quotes   uint8                 // quoting of values that need no quotes
	missing  [maxMissing + 1]uint8 // quoting of missing codes
	texts    bool                  // some cells are not numbers
}

func (n *numberCells) add(data []byte, fields []field, first, stride int, d *dialect) {
	for i := first; i < len(fields); i += stride {
		f := fields[i]
		text := f.bytes(data, d.quote)
		quotes := quotesOf(f.quoted())
		if len(d.codes) > 1 || len(text) == 0 {
			if number, missing := d.blank(text); missing {
				n.missing[number] |= quotes
				n.put(missingCell(number), 0)
				continue
			}
		}
		if n.quotes&quotes == 0 && !d.needsQuotes(string(text)) {
			n.quotes |= quotes
		}
		value, decimals, ok := parseNumber(text, d.mark)
		if !ok {
			n.texts = true
			value, decimals = missingCell(0), oddSpelling
		}
		if decimals == oddSpelling {
			if n.odd == nil {
				n.odd = map[uint32]string{}
			}
			n.odd[uint32(len(n.values))] = string(text)
		}
		n.put(value, decimals)
	}
}

func (n *numberCells) put(value float64, decimals uint8) {
	n.values = append(n.values, value)
	n.decimals = append(n.decimals, decimals)
}
