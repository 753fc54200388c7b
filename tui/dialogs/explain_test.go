package dialogs

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
	"github.com/sdcdesk/sdcdesk/views/viewtest/nasty"
)

// Names and values of a file in an explanation do not act on the terminal.
func TestExplanationsAreDrawnSafely(t *testing.T) {
	theme := draw.NewTheme(true, true)
	s := views.State{Look: draw.Look{Theme: theme}}
	for _, label := range append(nasty.Labels, "\x1b[2J\x1b[31mred", "a\nb\x00c") {
		text := "a " + label + " b"
		d := NewExplain([]views.Figure{{Name: text, Value: text, Definition: text, Formula: text, Values: []string{text, label},
			Source: text}})
		for _, width := range []int{12, 60} {
			frame := draw.Box(theme, 0, d.Title(), d.View(s, width-2, 18), width, 20, true)
			viewtest.CheckFrame(t, label, frame, width, 20)
		}
	}
}
