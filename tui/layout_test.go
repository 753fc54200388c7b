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
		places := tabs[room].place(rect{0, 0, width, height})
		for _, s := range places {
			for y := s.y; y < s.y+s.height; y++ {
				for x := s.x; x < s.x+s.width; x++ {
					covered[y*width+x]++
				}
			}
		}
		if slices.Min(covered) != 1 || slices.Max(covered) != 1 {
			t.Fatalf("%s at %dx%d: cells covered from %d to %d times", tabs[room].name, width, height, slices.Min(covered), slices.Max(covered))
		}
		if len(places) != len(tabs[room].panes) {
			t.Fatalf("%s has %d places for %d panes", tabs[room].name, len(places), len(tabs[room].panes))
		}
	})
}

func TestOnePaneAloneHasTheWholeArea(t *testing.T) {
	d := guide(t, 120, 40).Press("6", "z")
	if slots := d.m.slots(); len(slots) != 1 || slots[0].pane.ID() != "steps" || slots[0].rect != (rect{0, 1, 120, 37}) {
		t.Errorf("slots %+v", slots)
	}
}
