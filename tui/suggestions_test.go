package tui

import (
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// promises returns the violators of k = 3 after the step under the cursor.
func (d *driver) promises() int {
	d.Helper()
	if whatIf := d.m.asking.answer.WhatIf; whatIf != nil && !d.m.asking.answer.Pending {
		return whatIf.Assessment.Violators[1].Count
	}
	d.Fatalf("there is no what-if:\n%s", d.Text())
	return 0
}

// The cursor starts on the most efficient recode, and applying it gives the announced figures. Several are tried
// in a row, and each search uses the current data.
func TestSingleRecodeIsTriedAsPromised(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("S")
	d.Dialog().Contains("Suggested recodes for k = 3", "violators", "-", "loss")
	before := 4443
	for range 2 {
		promised := d.promises()
		if promised >= before || strings.Count(d.Text(), draw.Count(promised)) < 2 {
			t.Fatalf("%d violators are promised, of %d:\n%s", promised, before, d.Text())
		}
		d.Press("enter")
		if got := d.m.bench.current.Assessment.Violators[1].Count; got != promised {
			t.Fatalf("%d violators after the step, %d were promised", got, promised)
		}
		before = promised
		d.Press("S")
	}
}

// The same search is used for one variable, for all, and for plans with suppression.
func TestSearchesLeadToEachOther(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("1", "r", "S")
	d.Dialog().Contains("Suggested recodes of region for k = 3")
	d.Press("v").Dialog().Contains("Suggested recodes for k = 3")
	d.Press("v").Dialog().Contains("Plans for k = 3", "cells")
	d.Press("v").Dialog().Contains("Suggested recodes for k = 3")
}

func TestSingleRecodeOpensInItsDialog(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("S", "r")
	if asked[method.Method](d) == nil {
		t.Error("no dialog of the recode opens")
	}
	if d.Press("esc"); len(d.steps()) != 0 {
		t.Errorf("steps %q", d.steps())
	}
}
