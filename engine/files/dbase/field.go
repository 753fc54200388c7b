package dbase

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// field is a column of a table.
type field struct {
	name     string // in the encoding of the file
	code     byte   // type code
	at       int    // offset in a record
	width    int
	decimals int
	kind     statfile.Kind
	varying  int  // flag bit of a variable-length text, whose last byte is its length; -1 if none
	null     int  // flag bit of a null value
	ordered  bool // numbers are stored so that their bytes sort correctly, as in dBase 7

	unreadable int // number of unreadable values
	none       int // number of NaN values
}

// field returns the field of a description; kept is false if its values are in another file.
func (l *layout) field(d []byte, at int) (f field, kept bool) {
	name, _, _ := bytes.Cut(d[:l.code], []byte{0})
	f = field{name: string(bytes.TrimRight(name, " ")), code: d[l.code], at: at, width: int(d[l.size]),
		decimals: int(d[l.decimals]), varying: -1, null: -1, ordered: l == layoutSeven}
	switch f.code {
	case 'C', 'V':
		f.kind = statfile.Text
		if l == layoutUsual {
			f.width += f.decimals << 8
		}
		f.decimals = 0
	case 'N', 'F':
	case 'I':
		return f, f.width == 4
	case '+':
		return f, f.ordered && f.width == 4
	case 'O':
		return f, f.ordered && f.width == 8
	case 'B', 'Y':
		return f, !f.ordered && f.width == 8
	case 'D':
		f.kind = statfile.Date
	case 'T':
		f.kind = statfile.DateTime
		return f, f.width == 8
	case 'L':
		f.kind = statfile.Boolean
	default:
		return f, false
	}
	return f, f.width > 0
}

// storage returns the type in dBase notation: N(8,2).
func (f *field) storage() string {
	if f.decimals > 0 {
		return fmt.Sprintf("%c(%d,%d)", f.code, f.width, f.decimals)
	}
	return fmt.Sprintf("%c(%d)", f.code, f.width)
}

// mark assigns a field its bits in the null flags of Visual FoxPro, starting at bit, and returns the next bit.
// There is one for variable-length texts and one for nullable fields.
func (f *field) mark(flags byte, bit int) int {
	const nullable = 2
	if f.code == 'V' || f.code == 'Q' {
		f.varying = bit
		bit++
	}
	if flags&nullable != 0 {
		f.null = bit
		bit++
	}
	return bit
}

// number returns the value of a numeric field; ok is false if it cannot be read.
func (f *field) number(cell []byte) (value float64, ok bool) {
	le := binary.LittleEndian
	switch f.code {
	case 'I', '+':
		switch {
		case !f.ordered:
			return float64(int32(le.Uint32(cell))), true
		case le.Uint32(cell) == 0: // blank
			return statfile.Missing(), true
		}
		return float64(int32(binary.BigEndian.Uint32(cell) ^ 1<<31)), true
	case 'O':
		if bits := binary.BigEndian.Uint64(cell); bits != 0 {
			return f.real(orderedNumber(bits)), true
		}
		return statfile.Missing(), true
	case 'B':
		return f.real(math.Float64frombits(le.Uint64(cell))), true
	case 'Y':
		return float64(int64(le.Uint64(cell))) / 10000, true
	case 'T':
		const unix = 2440588 // Julian day number of 1970-01-01
		day, milliseconds := le.Uint32(cell), le.Uint32(cell[4:])
		if day == 0 {
			return statfile.Missing(), true
		}
		return float64(int64(day)-unix)*86400 + float64(milliseconds)/1000, true
	}
	text := bytes.Trim(cell, " \x00")
	if len(text) == 0 {
		return statfile.Missing(), true
	}
	switch f.code {
	case 'D':
		at, err := time.Parse("20060102", string(text))
		if err != nil {
			return statfile.Missing(), bytes.Trim(text, "0") == nil
		}
		return float64(at.Unix() / 86400), true
	case 'L':
		switch text[0] {
		case 'T', 't', 'Y', 'y':
			return 1, true
		case 'F', 'f', 'N', 'n':
			return 0, true
		default:
			return statfile.Missing(), text[0] == '?'
		}
	}
	value, err := strconv.ParseFloat(string(bytes.Replace(text, []byte(","), []byte("."), 1)), 64)
	if err != nil || math.IsInf(value, 0) || value != value {
		return statfile.Missing(), false
	}
	return value, true
}

// real returns a number; NaN becomes missing and is counted.
func (f *field) real(value float64) float64 {
	if value != value {
		f.none++
		return statfile.Missing()
	}
	return value
}

// orderedNumber decodes a dBase 7 number, in which all bits of negative numbers and the sign bits of others are
// inverted.
func orderedNumber(bits uint64) float64 {
	const sign = 1 << 63
	if bits&sign == 0 {
		return math.Float64frombits(^bits)
	}
	return math.Float64frombits(bits ^ sign)
}
