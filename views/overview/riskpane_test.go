package overview

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// Without a weight, the pane and the explanations of its figures name the population of the risks; with one they
// do not.
func TestRisksWithoutAWeight(t *testing.T) {
	weighted := viewtest.SurveyAt(t, 0)
	without, scenario := weighted, weighted.Scenario.Clone()
	scenario.Weight, without.Scenario = "", &scenario
	var err error
	if without.Original, err = viewtest.Measured(weighted.Original.Data, &scenario); err != nil {
		t.Fatal(err)
	}
	without.Current = without.Original
	for _, state := range []views.State{weighted, without} {
		want, p := state.Scenario.Weight == "", NewRisk()
		frame := strings.Join(strings.Fields(ansi.Strip(p.View(state, 80, 24, true))), " ")
		if strings.Contains(frame, risk.NoWeight) != want {
			t.Errorf("weight %q: %s", state.Scenario.Weight, frame)
		}
		for _, figure := range p.Figures(state)[:2] {
			if strings.HasSuffix(figure.Definition, risk.NoWeight) != want {
				t.Errorf("weight %q: %s", state.Scenario.Weight, figure.Definition)
			}
		}
	}
}
