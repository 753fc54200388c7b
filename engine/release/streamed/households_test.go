package streamed

import (
	"math"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Both zeros tell one household, and records without a value are one each.
func TestHouseholdsOfZeros(t *testing.T) {
	column, err := microdata.NewNumeric("hid", microdata.Number,
		&microdata.Numbers{Values: []float64{0, math.Copysign(0, -1), 1, math.NaN(), math.NaN()}})
	if err != nil {
		t.Fatal(err)
	}
	members, alone := membersOf(column, []uint32{0, 1, 2, 3, 4}, 0)
	households, err := householdsOf(members, []int{1, 1, 1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	if sizes := households.Sizes(); len(alone) != 2 || len(sizes) != 3 || sizes[1] != 3 || sizes[2] != 1 {
		t.Errorf("households by size: %v", sizes)
	}
}
