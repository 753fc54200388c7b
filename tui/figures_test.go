package tui

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// If the data change while a dialog stays open, its figures are stale until new ones arrive, and nothing is
// applied based on them.
func TestDialogIsStaleWhenTheDataMove(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("K")
	k := d.m.dialog
	before := d.m.asking.answer.WhatIf.Report.Suppression.Total
	decades := session.StepSpec{Step: "recode-hierarchy", Params: json.RawMessage(`{"variable":"age","digits":1}`)}
	result, err := d.m.bench.doc.Prepare(decades).Run(context.Background(), d.m.bench.analyst, nil)
	if err == nil {
		err = d.m.bench.doc.Commit(result)
	}
	if err != nil {
		t.Fatal(err)
	}
	d.Hold()
	d.act(func() { d.m.moved() })
	d.Dialog().Contains(draw.StaleMark) // they belong to earlier data
	d.Press("enter")
	if d.m.dialog != k || d.m.work != nil {
		t.Error("a step was begun on the sight of older data")
	}
	d.Release()
	if after := d.m.asking.answer.WhatIf.Report.Suppression.Total; strings.Contains(d.Text(), draw.StaleMark) ||
		after >= before {
		t.Errorf("%d cells after the recode, %d before:\n%s", after, before, d.Text())
	}
	d.Press("enter")
	if len(d.m.bench.steps) != 2 {
		t.Errorf("%d steps", len(d.m.bench.steps))
	}
}
