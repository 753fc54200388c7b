package tui

import (
	"strings"
	"testing"
)

// A message that is longer than the status line goes over several lines; where these are
// too many it says where it can be read whole.
func TestLongMessagesWrap(t *testing.T) {
	d := surveyOf(t, 80, 24)
	d.m.refuse("a.sav cannot be read: " + strings.Repeat("there is something else in its place, ", 4) + "so nothing was opened")
	d.Screen().Contains("so nothing was opened", "a.sav cannot be read")
	d.m.refuse(strings.Repeat("there is something else in its place, ", 40) + "so nothing was opened")
	d.Screen().Contains("…  : Messages")
	d.Screen().Lacks("so nothing was opened")
	d.Press(":").Type("messages").Press("enter").Dialog().Contains("so nothing was opened")
}
