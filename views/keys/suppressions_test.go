package keys

import (
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// The pane goes from variables to the categories of the selected one and, if the last step had strata, to these.
func TestSuppressionsByCategoryAndStratum(t *testing.T) {
	s, p := viewtest.SurveyAt(t, 3), NewSuppressions()
	s.Selected.Variable = "region"
	viewtest.Typing(p, &s, "right")
	frame := p.View(s, 70, 12, true)
	if p.TitleFor(s) != "Suppressions: distribution over region" {
		t.Errorf("the title is %q", p.TitleFor(s))
	}
	viewtest.CheckFrame(t, "categories", frame, 70, 12)
	now, before := views.CategoriesOf(s.Current, "region"), views.CategoriesOf(s.Original, "region")
	sum := 0
	for i, level := range lostLevels(s, "region") {
		want := before.Counts()[i+1] - now.Counts()[i+1]
		if level.cells != want {
			t.Errorf("%s lost %d, not %d", level.name, level.cells, want)
		}
		sum += want
		if !strings.Contains(frame, wording.PercentOf(want, before.Counts()[i+1])[:3]) {
			t.Errorf("the share of %s is not in\n%s", level.name, frame)
		}
	}
	if sum != views.SuppressedCells(s, "region") {
		t.Errorf("the categories lost %d cells, the variable %d", sum, views.SuppressedCells(s, "region"))
	}
	if viewtest.Typing(p, &s, "right"); p.shown != byVariable {
		t.Error("without strata the categories are not followed by the variables")
	}

	report := *s.Steps[2].Report
	suppression := *report.Suppression
	suppression.Strata = []method.StratumCells{{Stratum: microdata.Combination{{Variable: "region", Label: "Arden"}},
		Records: 10, Cells: method.Counts{{Name: "age", Count: 4}}},
		{Stratum: microdata.Combination{{Variable: "region", Label: "Brisk"}}, Records: 20}}
	report.Suppression = &suppression
	s.Steps = append([]views.Step(nil), s.Steps...)
	s.Steps[2].Report = &report
	viewtest.Typing(p, &s, "left", "down")
	frame = p.View(s, 70, 12, true)
	viewtest.CheckFrame(t, "strata", frame, 70, 12)
	for _, text := range []string{"Arden", "40.0", "nothing suppressed"} {
		if !strings.Contains(frame, text) {
			t.Errorf("the strata lack %q:\n%s", text, frame)
		}
	}
	s.Position, s.Current = 0, s.Original
	if p.View(s, 70, 12, true); p.shown != byVariable {
		t.Error("a view stays that has nothing to show")
	}
}
