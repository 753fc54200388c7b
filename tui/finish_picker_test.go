package tui

import (
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/perturbation/noise"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
)

// A variable far down the list takes a few letters, and only suitable variables are listed.
func TestAVariableIsPickedByTyping(t *testing.T) {
	beside(t)
	d := surveyOf(t, 80, 24).openMethod("recode-round").Press("space")
	d.Dialog().Contains("variable", "type", "income").Dialog().Lacks("region", "hid ")
	d.Type("inc").Dialog().Contains("find: inc", "income")
	d.Press("enter")
	if m := asked[*recode.Round](d); m.Variable != "income" || m.Base < 1 {
		t.Fatalf("the dialog rounds %+v", m)
	}
	d.Press("enter")
	if steps := d.steps(); len(steps) != 1 || !strings.Contains(steps[0], "income") {
		t.Errorf("steps %q", steps)
	}
}

// Several are marked and keep the order of marking; esc changes nothing.
func TestSeveralArePicked(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).openMethod("noise")
	before := asked[*noise.Noise](d).Variables
	d.Press("space", "home", "space", "down", "space", "esc")
	if after := asked[*noise.Noise](d).Variables; !slices.Equal(before, after) {
		t.Errorf("esc leaves %q, was %q", after, before)
	}
	d.Press("space", "ctrl+a", "ctrl+a").Type("inc").Press("space").Send(pressed("backspace", "backspace",
		"backspace")...).Type("expend").Press("space")
	d.Dialog().Contains("2 marked: income, expend")
	d.Press("enter")
	if got := asked[*noise.Noise](d).Variables; !slices.Equal(got, []string{"income", "expend"}) {
		t.Errorf("noise goes to %q", got)
	}
	d.Dialog().Contains("after")
}

// Strata and categories can be picked too, also with the mouse.
func TestStrataAndCategoriesArePicked(t *testing.T) {
	beside(t)
	d := recodeAge(surveyOf(t, 120, 40)).Press("K").focus("strata").Press("space").Type("health").Press("enter")
	if got := asked[*suppress.KAnonymity](d).Strata; !slices.Equal(got, []string{"health"}) {
		t.Errorf("strata %q", got)
	}
	d.Press("esc").openMethod("set-missing").Press("down", "space")
	d.Dialog().Contains("category", "records", "15-24")
	picker := d.m.dialog.(dialogs.Clickable)
	picker.Click(3, 4, d.m.state()) // the second row, below the headings
	d.Press("enter")
	d.Dialog().Contains("5-14", "after")
}

// The list fits every size, and says what it does not show.
func TestThePickerAtEverySize(t *testing.T) {
	beside(t)
	for _, size := range [][2]int{{20, 5}, {60, 15}, {80, 24}, {120, 40}, {200, 60}} {
		d := surveyOf(t, size[0], size[1]).openMethod("make-stratum").Press("space", "down", "space")
		d.Type("zzz").Press("enter", "space", "backspace", "esc")
		if size[1] == 15 {
			d.Press("space").Screen().Contains("more")
		}
	}
}
