package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/views/draw"
)

// A user looks for the riskiest of the old: sorts by two columns, finds a text, and copies it. Nothing is copied
// without confirmation.
func TestLookingAtData(t *testing.T) {
	beside(t)
	for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 40}, {200, 60}} {
		d := surveyOf(t, size[0], size[1]).Press("[", "[", "F", "o").Type("risk").Press("enter", "s", "s",
			"o").Type("age").Press("enter", "a")
		d.Screen().Contains("by risk ↓, age ↑")
		a, previous := d.m.bench.current.Assessment, 2.0
		for range 20 {
			d.Press("down")
			record := d.m.bench.selected.Record
			if risk := a.Risk(record); risk > previous {
				t.Fatalf("record %d has a risk of %g, that before %g", record+1, risk, previous)
			} else {
				previous = risk
			}
		}
		d.Press("f").Type("hollow").Press("enter")
		if column := d.m.bench.selected.Variable; column != "region" {
			t.Errorf("hollow is found in %s", column)
		}
		_, cmd := d.Press("y").m.Update(draw.Press("y")) // the first copy asks
		if got := copied(cmd); got != "Hollow Isles" {
			t.Errorf("%q is copied", got)
		}
		d.Screen().Contains("copied to the clipboard of the terminal: region of")
		d.Press("esc", "X", "F", "?")
		d.Dialog().Contains("add sort column", "find", "copy record", "hide column")
	}
}

// One key counts the values of the variable under the cursor; enter opens the records with one of them, and esc
// returns to the cell.
func TestCountingValuesFromTheData(t *testing.T) {
	beside(t)
	for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 40}, {200, 60}} {
		d := demonstration(t, size[0], size[1]).Press("[", "[", "down", "o").Type("occup").Press("enter", "c")
		column, _ := d.m.bench.doc.Data().Column("occup")
		counts, most := column.Categories().Counts(), 1
		for code := range counts[1:] {
			if counts[code+1] > counts[most] {
				most = code + 1
			}
		}
		d.Screen().Contains(column.Categories().Levels[most-1].Label, draw.Count(counts[most]))
		d.Press("enter")
		d.Screen().Contains("occup = "+column.Categories().Levels[most-1].Label, draw.Count(counts[most])+" of 5,000 records")
		d.Press("esc", "esc")
		if d.m.bench.selected.Variable != "occup" || len(d.m.bench.drill) > 0 || d.m.bench.selected.Record != 1 {
			t.Errorf("esc leads back to %s of record %d", d.m.bench.selected.Variable, d.m.bench.selected.Record+1)
		}
	}
}

// copied returns the text that a command copies to the clipboard.
func copied(cmd tea.Cmd) string {
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, cmd := range msg {
			if cmd != nil {
				if text := copied(cmd); text != "" {
					return text
				}
			}
		}
	default:
		if strings.HasSuffix(fmt.Sprintf("%T", msg), "setClipboardMsg") {
			return fmt.Sprint(msg)
		}
	}
	return ""
}
