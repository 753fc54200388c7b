package microdata_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Members of a household need not be adjacent; a record without an identifier is a household of its own, also
// between members of another.
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
		column := microdata.NewNumeric("h", microdata.Whole, &microdata.Numbers{Values: test.identifiers})
		households := microdata.NewHouseholds(column)
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

// Of one household of three members, one of two and two of one, the first two have a unique size.
func TestHouseholdsSingledOutBySize(t *testing.T) {
	column := microdata.NewNumeric("h", microdata.Whole, &microdata.Numbers{Values: []float64{7, 7, 7, 8, 9, 9, 10}})
	h := microdata.NewHouseholds(column)
	if want := []int{0, 2, 1, 1}; !slices.Equal(h.Sizes(), want) {
		t.Errorf("sizes %v, want %v", h.Sizes(), want)
	}
	for household, want := range []bool{true, false, true, false} {
		if got := h.SingledOutBySize(household); got != want {
			t.Errorf("household %d: %v", household, got)
		}
	}
	if h.SingledOut() != 5 {
		t.Errorf("%d records, want 5", h.SingledOut())
	}
}
