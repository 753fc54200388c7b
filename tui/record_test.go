package tui

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/house/longtests"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Enter on an option to protect a record opens its step, filled in, with the figures of the page; esc goes back to
// the page, enter applies the step.
func TestWaysOpenTheirSteps(t *testing.T) {
	beside(t)
	d := demonstration(t, 120, 60).Press("4", "enter")
	page := d.m.focused()
	figures := func(label string) {
		t.Helper()
		after := d.m.asking.answer.WhatIf.Assessment
		violators := after.Table().Violators(after.KeyFrequencies(), 3)
		shown{d, label, page.View(d.m.state(), 120, 60, true)}.Contains(draw.Count(violators))
	}
	d.Press("enter")
	if m := asked[*recode.TopBottom](d); m.Variable != "age" || m.Top == nil {
		t.Errorf("the recode is %+v", m)
	}
	figures("the recode")
	d.Press("esc")
	if d.m.dialog != nil || d.m.focused() != page {
		t.Fatal("esc does not go back to the page")
	}
	d.Press("down", "down", "enter")
	if cells := asked[*suppress.Cells](d); len(cells.Variables) != 1 || cells.Variables[0] != "age" ||
		len(cells.Records) != 1 || cells.Records[0] != d.m.bench.selected.Record+1 {
		t.Errorf("the cells are %+v", cells)
	}
	figures("the cell")
	d.Press("esc", "end", "up", "enter")
	if k := asked[*suppress.KAnonymity](d); k.K != 3 || len(k.Strata) != 1 {
		t.Errorf("k-anonymity is %+v", k)
	}
	figures("k-anonymity in strata")
	d.Press("esc", "home", "down", "enter", "enter")
	if steps := d.steps(); len(steps) != 1 || d.m.dialog != nil || d.m.focused() != page {
		t.Errorf("steps %v", steps)
	}
}

// The recode named at the threshold opens filled in, with the figures shown.
func TestThresholdOpensItsRecode(t *testing.T) {
	for i, size := range frames {
		if !longtests.Some(i, 2) {
			continue
		}
		d := demonstration(t, size[0], size[1]).Press("]", "]", "]", "]", "1")
		threshold, _ := d.m.bench.current.Assessment.Threshold(0.01)
		text := d.Text()
		d.Press("b")
		if m := asked[*recode.Intervals](d); m == nil || m.Variable != "age" {
			t.Fatalf("b opens %+v", m)
		}
		after := d.m.asking.answer.WhatIf.Assessment
		above, _ := after.Distribution().Above(threshold)
		shown{d, "the pane", text}.Contains("age", draw.Count(above)+" above")
		d.Press("esc")
	}
}

// The keys of the threshold come first in the bottom line of a small screen.
func TestThresholdKeysOnASmallScreen(t *testing.T) {
	beside(t)
	surveyOf(t, 80, 24).Press("]", "]", "]", "]", "1").Screen().Contains("←→ threshold")
}

// The dialog of SUDA offers its scores in words with their meaning; scripts keep the names.
func TestScoresOfSUDAAreWords(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40)
	d.act(func() { d.m.do(views.OpenMeasure{Name: "suda"}) })
	d.focus("score").Screen().Contains("Elliot (number of orders)",
		"Weight of an MSU in the score").Screen().Lacks("elliot")
	d.Press("right").Screen().Contains("SDC guide (number of larger sets)").Screen().Lacks("ihsn")
}
