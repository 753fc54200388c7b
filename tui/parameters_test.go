package tui

import (
	"math"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/prepare"
)

func TestBudgetThatIsNoNumberMakesNoStep(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("K")
	k := d.m.dialog.(*kAnonymity)
	d.Type("7").Press("tab")
	for k.field().label != "budget" {
		d.Press("down")
	}
	d.Type("inf")
	if k.Question() != nil {
		t.Error("there are figures for a budget of inf")
	}
	d.Dialog().Contains("is a number")
	d.Press("enter")
	if d.m.dialog != Dialog(k) || len(d.m.bench.steps) > 0 {
		t.Errorf("%T is open, %d steps were made", d.m.dialog, len(d.m.bench.steps))
	}
}

func TestStepWhoseParametersCannotBeWrittenIsRefused(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("K")
	k := d.m.dialog.(*kAnonymity)
	endless := math.Inf(1)
	k.method.Budget = &endless // no field takes it
	d.Press("up")
	if step := k.step(); step.Problem == nil {
		t.Errorf("step %s", step.Params)
	}
	d.Dialog().Contains("budget")
	if d.m.asking.answer.Err == nil {
		t.Error("the what-if has no error")
	}
	d.Press("enter")
	if d.m.dialog != Dialog(k) || len(d.m.bench.steps) > 0 {
		t.Errorf("%T is open, %d steps were made", d.m.dialog, len(d.m.bench.steps))
	}
}

func TestOnlyStepsThatDrawHaveASeed(t *testing.T) {
	s := surveyOf(t, 120, 40).m.state()
	for name, draws := range map[string]bool{"set-missing": false, "shuffle-records": true} {
		spec, _ := catalog.Methods().Find(name)
		d := newStepDialog(s, spec)
		if seed := d.step().Seed; seed != 0 != draws {
			t.Errorf("%s: seed %d", name, seed)
		}
	}
	spec, _ := catalog.Methods().Find("subset")
	d := newStepDialog(s, spec)
	d.draw(0) // a step without a seed is changed
	d.method.(*prepare.Subset).Take = prepare.TakeRandom
	if d.step().Seed == 0 {
		t.Error("a subset at random has no seed: what-if and step would draw differently")
	}
}
