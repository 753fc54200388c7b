package tui

import (
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/views"
)

// command opens a command of the palette by typed text.
func (d *driver) command(text string) *driver {
	d.Helper()
	d.Press(":").Type(text).Press("enter")
	if d.m.dialog == nil {
		d.Fatalf("%q opens no dialog", text)
	}
	return d
}

// Every method of preparation is in the palette, its form shows its effect, and its step can be undone.
func TestPreparationFromThePalette(t *testing.T) {
	for _, c := range []struct {
		command string
		keys    func(d *driver)
		effect  string
	}{
		{"Type conversion", func(*driver) {}, "now categorical"},
		{"Missing-value codes", func(d *driver) { d.Press("down").Type("Arden, Brisk") }, "cells set to missing"},
		{"Make a stratum", func(d *driver) { d.Type("region, sex") }, "region_sex added with 16 categories"},
		{"Reset a variable", func(*driver) {}, "0 cells restored to the original"},
		{"Random IDs", func(d *driver) { d.Type("hid") }, "1,339 identifiers replaced"},
		{"random order", func(*driver) {}, "5,000 records in random order"},
		{"Trial subset", func(*driver) {}, "500 of 5,000 records kept"},
	} {
		d := demonstration(t, 120, 40)
		before := d.m.bench.doc.Data().Hash()
		if c.command == "Type conversion" {
			d.Press("1", "down", "down", "down")
		}
		d.command(c.command)
		c.keys(d)
		d.Dialog().Contains(c.effect)
		promised := d.m.asking.answer.WhatIf
		d.Press("enter")
		if d.m.dialog != nil {
			d.Press("enter") // the first one ends typing
		}
		steps := d.m.bench.doc.Steps()
		if len(steps) != 1 || !strings.Contains(steps[0].Report.Effect, c.effect) {
			t.Errorf("%s: steps %q", c.command, d.steps())
			continue
		}
		if promised == nil || promised.Data.Hash() != d.m.bench.doc.Data().Hash() {
			t.Errorf("%s: the step is not what was promised", c.command)
		}
		for range tabCount {
			d.Press("]") // every pane draws the new data
		}
		d.Press("u")
		if d.m.bench.doc.Data().Hash() != before {
			t.Errorf("%s: undo leaves other data", c.command)
		}
	}
}

func TestRolesOfAMadeVariable(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).command("Make a stratum").Type("region, sex").Press("enter")
	if d.m.dialog != nil {
		d.Press("enter")
	}
	d.Press("v", "end", "t", "enter")
	if got := d.m.bench.doc.Scenario().Strata; !slices.Equal(got, []string{"region_sex"}) {
		t.Fatalf("strata %q", got)
	}
	d.Press("u")
	if d.m.bench.doc.Position() != 1 || len(d.m.bench.doc.Scenario().Strata) > 0 {
		t.Error("undo does not take back the role first")
	}
	d.Press("U", "6", "down", "enter") // to the original data, which lack the variable
	if d.m.bench.doc.Position() != 1 || !strings.Contains(d.Text(), "region_sex") {
		t.Errorf("the variable's step was left while the scenario names it, or no word about it:\n%s", d.Text())
	}
	// The step can still be changed: its dialog works without the role.
	d.act(func() { d.m.do(views.EditStep{Step: 0}) })
	d.Dialog().Contains("region_sex added with 16 categories", "k = 3")
	d.Press("enter")
	if steps := d.steps(); len(steps) != 1 || d.m.bench.doc.Position() != 1 {
		t.Errorf("steps after the change: %q", steps)
	}
	// The recode dialog shows what k-anonymity would need in strata.
	d.Press("1", "down", "down", "down", "r")
	d.Dialog().Contains("k = 3, conservative")
	if need := d.m.asking.answer.Need; need == nil || len(need.Strata) != 16 {
		t.Errorf("need %+v", need)
	}
}

func TestSubsetShowsRecordsOfTheSource(t *testing.T) {
	beside(t)
	d := demonstration(t, 120, 40).command("random order").Press("enter").command("Trial subset").Press("enter")
	data := d.m.bench.doc.Data()
	if data.Len() != 500 || d.m.bench.original.Data.Len() != 500 || d.m.bench.original.Assessment.Records != 500 {
		t.Fatalf("%d records, original %d", data.Len(), d.m.bench.original.Data.Len())
	}
	if !strings.Contains(d.Text(), "500 of 5,000 records") {
		t.Errorf("the header:\n%s", d.Text())
	}
	d.Press(":").Type("Tab Data").Press("enter").Press("g").Type("17").Press("enter")
	if !strings.Contains(d.Text(), "of the original") {
		t.Errorf("no record of the source:\n%s", d.Text())
	}
	d.Press("enter")
	if !strings.Contains(d.Text(), "Record 17 · record ") {
		t.Errorf("the page of the record:\n%s", d.Text())
	}
	d.Press("esc", "/").Type("region changed").Press("enter")
	if !strings.Contains(d.Text(), "0 of 500 records") {
		t.Errorf("changed cells in moved records:\n%s", d.Text())
	}
}

// A variable converted to categories has no breaks, so its dialog stays with the categories.
func TestRecodeOfAConvertedVariable(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("1", "down", "down", "down").command("Type conversion").Press("enter")
	d.Press("r")
	d.Dialog().Contains("mark at least two categories")
	d.Press("v")
	d.Dialog().Contains("mark at least two categories")
	d.Press("space", "space", "m", "esc")
	if steps := d.steps(); len(steps) != 2 {
		t.Errorf("steps %q", steps)
	}
}
