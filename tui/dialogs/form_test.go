package dialogs

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

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

// A value can have a form for little room, which is not cut.
func TestFittedValues(t *testing.T) {
	s := surveyState(t)
	f := &Form{Fields: []*Field{{Label: "check", Value: func() string { return "3 of 5 records · region, sex" },
		Fitted: func(cells int) string {
			return draw.Fitting(cells, "3 of 5 records · region, sex", "3 of 5 records")
		}}}}
	for width, want := range map[int]string{40: "3 of 5 records · region, sex", 30: "3 of 5 records"} {
		if got := strings.TrimSpace(ansi.Strip(f.View(s, width)[0])); got != "▸ check  "+want {
			t.Errorf("%d cells: %q", width, got)
		}
	}
}

// Help that does not fit begins in the first free line.
func TestHelpBeginsInTheFirstFreeLine(t *testing.T) {
	text := ""
	f := &Form{Fields: []*Field{NewText("path", strings.Repeat("help ", 20), &text), NewText("other", "", &text)}}
	for height, want := range map[int]string{2: "other", 3: "help help help …"} {
		lines := f.viewWithin(surveyState(t), 20, height)
		if got := strings.TrimSpace(ansi.Strip(lines[len(lines)-1])); len(lines) != height || got != want {
			t.Errorf("%d lines: the last is %q, not %q", height, got, want)
		}
	}
}
