package measure_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// The worst records are the first of a sorted list, and each number appears once on a page.
func TestPagesOfMeasures(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		figures := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0.5, 1, 2, 7, math.NaN()}), 0, 60).Draw(t, "figures")
		most, least := rapid.IntRange(1, 9).Draw(t, "most"), rapid.Bool().Draw(t, "least")
		got, err := measure.Extremes(t.Context(), func(record int) float64 { return figures[record] }, len(figures), most, least)
		if err != nil {
			t.Fatal(err)
		}
		var want []measure.Extreme
		for record, x := range figures {
			if x == x {
				want = append(want, measure.Extreme{Record: record, Figure: x})
			}
		}
		slices.SortStableFunc(want, func(a, b measure.Extreme) int {
			if least {
				return cmp.Compare(a.Figure, b.Figure)
			}
			return cmp.Compare(b.Figure, a.Figure)
		})
		if want = want[:min(most, len(want))]; !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
	numbers := []measure.Value{{Name: "a"}, {Name: "b", Part: "x"}, {Name: "c"}, {Name: "d"}, {Name: "e"}}
	page := measure.Page{Headline: []string{"d", "gone", "b x"}}
	if places, first := page.Order(numbers); first != 3 || !slices.Equal(places, []int{3, 1, 0, 2, 4}) {
		t.Errorf("%v, %d first", places, first)
	}
	if places, first := page.Order(numbers[:1]); first != 1 || !slices.Equal(places, []int{0}) {
		t.Errorf("%v, %d first", places, first)
	}
}
