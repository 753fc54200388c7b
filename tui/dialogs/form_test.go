package dialogs

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Text goes to the field where typing began, although what is typed hides or shows fields before it.
func TestTypingThatHidesFields(t *testing.T) {
	text, shown := "", true
	first := NewSwitch("first", "", &shown).If(func() bool { return text == "" })
	last := NewSwitch("last", "", &shown)
	f := &Form{Fields: []*Field{first, NewText("text", "", &text), last}}
	f.At = 1
	for _, key := range []string{"x", "y", "backspace", "backspace", "z"} {
		f.Handle(draw.Press(key))
	}
	if text != "z" || f.Field() != f.Fields[1] {
		t.Errorf("the text is %q, the field in focus %q", text, f.Field().Label)
	}
}
