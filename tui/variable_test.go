package tui

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// surveyScenarioOf returns a scenario of key variables.
func surveyScenarioOf(keys ...string) microdata.Scenario {
	s := microdata.NewScenario()
	s.Keys = keys
	return s
}

// current checks that commands apply to this variable: the bottom line names it, and the dialogs open with it.
func (d *driver) current(name string) *driver {
	d.Helper()
	if got := d.m.bench.selected.Variable; got != name {
		d.Fatalf("%s is current, want %s:\n%s", got, name, d.Text())
	}
	d.Screen().Contains("r recode")
	d.Press("r").Dialog().Contains("Recode " + name)
	return d.Press("esc")
}

// Commands apply to the variable under the cursor of the focused pane, in every pane that lists variables.
func TestCurrentVariable(t *testing.T) {
	beside(t)
	d := demonstration(t, 120, 40)
	d.Press("1", "down", "down").current("sex")
	d.Press("2", "down").current("sex") // categories of it
	d.Press("]", "]", "1", "end", "up").current("health")
	d.Press("]").current("hsize") // the first numeric variable
	d.Press("[", "[", "[", "[", "[")
	for d.m.bench.selected.Variable != "savings" {
		d.Press("right")
	}
	d.current("savings")
	d.Press("T").Dialog().Contains("savings")
	d.Press("esc", "left").current("expend")
	// Panes of key variables have no cursor on expend: when they get the focus, the variable at their cursor is
	// selected.
	d.Press("f1", "1").current("sex")
	d.Press("P").Dialog().Contains("sex")
}

// Moving in the records of a category does not change the selected variable they were opened from.
func TestRecordsOfACategoryKeepTheVariable(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("1", "down", "2", "down", "enter", "right", "right")
	d.current("roof")
	d.Press("esc").current("urbrur")
	if level := d.m.bench.selected.Level; level == 0 {
		t.Error("the category is not chosen any more")
	}
}

func TestCurrentVariableOfSuppressions(t *testing.T) {
	beside(t)
	d := guide(t, 120, 40).Press("K", "enter", "]", "3", "home", "down")
	d.current(d.m.bench.scenario.Keys[1])
}
