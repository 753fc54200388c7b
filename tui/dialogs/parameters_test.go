package dialogs

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/preparation/prepare"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

func TestStepWhoseParametersCannotBeWrittenHasAProblem(t *testing.T) {
	endless := math.Inf(1)
	if step := StepOf("suppress-kanonymity", &suppress.KAnonymity{Budget: &endless}); step.Problem == nil {
		t.Errorf("step %s", step.Params)
	}
}

func TestOnlyStepsThatDrawHaveASeed(t *testing.T) {
	s := surveyState(t)
	for name, draws := range map[string]bool{"set-missing": false, "shuffle-records": true} {
		spec, _ := catalog.Methods().Find(name)
		d := NewStepDialog(s, spec)
		if seed := d.Step().Seed; seed != 0 != draws {
			t.Errorf("%s: seed %d", name, seed)
		}
	}
	spec, _ := catalog.Methods().Find("subset")
	d := NewStepDialog(s, spec)
	if err := d.Take(session.StepSpec{Step: "subset", Params: json.RawMessage("{}")}); err != nil { // it has no seed
		t.Fatal(err)
	}
	d.Method.(*prepare.Subset).Take = prepare.TakeRandom
	if d.Step().Seed == 0 {
		t.Error("a subset at random has no seed: what-if and step would draw differently")
	}
}

// A variable to choose from none has neither arrows nor a list.
func TestParameterWithoutAChoice(t *testing.T) {
	spec, _ := catalog.Methods().Find("recode-dates")
	d := NewStepDialog(surveyState(t), spec)
	for _, b := range d.Keys() {
		if key := b.Help().Key; key == "←→" || key == "space" {
			t.Errorf("the key %s is shown", key)
		}
	}
	d.HandleKey(draw.Press("right"), surveyState(t))
	if got := d.Field().Value(); got != "" {
		t.Errorf("right chooses %q", got)
	}
}
