package suppression

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// No two bars of the picture have the same end as text.
func TestBarsOfTheCut(t *testing.T) {
	s := viewtest.SurveyAt(t, 0)
	curve, err := suppress.NewRiskCurve(s.Current.Assessment, method.Input{Data: s.Current.Data, Scenario: s.Scenario}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, threshold := range append(curve.Thresholds(), .00104, .00996, .0201) {
		ends := map[string]bool{}
		for _, line := range RiskCut(s.Theme, curve, threshold, 60, 30)[1:] {
			if end := strings.TrimSpace(ansi.Strip(line)); strings.Contains(end, "]") {
				if end, _, _ = strings.Cut(end, "]"); ends[end] {
					t.Fatalf("threshold %v: two bars end at %s", threshold, end)
				}
				ends[end] = true
			}
		}
		if len(ends) == 0 {
			t.Fatal("no bars")
		}
	}
}
