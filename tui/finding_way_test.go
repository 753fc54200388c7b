package tui

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// The palette finds methods and measures by what they are about, words before letters
// that follow each other somewhere.
func TestPaletteFindsByWords(t *testing.T) {
	for typed, want := range map[string]string{"outlier": "Measure: risk of numeric variables", "top code": "Top and bottom coding",
		"swap": "Rank swapping", "suda": "Measure: SUDA", "synthetic": "synthetic"} {
		surveyOf(t, 120, 40).Press(":").Type(typed).Dialog().Contains(want)
	}
}

// The panes of PRAM say once what it is before it is used, and follow the variable that
// it was applied to; the matrix is written from all of them.
func TestPanesOfPRAMFollow(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("f3")
	d.Screen().Contains("post-randomisation")
	d.Screen().Lacks("has not been applied")
	d.m.followPRAM([]method.PRAMVariable{{Variable: "health"}})
	if d.m.bench.selected.Variable != "health" {
		t.Errorf("the panes are of %q", d.m.bench.selected.Variable)
	}
	d = surveyOf(t, 120, 40).Press("]", "]")
	openPRAM(d)
	d.Press("enter")
	for _, pane := range []string{"2", "3", "4"} {
		d.Press(pane).Screen().Contains("x export the matrix")
	}
}

// While a field is typed into, esc ends that and the line of keys says so; then it closes.
// ctrl+u empties a list.
func TestEscapeFromAField(t *testing.T) {
	d := surveyOf(t, 120, 40).Press(":").Type("microaggregation").Press("enter")
	d.Screen().Contains("esc cancel")
	d.Press("ctrl+u").Screen().Contains("esc end typing")
	d.Press("esc").Screen().Contains("esc cancel")
	d.Press("esc")
	if d.m.dialog != nil {
		t.Error("the dialog is still open")
	}
}
