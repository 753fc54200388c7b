package method

import (
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// within is a method with strata, whose default may be those of the scenario.
type within struct {
	strata []string
	means  string
}

func (w *within) Params() []Param {
	p := Variables(&w.strata, "strata", "within which")
	if w.means != "" {
		p = p.Empty(w.means)
	}
	return []Param{p}
}

func (w *within) Narrate(*Report) string { return "" }

// A dialog proposes the strata of the scenario; a script that omits strata gets a warning, unless the default is
// those of the scenario or it specifies none.
func TestStrataOfTheScenario(t *testing.T) {
	scenario := microdata.NewScenario()
	scenario.Strata = []string{"st"}
	for _, c := range []struct {
		m      *within
		warned bool
	}{{&within{}, true}, {&within{strata: []string{}}, false}, {&within{strata: []string{"x"}}, false},
		{&within{means: "the scenario's strata"}, false}} {
		var report Report
		warnOfStrata(c.m, Input{Scenario: &scenario}, &report)
		if got := len(report.Warnings) == 1 && strings.Contains(report.Warnings[0], "(st)"); got != c.warned {
			t.Errorf("%+v is warned: %q", c.m, report.Warnings)
		}
		warnOfStrata(c.m, Input{Scenario: &microdata.Scenario{}}, &report)
		if len(report.Warnings) > 1 {
			t.Errorf("%+v is warned of strata that the scenario does not have", c.m)
		}
	}
	proposed := &within{}
	if wanted := (&Spec{}).Proposal(proposed, Input{Scenario: &scenario}, ""); wanted != "" || len(proposed.strata) != 1 || proposed.strata[0] != "st" {
		t.Errorf("proposed %v, %q", proposed.strata, wanted)
	}
}
