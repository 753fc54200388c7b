package keys

import (
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/overview"
	riskview "github.com/sdcdesk/sdcdesk/views/risk"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// The singular is used for one of anything.
func TestSingular(t *testing.T) {
	s := viewtest.SurveyAt(t, 3)
	report := *s.Steps[2].Report
	report.Suppression = &method.Suppression{Total: 1, Touched: 1}
	s.Steps = append([]views.Step(nil), s.Steps...)
	s.Steps[2].Report = &report
	if text := accountOf(s); !strings.Contains(text, "1 suppressed cell in 1 record.") {
		t.Error(text)
	}
	p, reported := riskview.NewRiskDistribution(), false
	s.Selected.Variable = "region"
	for _, threshold := range s.Current.Assessment.Distribution().Risks() {
		text := p.Suppressing(s, threshold)[1]
		reported = reported || strings.Contains(text, "; 1 is already suppressed or missing")
	}
	if !reported {
		t.Error("nowhere 1 cell is already suppressed or missing")
	}
	f := overview.NewFrequencies()
	s = viewtest.SurveyAt(t, 0)
	s.Selected.Variable, reported = "income", false
	for range 100 {
		viewtest.Typing(f, &s, "down")
		reported = reported || strings.HasPrefix(f.Figures(s)[0].Value, "1 record,")
	}
	if !reported {
		t.Error("no income of 1 record")
	}
}
