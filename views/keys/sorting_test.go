package keys

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// The distinct keys stay sorted by what they were, also when the scenario has no
// households any more.
func TestDistinctKeysStaySorted(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 0), NewDistinctKeys()
	viewtest.Sees(t, p, s, 120, 20)
	p.Cursor.Column = p.figureColumns(s) // the first key variable
	viewtest.Typing(p, &s, "s", "s")
	descending := func() {
		t.Helper()
		viewtest.Sees(t, p, s, 120, 20)
		codes := s.Current.Assessment.Table().Codes(0)
		for row := 1; row < p.rows(s); row++ {
			if codes[p.key(s, row)] > codes[p.key(s, row-1)] {
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
