package views

import (
	"strings"
	"testing"
)

func TestPRAMPanesHaveTheirSize(t *testing.T) {
	for _, s := range []State{drawn(t, "age", `{"variables":["age"]}`), drawn(t, "educ", educInStrata), drawn(t, "region", regionOnce)} {
		for _, p := range panesOfPRAM() {
			for _, name := range []string{"down", "right", "end", "pgup", ">", "<", "left", "home", "G", "l"} {
				apply(&s, p.HandleKey(press(name), s))
				for _, z := range []size{{1, 1}, {7, 3}, {20, 5}, {40, 10}, {100, 30}, {198, 58}} {
					checkFrame(t, p.ID()+" after "+name, p.View(s, z.width, z.height, true), z.width, z.height)
				}
			}
			apply(&s, p.Click(30, 3, s))
			apply(&s, p.Wheel(2, s))
			for _, figure := range p.Figures(s) {
				if figure.Name == "" || figure.Value == "" || figure.Definition == "" || figure.Source == "" {
					t.Errorf("%s: a figure is not explained: %+v", p.ID(), figure)
				}
			}
		}
	}
}

// Figures that do not apply are nowhere: each place says why.
func TestNotApplicable(t *testing.T) {
	s := drawn(t, "region", regionOnce)
	for _, p := range []Pane{NewKAnonymity(), NewRisk(), NewAtRisk(), NewRecord(3)} {
		if text := p.View(s, 60, 12, true); !strings.Contains(text, "Not applicable: PRAM has been applied to region") {
			t.Errorf("%s:\n%s", p.ID(), text)
		}
	}
	if text := RiskLine(s, 80); !strings.Contains(text, "not applicable: PRAM has been applied to region") {
		t.Errorf("risk line %q", text)
	}
	if text := RiskLine(s, 24); !strings.Contains(text, "not applicable") {
		t.Errorf("narrow risk line %q", text)
	}
	steps := NewSteps()
	if text := steps.View(s, 110, 5, true); !strings.Contains(text, "violators(3) n/a") {
		t.Errorf("steps:\n%s", text)
	}
	for _, p := range []Pane{NewKAnonymity(), NewRisk(), NewAtRisk(), steps} {
		if figures := p.Figures(s); len(figures) != 1 || figures[0].Value != "not applicable: "+s.NotApplicable {
			t.Errorf("%s: figures %v", p.ID(), figures)
		}
	}
	before := surveyAt(t, 0)
	for _, c := range []struct {
		state State
		after string
		want  string
	}{
		{before, "PRAM has been applied to sex", "After the step k-anonymity and risk do not apply: PRAM has been applied to sex."},
		{s, "", "do not apply now: PRAM has been applied to region."},
		{s, "PRAM has been applied to region, sex", "do not apply: PRAM has been applied to region, sex."},
	} {
		text := WhatIfBlock(c.state, WhatIfFigures{NotApplicable: c.after, After: before.Current.Figures}, 100, 10)
		if !strings.Contains(text, c.want) || strings.Contains(text, "k = 3") {
			t.Errorf("what-if:\n%s", text)
		}
	}
}
