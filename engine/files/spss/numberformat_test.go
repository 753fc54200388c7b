package spss

import (
	"math"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Numbers are written with a format for all their digits before the point.
func TestFormatOfNumbers(t *testing.T) {
	for want, numbers := range map[string][]float64{
		"F8.0":  {1, 99999999, statfile.Missing()},
		"F9.0":  {100000000},
		"F10.0": {-100000000},
		"F11.0": {12345678901, -5},
		"F8.2":  {0.5, -1234.5},
		"F9.2":  {0.5, 123456},
		"F20.0": {1e300},
		"F20.2": {math.Inf(1), 0.5},
	} {
		s := look(&statfile.Variable{Column: statfile.Column{Numbers: numbers}})
		if got := s.numberFormat().String(); got != want {
			t.Errorf("%v: %s, expected %s", numbers, got, want)
		}
	}
}
