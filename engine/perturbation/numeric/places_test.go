package numeric

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
)

// The number of decimals is that of the spelling of a number; an exponent does not count.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		cells []string
		want  places
	}{
		{[]string{"1.50", "2.25", "3.00"}, places{most: 2, fixed: true}},
		{[]string{"1.5", "2.25", "3"}, places{most: 2}},
		{[]string{"1.5e3", "20", "7"}, places{fixed: true}},
	} {
		if got := placesOf(golden.Column(t, "x", c.cells)); got != c.want {
			t.Errorf("%q: %+v, want %+v", c.cells, got, c.want)
		}
	}
}
