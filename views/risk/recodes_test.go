package risk

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/whatif"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// Of the recodes tried, the named one leaves the fewest records above the threshold, counted on the recoded data;
// its key opens its step.
func TestRecodeThatLeavesFewestAbove(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 1), NewRiskDistribution()
	if strings.Contains(p.View(s, 80, 20, true), "above it;") {
		t.Error("a recode is named before one was tried")
	}
	viewtest.SeekAll(t, p, s)
	if n := len(p.recodesOf(s).found); n < 5 || n > mostTried {
		t.Fatalf("%d recodes were tried", n)
	}
	for _, threshold := range []float64{0.0005, 0.004, 0.0128, 0.05} {
		p.Threshold = threshold
		fewest, expected, variable := 1<<30, 0.0, ""
		for i := range p.recodesOf(s).found {
			one := p.recodesOf(s).found[i].Recode
			if one.Lost > one.Detail/2 {
				t.Errorf("%s loses most of the detail", views.RecodeText(s, one))
			}
			after, err := viewtest.Tried(t.Context(), one.Steps[0].Method, s.Current.Data, s.Scenario)
			if err != nil {
				t.Fatal(err)
			}
			above := 0
			for record := range after.Assessment.Records {
				if after.Assessment.Risk(record) > threshold {
					above++
				}
			}
			if above < fewest {
				fewest, expected, variable = above, after.Assessment.Expected, views.RecodeText(s, one)
			}
		}
		frame := p.View(s, 100, 20, true)
		for _, want := range []string{variable + "): " + draw.Count(fewest) + " above the threshold; b opens the dialog",
			wording.Amount(expected) + " expected re-identifications", "global risk " + wording.Percent(expected/5000)} {
			if !strings.Contains(frame, want) {
				t.Errorf("threshold %v: no %q in\n%s", threshold, want, frame)
			}
		}
		if low := p.View(s, 58, 11, true); !strings.Contains(low,
			" (b): "+draw.Count(fewest)+" above threshold, global risk "+wording.Percent(expected/5000)) {
			t.Errorf("threshold %v, low:\n%s", threshold, low)
		}
		best := p.recodesOf(s).best(threshold)
		if got, ok := viewtest.Typing(p, &s, "b").(views.OpenStep); !ok || got.Name != best.Steps[0].Name ||
			views.RecodeText(s, best.Recode) != variable {
			t.Errorf("b gives %v", got)
		}
		figures := p.Figures(s)
		if f := figures[1]; f.Value != wording.Number(fewest) || f.Values[len(f.Values)-1] != f.Value+" records" {
			t.Errorf("explained as %+v", f)
		}
	}
}

// Results belong to their data and k. There is no search while the data change, and every search ends.
func TestRecodesAboveTheThresholdFollowTheData(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 0), NewRiskDistribution()
	viewtest.SeekAll(t, p, s)
	for _, change := range []func(){func() { s = viewtest.SurveyAt(t, 2) }, func() { s.K = 5 }} {
		if change(); p.recodesOf(s).best(0.01) != nil {
			t.Error("a recode of other data is named")
		}
		if viewtest.Typing(p, &s, "b") != nil {
			t.Error("a recode of other data is opened")
		}
		stale := s
		if stale.Stale = true; p.Seek(stale) != nil {
			t.Error("it looks while the data move")
		}
		viewtest.SeekAll(t, p, s)
	}
	s.K = 4
	s.Try = func(context.Context, string, method.Method) (*whatif.Result, error) {
		return nil, errors.New("no")
	}
	viewtest.SeekAll(t, p, s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s = viewtest.SurveyAt(t, 0)
	p.Seek(s)(ctx, 0)()
	if viewtest.SeekAll(t, p, s); len(p.recodesOf(s).found) == 0 {
		t.Error("a search that was cancelled does not go on")
	}
}
