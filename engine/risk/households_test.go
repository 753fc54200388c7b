package risk_test

import (
	"math"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// Members belong together wherever they stand; a record without an identifier is
// a household of its own, also between members of another.
func TestHouseholdsOfNumbers(t *testing.T) {
	none := math.NaN()
	for name, test := range map[string]struct {
		identifiers []float64
		households  int
	}{
		"together":       {[]float64{1, 1, 2, 5, 5}, 3},
		"parted":         {[]float64{1, none, 1}, 2},
		"equal, parted":  {[]float64{1, none, none, 2, 2}, 4},
		"descending":     {[]float64{2, 1, 2}, 2},
		"same at an end": {[]float64{3, 1, 3, 3}, 2},
	} {
		column, err := microdata.NewNumeric("h", microdata.Whole, &microdata.Numbers{Values: test.identifiers})
		if err != nil {
			t.Fatal(err)
		}
		households := risk.NewHouseholds(column)
		if households.Len() != test.households {
			t.Errorf("%s: %d households, want %d", name, households.Len(), test.households)
			continue
		}
		for a := range test.identifiers {
			for b := range test.identifiers {
				same := a == b || test.identifiers[a] == test.identifiers[b]
				if (households.Of(a) == households.Of(b)) != same {
					t.Errorf("%s: records %d and %d", name, a, b)
				}
			}
		}
	}
}
