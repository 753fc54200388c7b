package recoding

import (
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// The meaning of a group is computed once for all frames, and again for another group.
func TestMeaningOfAGroupIsKept(t *testing.T) {
	s := keyed(t, "1", "2", "3")
	column := s.Current.Data.Columns()[0].WithDescription(&microdata.Description{Labels: map[string]string{"1": "north",
		"2": "south", "3": "east"}})
	d := newRecodeGroups(s, column)
	d.marked[1], d.marked[2] = true, true
	if text := d.story(s); !strings.Contains(text, "north, south") {
		t.Fatal(text)
	}
	if first := d.preview.said; d.story(s) == "" || first == nil || first != d.preview.said {
		t.Error("it is found at each frame")
	}
	d.marked[3] = true
	if text := d.story(s); !strings.Contains(text, "north, south, east") {
		t.Errorf("of another group: %s", text)
	}
	d.Take(column.WithDescription(&microdata.Description{Labels: map[string]string{"1": "N", "2": "S", "3": "E"}}))
	d.marked[1], d.marked[2], d.marked[3] = true, true, true
	if text := d.story(s); !strings.Contains(text, "N, S, E") {
		t.Errorf("of another column: %s", text)
	}
}
