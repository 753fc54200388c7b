package tui

import "testing"

// The page of the keys can be searched like lists: by keys, by texts, and by synonyms, with the matching phrase.
// esc shows all again, then closes.
func TestHelpIsSearched(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("?", "/").Type("zoom")
	d.Dialog().Contains("All panes", "Zoom this pane")
	d.Dialog().Lacks("Undo the last step", "Next tab")
	d.Press("esc", "/").Type("quasi")
	d.Dialog().Contains("Scenario: key variables", `matches "quasi-identifier"`)
	d.Press("enter").Dialog().Contains("only with quasi")
	d.Press("esc").Dialog().Contains("Zoom this pane")
	d.Press("/").Type("ctrl+z").Dialog().Contains("Suspend the program")
	d.retype("nothing of this").Dialog().Contains("no line contains nothing of this")
	if d.Press("esc", "esc"); d.m.dialog != nil {
		t.Error("esc does not close the page")
	}
	d.Press("K", "?", "/").Type("importance").Dialog().Contains("importance")
}
