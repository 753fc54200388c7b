package statfile

import (
	"math"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Dictionary collects the texts of rows. The zero value is ready to use; it is for one goroutine.
type Dictionary struct {
	words  Lexicon
	narrow []uint8  // codes, as long as they fit into 8 bits
	wide   []uint32 // codes after that; nil if all fit
	last   uint32   // code of the previous row

	tooLong int // row, from 1, of the first text that is longer than MostCell
}

// NewDictionary returns a dictionary with room for rows.
func NewDictionary(rows int) *Dictionary { return &Dictionary{narrow: make([]uint8, 0, rows)} }

// Add adds a row with a text, which it copies. A text longer than MostCell is not kept; Blocks returns the error.
func (d *Dictionary) Add(text []byte) {
	if d.last == 0 || d.words.Words[d.last-1] != string(text) {
		d.last = d.Code(text)
	}
	d.AddCode(d.last)
}

// Distinct returns the number of distinct texts.
func (d *Dictionary) Distinct() int { return len(d.words.Words) }

// AddMissing adds a row without a value.
func (d *Dictionary) AddMissing() { d.AddCode(0) }

// Code returns the code of a text without adding a row. See Add for a text that is too long.
func (d *Dictionary) Code(text []byte) uint32 {
	code, _ := d.words.Code(text[:d.taken(len(text))])
	return code
}

// taken returns the number of bytes to keep of a text: none if it is too long.
func (d *Dictionary) taken(length int) int {
	if length <= MostCell {
		return length
	}
	if d.tooLong == 0 {
		d.tooLong = len(d.narrow) + len(d.wide) + 1
	}
	return 0
}

// AddCode adds a row with a code returned by Code, or 0 for missing.
func (d *Dictionary) AddCode(code uint32) {
	switch {
	case d.wide != nil:
		d.wide = append(d.wide, code)
	case code <= math.MaxUint8:
		d.narrow = append(d.narrow, uint8(code))
	default:
		d.widen()
		d.wide = append(d.wide, code)
	}
}

// Cut removes all rows after the first rows.
func (d *Dictionary) Cut(rows int) {
	d.narrow, d.wide = d.narrow[:min(rows, len(d.narrow))], d.wide[:min(rows, len(d.wide))]
}

func (d *Dictionary) widen() {
	d.wide = make([]uint32, len(d.narrow), max(cap(d.narrow), len(d.narrow)+1))
	for i, code := range d.narrow {
		d.wide[i] = uint32(code)
	}
	d.narrow = nil
}

// Texts returns the collected texts; the dictionary must not be used afterwards.
func (d *Dictionary) Texts() *Texts {
	if d.wide != nil {
		return &Texts{Values: d.words.Words, Codes: microdata.CodesOf(d.wide), tooLong: d.tooLong}
	}
	return &Texts{Values: d.words.Words, Codes: microdata.CodesOf(d.narrow), tooLong: d.tooLong}
}
