package panes

import (
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/whatif"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/overview"
	"github.com/sdcdesk/sdcdesk/views/pages"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

func TestPRAMPanesHaveTheirSize(t *testing.T) {
	for _, s := range []views.State{viewtest.Drawn(t, "age", `{"variables":["age"]}`),
		viewtest.Drawn(t, "educ", viewtest.EducInStrata), viewtest.Drawn(t, "region", viewtest.RegionOnce)} {
		for _, p := range panesOfPRAM() {
			for _, name := range []string{"down", "right", "end", "pgup", ">", "<", "left", "home", "G", "l"} {
				viewtest.Apply(&s, p.HandleKey(draw.Press(name), s))
				for _, z := range []viewtest.Size{{Width: 1, Height: 1}, {Width: 7, Height: 3}, {Width: 20, Height: 5},
					{Width: 40, Height: 10}, {Width: 100, Height: 30}, {Width: 198, Height: 58}} {
					viewtest.CheckFrame(t, p.ID()+" after "+name, p.View(s, z.Width, z.Height, true), z.Width, z.Height)
				}
			}
			viewtest.Apply(&s, p.Click(30, 3, s))
			viewtest.Apply(&s, p.Wheel(2, s))
			for _, figure := range p.Figures(s) {
				if figure.Name == "" || figure.Value == "" || figure.Definition == "" || figure.Source == "" {
					t.Errorf("%s: a figure is not explained: %+v", p.ID(), figure)
				}
			}
		}
	}
}

// Figures that do not apply are shown nowhere; each place gives the reason.
func TestNotApplicable(t *testing.T) {
	s := viewtest.Drawn(t, "region", viewtest.RegionOnce)
	for _, p := range []views.Pane{overview.NewKAnonymity(), overview.NewRisk(), overview.NewAtRisk(),
		pages.NewRecord(3)} {
		if text := p.View(s, 60, 12, true); !strings.Contains(text, "Not applicable: PRAM has been applied to region") {
			t.Errorf("%s:\n%s", p.ID(), text)
		}
	}
	if text := views.RiskLine(s, 80); !strings.Contains(text, "not applicable: PRAM has been applied to region") {
		t.Errorf("risk line %q", text)
	}
	if text := views.RiskLine(s, 24); !strings.Contains(text, "not applicable") {
		t.Errorf("narrow risk line %q", text)
	}
	steps := overview.NewSteps()
	if text := steps.View(s, 110, 5, true); !strings.Contains(text, "violators k = 3: n/a") {
		t.Errorf("steps:\n%s", text)
	}
	for _, p := range []views.Pane{overview.NewKAnonymity(), overview.NewRisk(), overview.NewAtRisk(), steps} {
		if figures := p.Figures(s); len(figures) != 1 || figures[0].Value != "not applicable: "+s.NotApplicable {
			t.Errorf("%s: figures %v", p.ID(), figures)
		}
	}
	before := viewtest.SurveyAt(t, 0)
	for _, c := range []struct {
		state views.State
		after string
		want  string
	}{
		{before, "PRAM has been applied to sex",
			"After this step, k-anonymity and risk do not apply: PRAM has been applied to sex."},
		{s, "", "do not apply now: PRAM has been applied to region."},
		{s, "PRAM has been applied to region, sex", "do not apply: PRAM has been applied to region, sex."},
	} {
		text := views.WhatIfBlock(c.state,
			views.WhatIf{Answer: whatif.Answer{WhatIf: &whatif.Result{NotApplicable: c.after, Figures: before.Current.Figures}}},
			100, 10)
		if !strings.Contains(text, c.want) || strings.Contains(text, "k = 3") {
			t.Errorf("what-if:\n%s", text)
		}
	}
}
