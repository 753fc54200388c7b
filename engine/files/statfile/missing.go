package statfile

import (
	"math"
	"slices"
)

// systemBits is the NaN of a value that is missing without a reason; extended
// missing values have their letter in its lowest byte.
const systemBits = 0x7ff8000000000000

// Missing returns the missing value of the system: SPSS sysmis, Stata and SAS
// ".", a null.
func Missing() float64 { return math.Float64frombits(systemBits) }

// Extended returns an extended missing value: 'a' to 'z' for .a to .z, '_' for
// the ._ of SAS.
func Extended(letter byte) float64 { return math.Float64frombits(systemBits | uint64(letter)) }

// Tag returns the letter of an extended missing value; 0 for that of the system
// and for any other NaN. ok is false for a number.
func Tag(value float64) (letter byte, ok bool) {
	if value == value {
		return 0, false
	}
	bits := math.Float64bits(value)
	if letter = byte(bits); bits&^0xff == systemBits && (letter >= 'a' && letter <= 'z' || letter == '_') {
		return letter, true
	}
	return 0, true
}

// Declared reports whether the file declares a value of the variable missing,
// as SPSS does. Missing values of the system and extended ones are not declared.
func (v *Variable) Declared(value Value) bool {
	if value.IsText {
		return slices.ContainsFunc(v.Missing, func(m Value) bool { return m.IsText && m.Text == value.Text })
	}
	if r := v.MissingRange; r != nil && value.Number >= r.From && value.Number <= r.To {
		return true
	}
	return slices.ContainsFunc(v.Missing, func(m Value) bool { return !m.IsText && m.Number == value.Number })
}
