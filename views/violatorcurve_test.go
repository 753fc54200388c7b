package views

import (
	"math"
	"strings"
	"testing"
)

// The curve agrees with counting for every k on its own.
func TestViolatorCurve(t *testing.T) {
	s := surveyAt(t, 2)
	a := s.Current.Assessment
	counts := new(violatorCurve).look(a)
	for k := 2; k <= curveTo; k++ {
		want := a.Table().Violators(a.KeyFrequencies(), k)
		if got := counts[k-2]; got != float64(want) {
			t.Errorf("k = %d: %v violators, want %d", k, got, want)
		}
	}
}

func TestPlotsThatCannotBeDrawn(t *testing.T) {
	signs := []string{""}
	for name, values := range map[string][]float64{
		"empty": nil, "one": {1}, "infinite": {1, math.Inf(1)}, "none": {1, math.NaN()},
	} {
		if _, ok := plotLines(5, 20, signs, values); ok {
			t.Errorf("%s: drawn", name)
		}
	}
	if _, ok := plotLines(1, 20, signs, []float64{1, 2}); ok {
		t.Error("too low: drawn")
	}
	if _, ok := plotLines(5, 3, signs, []float64{1, 2}); ok {
		t.Error("too narrow: drawn")
	}
	lines, ok := plotLines(6, 20, signs, []float64{0, 0, 0})
	if !ok || strings.Contains(strings.Join(lines, ""), "NaN") {
		t.Errorf("all zero: %q", lines)
	}
}
