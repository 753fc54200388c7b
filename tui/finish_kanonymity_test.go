package tui

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// The figures next to the fields have a row for the target k, now and after the step, whether or not the scenario
// counts it.
func TestTheFiguresHaveTheAskedK(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("K").Type("9")
	whatIf := d.m.asking.answer.WhatIf
	now, after := whatIf.Before.Value("kanonymity", "violators", 9), whatIf.Figures.Value("kanonymity", "violators", 9)
	if now == nil || after == nil || now.Number <= after.Number {
		t.Fatalf("now %+v, after %+v", now, after)
	}
	table := d.m.bench.current.Assessment.Table()
	options := risk.OptionsOf(d.m.bench.scenario)
	options.K = []int{9}
	if all, err := risk.Assess(t.Context(), table, nil, options); err != nil ||
		float64(all.Violators[0].Count) != now.Number {
		t.Errorf("%v violators of 9 now, want %+v, error %v", now.Number, all.Violators, err)
	}
	d.Dialog().Contains("▸k = 9", now.Text(), "k = 9 own category")
	if k := d.m.bench.scenario.K; fmt.Sprint(k) != "[2 3 5]" {
		t.Errorf("the scenario counts %v", k)
	}
	d.Press("enter", "enter")
	if len(d.steps()) != 1 {
		t.Errorf("steps %q", d.steps())
	}
}

// With strata, the account of the suppression counts within strata and the figures count the whole file; both are
// labelled, and the account gives both.
func TestStrataAreCountedAlikeOnBothSides(t *testing.T) {
	beside(t)
	d := recodeAge(demonstration(t, 120, 40)).Press("K")
	d.focus("strata").Type("health")
	left := d.m.asking.answer.WhatIf.Report.Left
	whole := d.m.asking.answer.WhatIf.Figures.Value("kanonymity", "own_category_violators", 3)
	if len(d.m.asking.answer.WhatIf.Report.Strata) < 2 || float64(left.OwnCategory) == whole.Number {
		t.Fatalf("%d strata, own category %d within them, %v in all", len(d.m.asking.answer.WhatIf.Report.Strata),
			left.OwnCategory, whole.Number)
	}
	d.Dialog().Contains("remaining violators of k = 3 ", "within strata  ", "own category "+draw.Count(left.OwnCategory),
		"in the whole file  default", "own category "+whole.Text(), "│  whole file  ")
	d.retype("").Dialog().Lacks("within strata", "whole file")
}

// No row of the dialog is cut without a mark, at any size and focus.
func TestRowsOfAFormThatAreCutAreMarked(t *testing.T) {
	all := []string{" k  ", "suppression rule", "algorithm", "strata", "subsets", "budget", "households", "importance 1", " 2 ", " 3 ",
		" 4 ", " 5 ", " 6 ", " 7 "}
	mark, elapsed := regexp.MustCompile(`[↑↓] (\d+) more`), regexp.MustCompile(`^(< )?\d+ ms `)
	for _, size := range [][2]int{{60, 15}, {80, 24}, {80, 20}, {120, 40}, {120, 18}} {
		d := surveyOf(t, size[0], size[1]).Press("K")
		for range all {
			text := d.Text()
			seen, said := 0, 0
			for _, line := range strings.Split(text, "\n") {
				row := strings.TrimLeft(line, "│ ▸")
				if strings.Contains(row, " → ") || elapsed.MatchString(row) {
					continue // a figure, or the elapsed time
				}
				for i, label := range all {
					if strings.HasPrefix(row, strings.TrimSpace(label)+" ") && (i > 0 || strings.Contains(row, "k  ")) {
						seen++
						break
					}
				}
			}
			for _, match := range mark.FindAllStringSubmatch(text, -1) {
				var n int
				_, _ = fmt.Sscan(match[1], &n)
				said += n
			}
			if seen+said != len(all) {
				t.Errorf("%v: %d fields are in sight and %d are said to be elsewhere, of %d:\n%s", size, seen, said, len(all), text)
			}
			d.Press("down")
		}
	}
}

// A slow suppression shows its elapsed time and progress where its cells will be; figures of an earlier question
// are marked meanwhile.
func TestCountingShowsABar(t *testing.T) {
	d := surveyOf(t, 120, 40).Hold().Press("K")
	d.Dialog().Contains("counting …")
	d.now = d.now.Add(2 * time.Second)
	d.m.asking.job.Meter.Set(1, 2)
	if shown := ansi.Strip(d.m.dialog.View(d.m.dialogState(), 70, 30)); !strings.Contains(shown,
		"counting 2.0 s ▕████████████            ▏") {
		t.Errorf("shown:\n%s", shown)
	}
	d.Release().Dialog().Contains("cells", "remaining violators of k = 3")
	d.Hold().Type("5").Dialog().Contains("remaining violators of k = 3", draw.StaleMark)
	d.Release().Dialog().Contains("remaining violators of k = 5").Dialog().Lacks(draw.StaleMark)
	if k := asked[*suppress.KAnonymity](d).K; k != 5 {
		t.Errorf("k is %d", k)
	}
}

// On a narrow and low screen the dialog keeps the lower bound and the remaining violators.
func TestKAnonymityKeepsItsBound(t *testing.T) {
	beside(t)
	demonstration(t, 60, 15).Press("K").Screen().Contains("5,582 cells, lower bound 5,450",
		"remaining: default 0 · conservative 0 · own category")
}
