package tui

import (
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/recode"
	"github.com/sdcdesk/sdcdesk/views"
)

// The list of suggestions ends with the whole search; what the first promises is
// what it gives.
func TestSuggestionIsAppliedAsPromised(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("S")
	d.Dialog().Contains("4,443 violators of k = 3 now", "best per bit first", "bits lost", "would be")
	promised := d.m.asking.answer.WhatIf.Assessment.Violators[1].Count
	if strings.Count(d.Text(), views.Count(promised)) < 2 {
		t.Errorf("the what-if of the first suggestion has %d violators, the list says otherwise:\n%s", promised, d.Text())
	}
	d.Press("enter")
	if got := d.m.bench.current.Assessment.Violators[1].Count; got != promised {
		t.Errorf("%d violators after the step, %d were promised", got, promised)
	}
	d.Dialog().Contains(views.Count(promised) + " violators of k = 3 now")
	d.Press("s", "v").Dialog().Contains("Suggested recodes of ")
	if d.m.dialog.Title() == "Suggested recodes of the key variables" {
		t.Error("v leaves all variables")
	}
	d.Press("r")
	if marked := asked[*recode.Group](d).Levels; len(marked) < 2 {
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
	if d.m.dialog != nil || d.m.seeking.Runs() {
		t.Errorf("after esc the dialog is %v, a search runs: %v", d.m.dialog, d.m.seeking.Runs())
	}
	d.Press("S").Dialog().Contains("best per bit first")
}
