package statfile

import (
	"math"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Dictionary gathers the texts of rows. The zero value is ready; it is for one
// goroutine.
type Dictionary struct {
	words  Lexicon
	narrow []uint8  // codes, as long as all of them fit
	wide   []uint32 // codes from then on; nil: they do
	last   uint32   // code of the row before

	tooLong int // row, from 1, of the first text that is longer than MostCell
}

// NewDictionary returns a dictionary with room for rows.
func NewDictionary(rows int) *Dictionary { return &Dictionary{narrow: make([]uint8, 0, rows)} }

// Add adds a row with a text; the bytes may change afterwards. One longer than MostCell is
// not kept: Blocks tell it.
func (d *Dictionary) Add(text []byte) {
	if d.last == 0 || d.words.Words[d.last-1] != string(text) {
		d.last = d.Code(text)
	}
	d.AddCode(d.last)
}

// Distinct returns how many different texts there are so far.
func (d *Dictionary) Distinct() int { return len(d.words.Words) }

// AddMissing adds a row without a value.
func (d *Dictionary) AddMissing() { d.AddCode(0) }

// Code returns the code of a text, which no row need have. See Add for one that is too long.
func (d *Dictionary) Code(text []byte) uint32 {
	code, _ := d.words.Code(text[:d.taken(len(text))])
	return code
}

// taken returns how many bytes of a text are taken: none where it is too long.
func (d *Dictionary) taken(length int) int {
	if length <= MostCell {
		return length
	}
	if d.tooLong == 0 {
		d.tooLong = len(d.narrow) + len(d.wide) + 1
	}
	return 0
}

// AddCode adds a row with a code of Code, 0: missing.
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

// Cut keeps the first rows.
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

// Texts returns what was gathered; the dictionary must not be used any more.
func (d *Dictionary) Texts() *Texts {
	if d.wide != nil {
		return &Texts{Values: d.words.Words, Codes: microdata.CodesOf(d.wide), tooLong: d.tooLong}
	}
	return &Texts{Values: d.words.Words, Codes: microdata.CodesOf(d.narrow), tooLong: d.tooLong}
}
