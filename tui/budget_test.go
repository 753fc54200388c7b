package tui

import (
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// A budget that cannot be used says why, and is no error: the figures stay.
func TestBudgetThatCannotBeUsed(t *testing.T) {
	shared := sharedSurveyOf(t, 120, 40).Press("K")
	dialog := shared.m.dialog.(*kAnonymity)
	for dialog.field().label != "budget" {
		shared.Press("down")
	}
	shared.Press("left", "left")
	if question := dialog.Question(); question == nil || dialog.method.Budget != nil || shared.m.asking.answer.Err != nil {
		t.Errorf("question %v, budget %v, error %v", question, dialog.method.Budget, shared.m.asking.answer.Err)
	}
	shared.Dialog().Contains("none: does not go with key variables", "A budget does not go with key variables", "violators of k = ")

	// One that was chosen comes back with the rule that it goes with.
	d := recodeAge(surveyOf(t, 120, 40)).Press("K")
	dialog = d.m.dialog.(*kAnonymity)
	for dialog.field().label != "budget" {
		d.Press("down")
	}
	d.Press("left")
	budget := dialog.method.Budget
	for dialog.field().label != "protection rule" {
		d.Press("up")
	}
	d.Press("right")
	if dialog.method.Rule == "conservative" || budget == nil || strings.Contains(string(dialog.step().Params), `"budget":3`) || d.m.asking.answer.Err != nil {
		t.Errorf("rule %s, budget %v: step %s, error %v", dialog.method.Rule, budget, dialog.step().Params, d.m.asking.answer.Err)
	}
	d.Dialog().Contains("none: goes with the rule conservative")
	d.Press("left")
	if dialog.method.Budget != budget {
		t.Errorf("the budget of %v has become %v", budget, dialog.method.Budget)
	}
}

// What cannot be used in a scenario is not opened on an error.
func TestWithinForHouseholds(t *testing.T) {
	d := sharedSurveyOf(t, 120, 40).Press(":").Type("within cells")
	if text := d.Text(); !strings.Contains(text, "keys shared by households") {
		t.Errorf("no reason:\n%s", text)
	}
	d.Press("enter")
	if _, still := d.m.dialog.(*commandPalette); !still {
		t.Errorf("%T was opened", d.m.dialog)
	}
}

// One cell in one record is not many.
func TestOneCell(t *testing.T) {
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.K = []string{"a", "b"}, []int{2}
	d := start(t, Options{Demo: true, OpenDemo: textOpener("one.csv", "a,b\nA,x\nA,x\nA,x\nA,y\n", scenario)}, 120, 40)
	d.Press("K").Dialog().Contains("1 cell (12.500 % of the cells of the keys) in 1 record", "1 cell ")
	d.Press("esc", "R").Type("0.9").Dialog().Contains("1 record (25.000 %) above it; 1 cell of a would go")
}
