package tui

import (
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// The palette finds methods and measures by subject, and prefers words to letters in the same order.
func TestPaletteFindsByWords(t *testing.T) {
	for typed, want := range map[string]string{"outlier": "Measure: risk of numeric variables", "top code": "Top- or bottom-code",
		"swap": "Rank swapping", "suda": "Measure: SUDA", "synthetic": "Synthetic values", "filter": "Data tab",
		"generalis": "Recode the selected variable", "disclosure": "k-anonymity", "exit": "Quit", "save": "Export"} {
		surveyOf(t, 120, 40).Press(":").Type(typed).Dialog().Contains(want)
	}
	surveyOf(t, 120, 40).Press(":").Type("filter").Dialog().Lacks("Open another file") // only its letters occur
	surveyOf(t, 120, 40).Press(":").Type("rnkswp").Dialog().Contains("Rank swapping")
}

// Synonyms of the literature are found, and the row shows the matching one.
func TestPaletteFindsSynonyms(t *testing.T) {
	for typed, want := range map[string]string{"quasi-identifier": "Term: key variable · matches \"quasi-identifier\"",
		"equivalence": "Term: key pattern · matches \"equivalence class\"", "prosecutor risk": "Term: prosecutor risk",
		"journalist": "Term: journalist risk", "aggregation": "Recode the selected variable · matches \"aggregation\"",
		"pseudonym": "Random IDs · matches \"pseudonym\"", "hashing": "Term: random ID · matches \"hashing\"", "masking": "Term: masking",
		"top coding": "Top- or bottom-code", "sample unique": "Term: sample unique"} {
		surveyOf(t, 120, 40).Press(":").Type(typed).Dialog().Contains(want)
	}
	surveyOf(t, 120, 40).Press("m").Type("re-identification prob").Dialog().Contains("Risk · matches \"re-identification probability\"")
	surveyOf(t, 120, 40).Press(":").Type("equivalence").Press("enter").Dialog().Contains("Also called: equivalence class")
}

// The recently chosen commands come first, also among matches.
func TestPaletteBeginsWithTheLastCommands(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40)
	for _, name := range []string{"shuffling", "zoom this pane", "shuffling", "theme"} {
		if d.Press(":").Type(name).Press("enter"); d.m.dialog != nil {
			d.Press("esc")
		}
	}
	text := d.Press(":").Dialog().text
	theme, shuffling := strings.Index(text, "Theme:"), strings.Index(text, "Shuffling")
	zoom, first := strings.Index(text, "Zoom"), strings.Index(text, "Recode the selected")
	if theme < 0 || theme > shuffling || shuffling > zoom || zoom > first || strings.Count(text, "Shuffling") != 1 {
		t.Errorf("the last commands are not first:\n%s", text)
	}
	text = d.Type("th").Dialog().text
	if other := strings.Index(text, "Measure"); strings.Index(text, "Theme:") > other && other >= 0 {
		t.Errorf("of those that match as well the last is not first:\n%s", text)
	}
}

// The PRAM panes explain PRAM once before it is used, then follow the variable it was applied to; the matrix can
// be exported from all of them.
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

// While a field is edited, esc ends that and the bottom line says so; then it closes the dialog. ctrl+u empties a
// list.
func TestEscapeFromAField(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press(":").Type("microaggregation").Press("enter")
	d.Screen().Contains("esc cancel")
	d.Press("ctrl+u").Screen().Contains("esc end typing")
	d.Press("esc").Screen().Contains("esc cancel")
	d.Press("esc")
	if d.m.dialog != nil {
		t.Error("the dialog is still open")
	}
}
