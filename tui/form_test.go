package tui

import "testing"

// A text that makes no sense stays in its field when the field is left, and
// nothing can be applied until it is mended or given up.
func TestRefusedTextStays(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("P")
	dialog := d.m.dialog.(*pramDialog)
	for dialog.field().label != "condition" {
		d.Press("down")
	}
	d.Type("age abov 15").Press("down")
	d.Dialog().Contains("age abov 15", "condition: ")
	d.Press("enter")
	if len(d.steps()) != 0 || d.m.dialog == nil {
		t.Fatalf("steps %q are made with a refused condition", d.steps())
	}
	// Backspace goes on with the refused text.
	d.Press("up", "backspace", "backspace", "backspace").Type("e 15").Press("down")
	if dialog.err() != nil || dialog.method.Condition.String() != "age above 15" {
		t.Fatalf("mended, the condition is %v, error %v:\n%s", dialog.method.Condition, dialog.err(), d.Text())
	}
	// Esc gives a refused text up.
	d.Press("up").Type("x").Press("esc")
	if dialog.err() != nil || d.m.dialog == nil {
		t.Errorf("given up, the error is %v", dialog.err())
	}
	d.Press("enter")
	if len(d.steps()) != 1 {
		t.Errorf("steps %q", d.steps())
	}
}
