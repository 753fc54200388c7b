package tui

import (
	"strings"
	"testing"
)

// Changing a step after going back loses no later step: the dialog asks, with the figures after the last step, and
// all steps still exist either way.
func TestChangeAfterGoingBackKeepsTheLaterSteps(t *testing.T) {
	changed := func() *driver {
		d := recodeAge(demonstration(t, 120, 40)).Press("K", "enter", "6", "down", "enter", "c").Type("20 40 60").Press("enter")
		d.Screen().Contains("Change a step?", "1 later step, undone:", "✓ 2 k-anonymity", "last step", "replay later steps")
		return d
	}
	d := changed().Press("enter")
	if titles := d.steps(); len(titles) != 2 || !strings.Contains(titles[0], "21-40") ||
		!strings.HasPrefix(titles[1], "k-anonymity") {
		t.Errorf("replayed: %q", titles)
	}
	d.Press("u")
	if titles := d.steps(); len(titles) != 1 || strings.Contains(titles[0], "21-40") || len(d.m.bench.steps) != 2 {
		t.Errorf("undone: %q of %d", titles, len(d.m.bench.steps))
	}
	d = changed().Press("l")
	if titles := d.steps(); len(titles) != 1 || !strings.Contains(titles[0], "21-40") {
		t.Errorf("left: %q", titles)
	}
	d.Press("6")
	d.Pane("steps").Contains("├─○   1 intervals age: 0-4", "│ ○   2 k-anonymity")
	d = changed().Press("esc")
	d.Dialog().Contains("21-40") // the step is still being changed
	if d.Press("esc"); d.m.dialog != nil || len(d.m.bench.tree) != 3 {
		t.Error("cancelled, something was changed")
	}
}

// Steps that no longer fit are named before anything is done, and left out.
func TestLaterStepThatDoesNotFitIsNamed(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("1", "g", "r", "down", "space", "down", "space", "m", "esc")
	d.Press("1", "g", "r", "home", "space", "space", "m", "esc", "6", "end", "up", "d")
	d.Screen().Contains("Remove a step?", "✗ 2 group region", "no longer fits")
	d.Press("enter")
	if titles := d.steps(); len(titles) != 0 {
		t.Errorf("left are %q", titles)
	}
	if !strings.Contains(d.m.notice.text, "stays on the previous branch") || len(d.m.bench.tree) != 3 {
		t.Errorf("notice %q", d.m.notice.text)
	}
	d.Press("u")
	if titles := d.steps(); len(titles) != 2 {
		t.Errorf("after undo %q", titles)
	}
}

// The last step is removed without a question, because undo restores it.
func TestLastStepIsTakenOutAtOnce(t *testing.T) {
	d := recodeAge(surveyOf(t, 120, 40)).Press("6", "d")
	if d.m.dialog != nil || len(d.steps()) != 0 {
		t.Errorf("steps %q", d.steps())
	}
	if d.Press("u"); len(d.steps()) != 1 {
		t.Error("undo does not bring it back")
	}
}

func TestGoldenLater(t *testing.T) {
	for name, size := range map[string][2]int{"later-60x15.txt": {60, 15}, "later-80x24.txt": {80, 24},
		"later-120x40.txt": {120, 40}} {
		d := recodeAge(demonstration(t, size[0], size[1])).Press("1", "g", "r", "down", "space", "down", "space", "m", "esc", "K",
			"enter", "6", "end", "up").still().Press("d")
		if d.m.dialog == nil {
			t.Fatal("no dialog asks")
		}
		golden(t, name, d.still().plain())
	}
}

// While an earlier step is being changed, the dialog labels its figures as those before that step, and also shows
// those after the last one.
func TestChangedStepSaysWhatIsNow(t *testing.T) {
	for size, wants := range map[[2]int][]string{{120, 40}: {"step 1", "before it", "after", "last step"},
		{80, 24}: {"before step 1: ", "(last step 0)"}} {
		d := recodeAge(surveyOf(t, size[0], size[1])).Press("K", "enter")
		d = d.Press("6", "home", "down", "c")
		d.Screen().Contains(wants...)
		d.Screen().Lacks(" now ")
	}
}
