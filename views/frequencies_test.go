package views

import (
	"slices"
	"testing"
)

func TestFrequenciesPane(t *testing.T) {
	s, p := surveyAt(t, 0), NewFrequencies()
	s.Selected.Variable = "region"
	if got := typing(p, &s, "down"); got != (SelectLevel{2}) {
		t.Errorf("down gives %v", got)
	}
	if got := typing(p, &s, "enter"); got != (ShowRecords{"region", 2}) {
		t.Errorf("enter gives %v", got)
	}
	typing(p, &s, "s")
	counts := categoriesOf(s.Current, "region").Counts()
	codes := codesOf(p, s)
	if !slices.IsSortedFunc(codes, func(a, b uint32) int { return counts[b] - counts[a] }) {
		t.Errorf("%v is not sorted by %v", codes, counts)
	}
	typing(p, &s, "/", "I", "S", "L", "e", "s")
	if !p.Typing() || len(codesOf(p, s)) != 1 {
		t.Errorf("the filter isles leaves %d", len(codesOf(p, s)))
	}
	typing(p, &s, "enter")
	if p.Typing() || len(codesOf(p, s)) != 1 {
		t.Error("enter does not keep the filter")
	}
	typing(p, &s, "esc")
	if len(codesOf(p, s)) != 8 {
		t.Error("esc does not take the filter back")
	}
	typing(p, &s, "/", "a")
	s.Selected.Variable = "sex"
	if p.View(s, 40, 10, true); len(codesOf(p, s)) != 2 {
		t.Error("the filter of one variable goes on with another")
	}
}

// codesOf returns the codes that a list of categories shows.
func codesOf(p *Frequencies, s State) []uint32 {
	return p.look(s, categoriesOf(s.Current, s.Selected.Variable)).codes
}
