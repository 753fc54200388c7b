package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/house/longtests"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// curves are the dialogs with a curve and a threshold.
var curves = []struct {
	name string
	open func(d *driver)
}{
	{"top-coding", func(d *driver) { d.Press("1", "down", "down", "down", "T", "left", "left") }},
	{"bottom-coding", func(d *driver) {
		d.Press("1", "down", "down", "down", "T").retype("").Press("down")
		d.Press(strings.Fields(strings.Repeat("right ", 10))...)
	}},
	{"top-level", func(d *driver) {
		d.Press("1", "down", "down", "down", "down", "down", "r", "v", "esc")
		d.command("Order").Press("J", "K", "enter").openMethod("recode-topbottom")
	}},
	{"rounding", func(d *driver) { d.Press("1", "down", "down", "down").openMethod("recode-round") }},
	{"risk-threshold", func(d *driver) { d.Press("R", "left", "left") }},
	{"budget", func(d *driver) {
		d.Press("K", "down", "down", "down", "down", "down")
		d.Press(strings.Fields(strings.Repeat("left ", 40))...)
	}},
}

func TestGoldenCurves(t *testing.T) {
	for i, c := range curves {
		if !longtests.Some(i, 2) {
			continue
		}
		d := demonstration(t, 120, 40)
		c.open(d)
		for _, size := range frames {
			d.Resize(size[0], size[1])
			golden(t, fmt.Sprintf("curve-%s-%dx%d.txt", c.name, size[0], size[1]), d.still().plain())
		}
		if c.name == "budget" {
			d.curveOfABudget()
		}
	}
}

// Arrow keys move the thresholds of top and bottom coding along the values, and the records beyond are counted;
// the step changes those records.
func TestThresholdOfCoding(t *testing.T) {
	beside(t)
	d := demonstration(t, 120, 40)
	curves[0].open(d)
	d.Dialog().Contains("64 records (1.3 %; weighted 20,660, 1.3 %) change, each by at most 21", "◂ 78 ▸", "64 cells replaced")
	d.Press("left", "enter")
	if steps := d.m.bench.doc.Steps(); len(steps) != 1 || !strings.Contains(steps[0].Title, "above 77") {
		t.Errorf("steps %v", d.steps())
	}
	d.Press("T").Press(strings.Fields(strings.Repeat("right ", 60))...)
	if m := asked[*recode.TopBottom](d); m.Top != nil {
		t.Errorf("at the end of the values the threshold is %v", *m.Top)
	}
}

// curveOfABudget checks that the curve of a budget agrees with the step.
func (d *driver) curveOfABudget() {
	d.Helper()
	left := d.m.asking.answer.WhatIf.Report.Suppression
	if len(left.Budgets) != 11 || left.Budgets[0].Cells != 0 || left.Budgets[10].Violators != 0 {
		d.Fatalf("budgets %v", left.Budgets)
	}
	d.Resize(120, 40).Dialog().Contains("violators", "─ budget ")
	for i := 1; i < len(left.Budgets); i++ {
		if left.Budgets[i].Violators > left.Budgets[i-1].Violators {
			d.Errorf("more cells leave more: %v", left.Budgets)
		}
	}
}

// The curve is shown before a budget is chosen, and does not affect the step.
func TestCurveBeforeABudget(t *testing.T) {
	beside(t)
	d := recodeAge(surveyOf(t, 120, 40)).Press("K")
	d.Dialog().Lacks("─ budget ")
	d.focus("budget")
	whole := d.m.asking.answer.WhatIf.Report.Suppression.Total
	d.Dialog().Contains("none", "violators", "─ budget "+draw.Count(whole), "lower bound")
	d.Press("enter")
	if steps := d.m.bench.doc.Steps(); strings.Contains(steps[len(steps)-1].Title, "at most") ||
		steps[len(steps)-1].Report.Total != whole {
		t.Errorf("steps %v", d.steps())
	}
}
