package prepare

import (
	"math"
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
	s.value = microdata.LabelNumber(strings.TrimSpace(s.text)) + 0 // -0 and 0 are one number
	s.valid = !math.IsNaN(s.value)
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
