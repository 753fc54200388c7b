package prepare

import (
	"math"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// spelled is a label read as a number.
type spelled struct {
	text  string // with a point as decimal mark
	value float64
	valid bool
}

// spell reads a label as a number: digits with an optional sign, decimal mark
// and exponent, blanks around them ignored. What is too large for a number is
// none.
func spell(label string, comma bool) spelled {
	s := spelled{text: label, value: math.NaN()}
	if comma {
		if strings.Contains(label, ".") {
			return s
		}
		s.text = strings.Replace(label, ",", ".", 1)
	}
	digits := strings.TrimSpace(s.text)
	// What ParseFloat takes beyond decimal numbers has other characters.
	if digits == "" || strings.Trim(digits, "+-.0123456789eE") != "" {
		return s
	}
	value, err := strconv.ParseFloat(digits, 64)
	if err != nil || math.IsInf(value, 0) {
		return s
	}
	s.value, s.valid = value+0, true // -0 and 0 are one number
	return s
}

// decimals returns how the number is spelled as package microdata counts it.
func (s *spelled) decimals() uint8 {
	_, fraction, _ := strings.Cut(s.text, ".")
	const most = 100
	if len(fraction) > most || string(microdata.AppendDecimal(nil, s.value, len(fraction))) != s.text {
		return microdata.OddSpelling
	}
	return uint8(len(fraction))
}

// wholeLimit is 2^53: above it not every whole number is a float64.
const wholeLimit = 1 << 53

func isWhole(value float64) bool {
	return value == math.Trunc(value) && math.Abs(value) <= wholeLimit
}
