package overview

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// The curve agrees with separate counts for every k.
func TestViolatorCurve(t *testing.T) {
	s := viewtest.SurveyAt(t, 2)
	a := s.Current.Assessment
	counts := violatorCurve(a, 30)
	for k := 2; k <= 30; k++ {
		want := a.Table().Violators(a.KeyFrequencies(), k)
		if got := counts[k-2]; got != float64(want) {
			t.Errorf("k = %d: %v violators, want %d", k, got, want)
		}
	}
}
