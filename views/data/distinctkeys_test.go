package data

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// The distinct keys stay sorted by what they were, also when the scenario has no
// households any more.
func TestDistinctKeysStaySorted(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 0), NewDistinctKeys()
	viewtest.Sees(t, p, s, 120, 20)
	keys, _ := p.of(s)
	p.putOn(keys, s.Keys()[0])
	viewtest.Typing(p, &s, "s", "s")
	descending := func() {
		t.Helper()
		viewtest.Sees(t, p, s, 120, 20)
		codes := s.Current.Assessment.Table().Codes(0)
		keys, _ := p.of(s)
		for row := 1; row < p.Rows(keys); row++ {
			if codes[p.record(row)] > codes[p.record(row-1)] {
				t.Fatalf("row %d is not in order", row)
			}
		}
	}
	descending()
	alone := s.Scenario.Clone()
	alone.Household = ""
	version, err := viewtest.Measured(s.Current.Data, &alone)
	if err != nil {
		t.Fatal(err)
	}
	s.Scenario, s.Current, s.Original = &alone, version, version
	descending()
}
