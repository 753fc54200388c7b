package tui

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The slots of every tab cover the area exactly, without overlap.
func TestLayoutCoversTheScreen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		room := tab(rapid.IntRange(0, int(tabCount)-1).Draw(t, "tab"))
		width, height := rapid.IntRange(roomyWidth, 250).Draw(t, "width"), rapid.IntRange(20, 100).Draw(t, "height")
		covered := make([]int, width*height)
		var names []string
		for _, s := range layout(room, "", width, height) {
			names = append(names, s.pane)
			for y := s.y; y < s.y+s.height; y++ {
				for x := s.x; x < s.x+s.width; x++ {
					covered[y*width+x]++
				}
			}
		}
		if slices.Min(covered) != 1 || slices.Max(covered) != 1 {
			t.Fatalf("%s at %dx%d: cells covered from %d to %d times", room.name(), width, height, slices.Min(covered), slices.Max(covered))
		}
		if !slices.Equal(names, room.panes()) {
			t.Fatalf("%s has the panes %v, want %v", room.name(), names, room.panes())
		}
	})
}

func TestOnePaneAloneHasTheWholeArea(t *testing.T) {
	slots := layout(tabOverview, "steps", 80, 20)
	if len(slots) != 1 || slots[0].pane != "steps" || slots[0].rect != (rect{0, 0, 80, 20}) {
		t.Errorf("slots %+v", slots)
	}
}
