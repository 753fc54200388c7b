package tui

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/session"
)

// A measure activated with parameters is shown, computed again after a step with the old figures marked meanwhile,
// stopped, explained and closed.
func TestOpenMeasures(t *testing.T) {
	d := start(t, Options{Demo: true, OpenDemo: opener("survey.csv", surveyScenario()), Measures: withDetail()}, 120, 40)
	d.Press("m").Type("detail").Press("enter")
	d.Dialog().Contains("factor", "Counts categories.")
	d.Type("10").Press("enter")
	d.Screen().Contains("categories in all", "1,230")
	d.Press("t").Screen().Contains("Categories by key (2 of 2)", "all of them")
	d.Press("t", "i").Dialog().Contains("How much detail the key variables have.")
	d.Press("esc", "enter").Dialog().Contains("factor  10")
	d.Press("esc")

	step := session.StepSpec{Step: "recode-topbottom", Params: []byte(`{"variable":"age","top":60}`)}
	result, err := d.m.bench.doc.Prepare(step).Run(t.Context(), nil, nil)
	if err == nil {
		err = d.m.bench.doc.Commit(result)
	}
	if err != nil {
		t.Fatal(err)
	}
	d.Hold().act(func() { d.m.moved() })
	d.Screen().Contains("↻ as of the original data, not of the current data", "1,230")
	d.Press("c").Screen().Contains("c computes it", "1,230")
	d.Press("c").Release()
	d.Screen().Contains("900").Screen().Lacks("as of")
	d.Press("u").Screen().Contains("1,230")

	d.Press("d").Screen().Lacks("d close the measure")
	if open := d.m.bench.doc.Measures(); len(open) != 0 {
		t.Errorf("%+v is open", open)
	}
}
