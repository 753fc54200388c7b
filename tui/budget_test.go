package tui

import (
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
)

// A budget that cannot be used shows the reason and is not an error: the figures stay.
func TestBudgetThatCannotBeUsed(t *testing.T) {
	beside(t)
	shared := sharedSurveyOf(t, 120, 40).Press("K")
	shared.focus("budget")
	shared.Press("left", "left")
	if question := shared.m.asker().Question(); question == nil || asked[*suppress.KAnonymity](shared).Budget != nil ||
		shared.m.asking.answer.Err != nil {
		t.Errorf("question %v, budget %v, error %v", question, asked[*suppress.KAnonymity](shared).Budget,
			shared.m.asking.answer.Err)
	}
	shared.Dialog().Contains("none: cannot be used with household-level variables ", "A budget cannot be used with household-level variables",
		"violators of k = ")

	// A chosen budget returns with the rule that allows it.
	d := recodeAge(surveyOf(t, 120, 40)).Press("K")
	d.focus("budget")
	d.Press("left")
	budget := asked[*suppress.KAnonymity](d).Budget
	d.focus("suppression rule")
	d.Press("right")
	if made := asked[*suppress.KAnonymity](d); made.Rule == "conservative" || budget == nil || made.Budget != nil ||
		d.m.asking.answer.Err != nil {
		t.Errorf("rule %s, budget %v: step %+v, error %v", made.Rule, budget, made, d.m.asking.answer.Err)
	}
	d.Dialog().Contains("none: requires the conservative rule")
	d.Press("left")
	if again := asked[*suppress.KAnonymity](d).Budget; again == nil || *again != *budget {
		t.Errorf("the budget of %v has become %v", *budget, again)
	}
}

// A method that the scenario forbids does not open with an error.
func TestWithinForHouseholds(t *testing.T) {
	d := sharedSurveyOf(t, 120, 40).Press(":").Type("within cells")
	if text := d.Text(); !strings.Contains(text, "household-level") {
		t.Errorf("no reason:\n%s", text)
	}
	d.Press("enter")
	if d.m.dialog.Title() != "Commands" {
		t.Errorf("%T was opened", d.m.dialog)
	}
}

// The singular is used for one cell in one record.
func TestOneCell(t *testing.T) {
	beside(t)
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.K = []string{"a", "b"}, []int{2}
	d := start(t, Options{Demo: true, OpenDemo: textOpener("one.csv", "a,b\nA,x\nA,x\nA,x\nA,y\n", scenario)}, 120, 40)
	d.Press("K").Dialog().Contains("1 cell (12.5 % of the key-variable cells) in 1 record", "1 cell ")
	d.Press("esc", "R").Type("0.9").Dialog().Contains("1 record (25.0 %) above the threshold", "1 cell of a is suppressed")
}
