package suggest

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

func TestWidthsOfAges(t *testing.T) {
	var widths []float64
	for _, width := range roundWidths(98, true) {
		widths = append(widths, width.value())
	}
	if want := []float64{2, 3, 5, 10, 15, 20, 30}; !slices.Equal(widths, want) {
		t.Errorf("widths %v, want %v", widths, want)
	}
	m := intervalsOf("age", 0, 98, roundWidth{5, 0}, true)
	if first, last := m.Breaks[0], m.Breaks[len(m.Breaks)-1]; first != -1 || last != 99 || len(m.Breaks) != 21 {
		t.Errorf("breaks %v", m.Breaks)
	}
	m = intervalsOf("x", 0.05, 0.72, roundWidth{1, -1}, false)
	if want := []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}; !slices.Equal(m.Breaks, want) {
		t.Errorf("breaks %v, want %v", m.Breaks, want)
	}
}

// Numbers of any size give recodes that lose something and leave nothing out,
// or none.
func TestIntervalsOfAnyNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]microdata.Kind{microdata.Whole, microdata.Number}).Draw(t, "kind")
		values := rapid.SliceOfN(rapid.Float64(), 6, 40).Draw(t, "values")
		if kind == microdata.Whole {
			for i := range values {
				values[i] = math.Trunc(math.Mod(values[i], 1e17))
			}
		}
		column, err := microdata.NewNumeric("x", kind, &microdata.Numbers{Values: values})
		if err != nil {
			t.Skip(err)
		}
		for _, c := range Ladder(column) {
			if !(c.lost > 0) || c.levels < 2 || c.levels > mostIntervals+2 {
				t.Fatalf("%d intervals of %v lose %v bits", c.levels, c.Width, c.lost)
			}
		}
	})
}
