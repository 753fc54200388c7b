package tui

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/sdcdesk/sdcdesk/session"
)

// Two states of the tree are compared: the original data and those after a step, with figures and differing
// variables.
func TestCompareWithTheOriginal(t *testing.T) {
	beside(t)
	d := recodeAge(demonstration(t, 120, 40)).Press("6", "end", "=")
	d.Dialog().Contains("original", "now", "difference", "expected re-identifications", session.Mark)
	d.Press("pgdown").Dialog().Contains("records in both", "variable", "age", "first 100 of 5,000 records that differ")
	d.Dialog().Lacks("region ")
	d.Press("esc")
	if len(d.steps()) != 1 || d.m.dialog != nil {
		t.Errorf("steps %q after looking", d.steps())
	}
	d = demonstration(t, 80, 24).Press("tab", "tab", "tab", "tab", "tab", "=")
	d.whole().Contains("0 of them differ in at least one value")
}

// whole returns the complete text of the open dialog.
func (d *driver) whole() shown {
	d.Helper()
	d.Press("home")
	return shown{d, "the whole dialog", ansi.Strip(d.m.dialog.View(d.m.dialogState(), 120, 1000))}
}

// One state is marked and others are compared with it: two branches that need not be applied, and two steps with
// the same title.
func TestCompareWithTheMarked(t *testing.T) {
	beside(t)
	d := branchedOf(demonstration(t, 120, 40)).Press("6", "end", "up") // intervals of age, which both branches share
	d.Screen().Contains("= compare with current", "space mark")
	d.Press("home", "down", "space")
	d.Pane("steps").Contains("├─○ 2 k-anonymity", "marked, branch 1")
	d.Screen().Contains("space no mark")
	d.Press("home").Screen().Contains("= compare with marked")
	d.Press("=").Dialog().Contains("k-anonymity k=3", "now", "difference")
	d.whole().Contains("who has A and B", "A and B together")
	d.Press("esc", "end", "=").Dialog().Contains("k-anonymity k=3", "original")
	d.whole().Contains("age")
	d.whole().Lacks("who has A and B") // the original is not a release
	// the marked step itself is compared with the current one
	d.Press("esc", "home", "down", "=").Dialog().Contains("k-anonymity k=3", "now")
	d.Press("esc", "space").Pane("steps").Lacks("marked")
	d.Press("end", "=").Dialog().Contains("original", "now")

	d = recodeAge(demonstration(t, 120, 40)).Press("K", "enter", "u", "K", "enter", "6", "end", "enter", "home", "down",
		"space", "home", "=")
	d.Dialog().Contains("2 branch 1: k-anonymity", "2 branch 2: k-anonymity")
	d.whole().Contains("0 of them differ in at least one value")
}

// A marked step that is deleted is no longer used for comparisons.
func TestMarkedStepIsDeleted(t *testing.T) {
	d := branched(t, 120, 40).Press("6", "home", "down", "space", "d", "enter")
	d.Screen().Contains("= compare with original").Screen().Lacks("compare with marked")
}

// A comparison that finishes while another dialog is open covers it; the dialog returns with its values.
func TestComparisonOverADialog(t *testing.T) {
	d := recodeAge(surveyOf(t, 120, 40)).Press("6", "end").Hold().Press("=", "K").Type("5")
	d.Release().Dialog().Contains("difference")
	d.Press("esc").Dialog().Contains("k-anonymity", "k = 5 conservative")
}

func TestGoldenComparison(t *testing.T) {
	for _, size := range frames {
		d := recodeAge(demonstration(t, size[0], size[1])).Press("K", "enter", "6", "end", "=")
		golden(t, fmt.Sprintf("comparison-%dx%d.txt", size[0], size[1]), d.plain())
	}
}

// The current step is compared with the original data, not with itself.
func TestCompareTheCurrentStep(t *testing.T) {
	beside(t)
	d := recodeAge(surveyOf(t, 120, 40)).Press("6")
	d.Screen().Contains("= compare with original")
	d.Press("=").Dialog().Contains("original", "now")
	d.whole().Contains("age ")
	d.Dialog().Lacks(" 0 of them differ in at least one value")
}
