package tui

import (
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// The highest risks stay listed when there are no violators any more.
func TestHighestRisksStayListed(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("K", "enter")
	d.Screen().Contains("Records with the highest risks · none violates 3-anonymity")
	record := d.m.bench.current.Assessment.RecordsAtRisk(1, 1<<30)[0]
	if d.Press("4", "home", "enter"); d.m.bench.selected.Record != record {
		t.Errorf("the first in the list is record %d, not %d", d.m.bench.selected.Record, record)
	}
}

// Any k can be that of the screen, even if the scenario does not count it.
func TestAnyK(t *testing.T) {
	beside(t)
	d := surveyOf(t, 200, 60).Press("3", "+", "+", "+", "+")
	a := d.m.bench.current.Assessment
	if d.m.bench.k != 7 {
		t.Fatalf("k = %d", d.m.bench.k)
	}
	d.Screen().Contains("◆ k = 7", "violate 7-anonymity")
	d.Pane("records-at-risk")
	if got := a.Table().Violators(a.KeyFrequencies(), 7); got == 0 {
		t.Error("nobody violates 7: the test says nothing")
	}
}

// Recoded and perturbed variables are marked in every list.
func TestChangedVariablesAreMarked(t *testing.T) {
	beside(t)
	d := surveyOf(t, 200, 60).Press("P", "enter")
	d.Pane("data").Contains("◆region~")
	d.Pane("pram-variables").Contains("region~")
	d.Pane("key-variables").Contains("~ perturbed or randomised")
	d.Press("u")
	recodeAge(d).Press("K", "enter")
	d.Pane("key-variables").Contains("* recoded")
	for _, id := range []string{"records-at-risk", "suppressions", "distinct-keys", "data"} {
		d.Pane(id).Contains("age*")
	}
}

func lastLine(text string) string { return text[strings.LastIndex(text, "\n")+1:] }

// Without key variables no command is offered that needs one.
func TestNoKeyWorkbenchOffersNoRecode(t *testing.T) {
	beside(t)
	d := start(t, Options{Demo: true, OpenDemo: opener("sample.csv", microdata.NewScenario())}, 120, 40)
	d.Screen().Contains("No key variable is chosen")
	if line := lastLine(d.Text()); strings.Contains(line, "recode") || strings.Contains(line, "K k-anonymity") {
		t.Errorf("offered: %s", line)
	}
}
