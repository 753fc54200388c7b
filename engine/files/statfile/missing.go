package statfile

import (
	"math"
	"slices"
)

// systemBits is the NaN of the system missing value; extended missing values have their letter in the lowest byte.
const systemBits = 0x7ff8000000000000

// Missing returns the system missing value: sysmis of SPSS, "." of Stata and SAS, null.
func Missing() float64 { return math.Float64frombits(systemBits) }

// Extended returns an extended missing value: 'a' to 'z' for .a to .z, '_' for ._ of SAS.
func Extended(letter byte) float64 { return math.Float64frombits(systemBits | uint64(letter)) }

// Tag returns the letter of an extended missing value, or 0 for any other NaN; ok is false for a number.
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

// Declared reports whether the file declares a value of the variable missing, as in SPSS. System and extended
// missing values are not declared.
func (v *Variable) Declared(value Value) bool {
	if value.IsText {
		return slices.ContainsFunc(v.Missing, func(m Value) bool { return m.IsText && m.Text == value.Text })
	}
	if r := v.MissingRange; r != nil && value.Number >= r.From && value.Number <= r.To {
		return true
	}
	return slices.ContainsFunc(v.Missing, func(m Value) bool { return !m.IsText && m.Number == value.Number })
}
