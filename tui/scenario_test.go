package tui

import (
	"fmt"
	"strings"
	"testing"
)

// newScenario adds a named scenario and removes the key variables listed in less.
func newScenario(d *driver, name string, less ...string) *driver {
	d.Press("V", "n").Type(name).Press("enter", "down", "space")
	for _, variable := range less {
		d.Type(variable).Press("space")
		d.Press(strings.Split(strings.Repeat("backspace ", len(variable)), " ")[:len(variable)]...)
	}
	return d.Press("enter")
}

// Several named scenarios: one is added, gets other key variables, is renamed, left for the other with one key,
// and removed; the header names it and undo reverts all of that.
func TestScenariosByName(t *testing.T) {
	d := surveyOf(t, 140, 40)
	first := d.m.bench.current.Assessment.Violators[1].Count
	newScenario(d, "neighbour", "age", "ethnic")
	d.Dialog().Contains("neighbour", "region, urbrur, sex, marital, educ")
	d.Press("enter")
	d.Screen().Contains("scenario neighbour", "5 key variables")
	second := d.m.bench.current.Assessment.Violators[1].Count
	if second >= first || first == 0 {
		t.Fatalf("violators under two scenarios: %d and %d", first, second)
	}
	d.Press("W")
	d.Screen().Contains("  scenario 1  ", "7 key variables")
	d.Screen().Lacks("scenario scenario")
	if got := d.m.bench.current.Assessment.Violators[1].Count; got != first {
		t.Errorf("violators under the first scenario: %d, want %d", got, first)
	}
	d.Press("V", "r").retype("journalist").Press("enter")
	d.Dialog().Contains("journalist")
	d.Press("esc")
	d.Screen().Contains("scenario journalist")
	d.Press("W", "V", "d", "esc")
	if d.m.bench.scenarios != 1 || len(d.m.bench.scenario.Keys) != 7 {
		t.Fatalf("%d scenarios, keys %v", d.m.bench.scenarios, d.m.bench.scenario.Keys)
	}
	d.Press("u")
	d.Screen().Contains("scenario neighbour")
	if got := d.m.bench.current.Assessment.Violators[1].Count; got != second {
		t.Errorf("violators after the removal was undone: %d, want %d", got, second)
	}
	d.Press("u", "u", "u", "u", "u")
	if d.m.bench.scenarios != 1 || len(d.m.bench.scenario.Keys) != 7 || d.m.bench.doc.CanUndo() {
		t.Errorf("all undone: %d scenarios, keys %v, undo %v", d.m.bench.scenarios, d.m.bench.scenario.Keys,
			d.m.bench.doc.CanUndo())
	}
	d.Press("U", "U")
	if d.m.bench.called != "neighbour" || len(d.m.bench.scenario.Keys) != 5 {
		t.Errorf("done again: %q with keys %v", d.m.bench.called, d.m.bench.scenario.Keys)
	}
}

// Settings take effect in the figures before they are applied: another k has its row, alpha its counts, the target
// its threshold.
func TestScenarioSettings(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("V")
	d.Press("down", "down", "down", "down").Type("0").Press("enter", "esc") // enter ends typing and applies
	d.Press("V", "down", "down", "down", "down").Dialog().Contains(" records have missing values in key variables. Violators of k = 3:")
	if got := d.m.bench.scenario.Alpha; got != 0 {
		t.Fatalf("alpha is %v", got)
	}
	d.Press("down").Type("2,9").Press("tab").Type("4").Press("tab")
	d.Dialog().Contains("k = 9", "the target of 4 % is met")
	d.Press("enter")
	if s := d.m.bench.scenario; fmt.Sprint(s.K) != "[2 9]" || s.GlobalRiskTarget() != 0.04 {
		t.Errorf("k %v, global risk %v", s.K, s.GlobalRiskTarget())
	}
	d.Pane("risk").Contains("threshold for 4 %")
	d.Press("V", "down", "down", "down", "down", "down").Type("1").Press("tab")
	d.Dialog().Contains("smallest k is 2")
	d.Press("enter")
	d.Dialog().Contains("smallest k is 2")
}

func TestGoldenScenario(t *testing.T) {
	for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 40}, {200, 60}} {
		d := newScenario(demonstration(t, size[0], size[1]), "neighbour", "age", "ethnic").still()
		golden(t, fmt.Sprintf("scenario-%dx%d.txt", size[0], size[1]), d.plain())
		d.Press("enter").still()
		golden(t, fmt.Sprintf("scenario-in-force-%dx%d.txt", size[0], size[1]), d.plain())
	}
}
