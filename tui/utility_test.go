package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/session"
)

// The tab has the figures of active measures after each step, a map of the states, from which enter goes to one,
// and candidates that are tried in the background, one of which is applied.
func TestUtilityTab(t *testing.T) {
	beside(t)
	scenario := surveyScenario()
	scenario.Numeric = []string{"income", "savings"}
	d := start(t, Options{Demo: true, OpenDemo: opener("sample.csv", scenario)}, 120, 40)
	d.Press("m").Type("information loss of numeric").Press("enter", "enter", "esc", "[", "[", "[")
	d.Pane("utility").Contains("IL1s per cell", "0.00")
	d.Press("2")
	d.Pane("ru-map").Contains("IL1s per cell", "expected re-identifications", "original data")
	rounding := session.StepSpec{Step: "recode-round", Params: []byte(`{"variable":"income","base":1000}`)}
	d.act(func() { d.m.apply(rounding, nil) })
	figures := d.m.state().StepFigures
	if now := figures[1].Value("loss", "il1s_per_cell", 0); now == nil || !(now.Number > 0) ||
		figures[0].Value("loss", "il1s_per_cell", 0).Number != 0 {
		t.Fatalf("figures %v", now)
	}
	d.Pane("ru-map").Contains("step 1: ")
	d.Press("left").Pane("ru-map").Contains("original data")
	d.Press("enter")
	if at := d.m.bench.doc.Position(); at != 0 {
		t.Errorf("at position %d", at)
	}
	d.Press("1", "z").Screen().Contains("information loss of numeric variables", "after 1")
	d.Press("z", "3").Pane("trials").Contains("ctrl+t in the dialog of a method")
	d.Press("a")
	d.Pane("trials").Contains("Microaggregation: MDAV, 3", "Rank swapping: within 15 %").Pane("trials").Lacks("waits",
		"counting")
	for i, trial := range d.m.state().Trials {
		if trial.Err != nil || trial.Figures.Value("loss", "il1s_per_cell", 0) == nil {
			t.Errorf("candidate %d: %v, %v", i, trial.Title, trial.Err)
		}
	}
	all := len(usualForKeys) + len(usualForNumbers)
	d.Press("home").Press(slices.Repeat([]string{"down"}, len(usualForKeys)+1)...).Press("d")
	if trials := d.m.state().Trials; len(trials) != all-1 || strings.Contains(trials[len(usualForKeys)+1].Title, "MDAV, 5") {
		t.Errorf("%d candidates after one was taken off", len(trials))
	}
	want := d.m.state().Trials[len(usualForKeys)+1].Figures.Value("loss", "il1s_per_cell", 0).Number
	points := func() string { return d.m.bench.pane("ru-map").Figures(d.m.state())[0].Value }
	if got := points(); got != fmt.Sprint(2+len(d.m.state().Trials), " points") {
		t.Errorf("on the map are %s", got)
	}
	d.Press("enter")
	if got := d.m.state().StepFigures[d.m.bench.doc.Node()].Value("loss", "il1s_per_cell", 0); got == nil ||
		got.Number != want {
		t.Errorf("applied, the loss is %v, the candidate had %v", got, want)
	}
	d.Pane("trials").Contains("tried on other data")
	if got := points(); got != "3 points" { // three states: no candidate was tried on these data
		t.Errorf("on the map are %s", got)
	}
}

// A candidate that did not fit other data is tried again on data that it may fit.
func TestCandidateThatDidNotFit(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40)
	step := session.StepSpec{Step: "recode-group",
		Params: []byte(`{"variable":"age","levels":["0-4","5-14"],"label":"0-14"}`)}
	d.act(func() { d.m.try(step, "") })
	if trial := d.m.state().Trials[0]; trial.Err == nil {
		t.Fatalf("%+v fits", trial)
	}
	recodeAge(d)
	if trial := d.m.state().Trials[0]; !trial.Stale {
		t.Error("it is not told that it was tried on other data")
	}
	d.act(func() { d.m.try(step, "") })
	if trial := d.m.state().Trials[0]; trial.Err != nil || trial.Stale || trial.Figures == nil {
		t.Errorf("on the data that it fits: %+v", trial)
	}
}

// After a step the original appears once, as the first of the states, and no column is too narrow.
func TestOriginalStandsOnceAmongTheFigures(t *testing.T) {
	beside(t)
	d := recodeAge(surveyOf(t, 120, 40)).Press("f6")
	head := strings.Split(d.Text(), "\n")[2]
	head = head[:strings.Index(head, "││")]
	if strings.Count(head, "original") != 1 || strings.Contains(head, "…") || !strings.Contains(head, "axis") {
		t.Errorf("the heads are %q", head)
	}
}
