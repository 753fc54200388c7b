package tui

import (
	"strings"
	"testing"
)

// A message longer than the status line wraps; if it has too many lines, it says where to read it in full.
func TestLongMessagesWrap(t *testing.T) {
	beside(t)
	d := surveyOf(t, 80, 24)
	d.m.refuse("a.sav cannot be read: " + strings.Repeat("there is something else in its place, ", 4) + "so nothing was opened")
	d.Screen().Contains("so nothing was opened", "a.sav cannot be read")
	d.m.refuse(strings.Repeat("there is something else in its place, ", 40) + "so nothing was opened")
	d.Screen().Contains("…  : Messages")
	d.Screen().Lacks("so nothing was opened")
	d.Press(":").Type("messages").Press("enter").Dialog().Contains("so nothing was opened")
}
