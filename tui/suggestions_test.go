package tui

import (
	"testing"
)

// The list of suggestions ends with the whole search; what the first promises is
// what it gives.
func TestSuggestionIsAppliedAsPromised(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("S")
	dialog := d.m.dialog.(*suggestions)
	if !dialog.done || len(dialog.found) < 100 || dialog.before != 4443 {
		t.Fatalf("done %v, %d found, %d violators", dialog.done, len(dialog.found), dialog.before)
	}
	d.Dialog().Contains("violators of k = 3", "bits lost", "would be")
	promised := *dialog.one()
	whatIf := d.m.asking.answer.WhatIf
	if got := whatIf.Assessment.Violators[1].Count; got != promised.After {
		t.Errorf("%d violators after the first suggestion, its what-if has %d", promised.After, got)
	}
	d.Press("enter")
	if got := d.m.bench.current.Assessment.Violators[1].Count; got != promised.After {
		t.Errorf("%d violators after the step, %d were promised", got, promised.After)
	}
	if dialog = d.m.dialog.(*suggestions); dialog.before != promised.After || !dialog.done {
		t.Errorf("the search did not begin anew: %d violators before", dialog.before)
	}
	d.Press("s", "v").Dialog().Contains("Suggested recodes of ")
	if variable := d.m.dialog.(*suggestions).variable; variable == "" {
		t.Error("v leaves all variables")
	}
	d.Press("r")
	if marked := d.m.dialog.(*recodeGroups).marked; len(marked) < 2 {
		t.Errorf("%d categories are marked", len(marked))
	}
	d.Press("esc")
	if len(d.steps()) != 1 {
		t.Errorf("steps %q", d.steps())
	}
}

func TestClosingTheSuggestionsEndsTheSearch(t *testing.T) {
	d := surveyOf(t, 120, 40).Hold().Press("S")
	d.Dialog().Contains("searching …")
	d.Press("esc").Release()
	if d.m.dialog != nil || d.m.seeking.runs() {
		t.Errorf("after esc the dialog is %v, a search runs: %v", d.m.dialog, d.m.seeking.runs())
	}
	d.Press("S").Dialog().Contains("best per bit first")
}
