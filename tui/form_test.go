package tui

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/perturbation/pram"
)

// An invalid text stays in its field when the focus moves, and nothing can be applied until it is corrected or
// discarded.
func TestRefusedTextStays(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("P")
	d.focus("condition")
	d.Type("age abov 15").Press("down")
	d.Dialog().Contains("age abov 15", "condition: ")
	d.Press("enter")
	if len(d.steps()) != 0 || d.m.dialog == nil {
		t.Fatalf("steps %q are made with a refused condition", d.steps())
	}
	// Backspace edits the invalid text.
	d.Press("up", "backspace", "backspace", "backspace").Type("e 15").Press("down")
	if made := asked[*pram.PRAM](d); made == nil || made.Condition.String() != "age above 15" {
		t.Fatalf("fixed, the step is %+v:\n%s", made, d.Text())
	}
	// Esc discards an invalid text.
	d.Press("up").Type("x").Press("esc")
	if asked[*pram.PRAM](d) == nil {
		t.Errorf("given up, there is no step:\n%s", d.Text())
	}
	d.Press("enter")
	if len(d.steps()) != 1 {
		t.Errorf("steps %q", d.steps())
	}
}
