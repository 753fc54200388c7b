package tui

import (
	"slices"
	"testing"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/views/draw"
)

// The slots of every tab cover the area exactly, without overlap.
func TestLayoutCoversTheScreen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		room := tab(rapid.IntRange(0, int(tabCount)-1).Draw(t, "tab"))
		width, height := rapid.IntRange(roomyWidth, 250).Draw(t, "width"), rapid.IntRange(20, 100).Draw(t, "height")
		places := tabs[room].place(rect{0, 0, width, height})
		covers(t, rect{0, 0, width, height}, places)
		if len(places) != len(tabs[room].panes) {
			t.Fatalf("%s has %d places for %d panes", tabs[room].name, len(places), len(tabs[room].panes))
		}
	})
}

// covers checks that places cover an area once; those with an empty place are not visible.
func covers(t interface{ Fatalf(string, ...any) }, area rect, places []rect) {
	covered := make([]int, area.width*area.height)
	for _, s := range places {
		for y := s.y; y < s.y+s.height; y++ {
			for x := s.x; x < s.x+s.width; x++ {
				covered[(y-area.y)*area.width+x-area.x]++
			}
		}
	}
	if slices.Min(covered) != 1 || slices.Max(covered) != 1 {
		t.Fatalf("%v in %v: cells covered from %d to %d times", places, area, slices.Min(covered), slices.Max(covered))
	}
}

// The stacked layout of small screens covers them too, whatever the number of key variables, and no frame is too
// small for its content.
func TestStackCoversTheScreen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		area := rect{0, 2, rapid.IntRange(1, 180).Draw(t, "width"), rapid.IntRange(1, 80).Draw(t, "height")}
		for i := range tabs {
			if tabs[i].stack == nil {
				continue
			}
			places := tabs[i].stack(area, rapid.IntRange(0, 64).Draw(t, "keys"))
			if places == nil {
				continue
			}
			if covers(t, area, places); len(places) != len(tabs[i].panes) {
				t.Fatalf("%s has %d places for %d panes", tabs[i].name, len(places), len(tabs[i].panes))
			}
			for _, place := range places {
				if place != (rect{}) && (place.width < 20 || place.height < 5) {
					t.Fatalf("%v in %v", place, area)
				}
			}
		}
	})
}

// The first page of a small screen has k-anonymity and risk under the key variables; tab goes to the other panes,
// and z zooms one.
func TestFirstPageOfASmallScreen(t *testing.T) {
	beside(t)
	d := demonstration(t, 80, 24)
	d.Screen().Contains("1 Key variables", "3 k-anonymity", "4,443  88.9 %", "5 Risk", "84.84",
		"risk > 0.01: 3,718  > 0.1: 0")
	d.Press("tab").Screen().Contains("2 of 6 · region").Screen().Lacks("k-anonymity")
	d.Press("tab").Screen().Contains("1 Key variables", "3 k-anonymity", "5 Risk")
	d.Press("z").Screen().Contains("3 of 6 · k-anonymity", "violators by k, 2 to 20").Screen().Lacks("5 Risk")
	demonstration(t, 60, 15).Press("5").Screen().Contains("risk > 0.001: 4,642  > 0.01: 3,718  > 0.1: 0")
}

func TestOnePaneAloneHasTheWholeArea(t *testing.T) {
	beside(t)
	d := guide(t, 120, 40).Press("6", "z")
	if slots := d.m.slots(); len(slots) != 1 || slots[0].pane.ID() != "steps" || slots[0].rect != (rect{0, 1, 120, 37}) {
		t.Errorf("slots %+v", slots)
	}
}

// If there is no room for the names of the tabs, the header names the open one, and a click there opens none.
func TestHeaderNamesTheOpenTab(t *testing.T) {
	beside(t)
	d := surveyOf(t, 60, 15).Press("]")
	d.Screen().Contains("tab 2 of 8 · Keys")
	d.Send(tea.MouseClickMsg{X: 57, Y: 0, Button: tea.MouseLeft})
	d.Screen().Contains("tab 2 of 8 · Keys")
	d.Resize(80, 24).Screen().Lacks("tab 2 of 8")
	d.Send(tea.MouseClickMsg{X: 77, Y: 0, Button: tea.MouseLeft})
	if name := tabs[d.m.bench.tab].name; name != "Tables" {
		t.Errorf("a click on the last tab opens %s", name)
	}
}

// The key of every command can be pressed by its name, as the palette and the bottom line do.
func TestCommandsByTheirKeys(t *testing.T) {
	beside(t)
	for _, c := range surveyOf(t, 80, 24).m.commands() {
		for _, name := range c.binding.Keys() {
			if !key.Matches(draw.Press(name), c.binding) {
				t.Errorf("%s: pressing %s is another key", c.name, name)
			}
		}
	}
}
