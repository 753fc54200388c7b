package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// The tab Keys lists the key patterns; enter opens the records of one, and esc returns to the list.
func TestDistinctKeysDrillToTheirRecords(t *testing.T) {
	beside(t)
	d := demonstration(t, 120, 40).Press("]")
	a := d.m.bench.current.Assessment
	d.Screen().Contains("4,221", "1.18 records each on average", "risk↓", "hh. risk")
	d.Press("enter").Screen().Contains("1 of 5,000 records", `region = "Hollow Isles" and urbrur = rural`)
	d.Screen().Contains("risk " + wording.Probability(a.HighestRisk()))
	d.Press("esc").Screen().Contains("1 Key patterns")
}

// Sorting by any column puts its lowest or highest value first. The filter keeps the matching key patterns; an
// invalid filter stays open with its error.
func TestDistinctKeysSortAndFilter(t *testing.T) {
	beside(t)
	d := demonstration(t, 200, 60).Press("]")
	row := func() string {
		for line := range strings.SplitSeq(d.Pane("distinct-keys").text, "\n") {
			if strings.HasPrefix(strings.TrimLeft(line, "▸ "), "1 ") {
				return line
			}
		}
		t.Fatal(d.Pane("distinct-keys").text)
		return ""
	}
	d.Press("s", "s") // by records, descending
	most := 0
	for _, n := range d.m.bench.current.Assessment.Table().Counts() {
		most = max(most, int(n))
	}
	if first := strings.Fields(row())[2]; first != fmt.Sprint(most) {
		t.Errorf("the largest key has %s records, not %d", first, most)
	}
	for range 5 {
		d.Press("right")
	}
	if d.Press("s"); d.m.bench.selected.Variable != "region" || !strings.Contains(row(), "Arden") {
		t.Errorf("sorted by region: %q, selected %s", row(), d.m.bench.selected.Variable)
	}
	d.Press("right", "a")
	up := strings.Fields(row())
	d.Pane("distinct-keys").Contains("region↑1", "urbrur↑2")
	d.Press("a")
	d.Pane("distinct-keys").Contains("region↑1", "urbrur↓2")
	if down := strings.Fields(row()); !slices.Contains(up, "Arden") || !slices.Contains(down, "Arden") ||
		slices.Contains(up, "rural") == slices.Contains(down, "rural") {
		t.Errorf("sorted by region, then urbrur: %q and the other way round %q", up, down)
	}
	d.Press("left", "s")
	d.Press("/").Type("urbrur = rural and f > 2").Press("enter").Screen().Contains("urbrur = rural and f > 2",
		" of 4,221")
	if !strings.Contains(row(), "rural") {
		t.Error(row())
	}
	d.Press("/").retype("income > 5").Press("enter").Pane("distinct-keys").Contains("filter: income > 5", "income")
	if !d.m.typing() {
		t.Error("a filter that cannot be used was taken")
	}
	d.Press("esc", "esc").Screen().Lacks(" of 4,221")
}

// A cross table of two key variables has the original next to the current counts, marks small cells, and enter
// opens the records of a cell.
func TestCrossTable(t *testing.T) {
	beside(t)
	d := recodeAge(surveyOf(t, 200, 60)).Press("]", "2")
	for d.m.bench.selected.Variable != "age" {
		d.Press("y")
	}
	d.Press("x").Pane("cross-table").Contains("vocational", "65+", "! fewer than 3")
	d.Press("down", "enter").Screen().Contains("age = ").Screen().Lacks("Cross table")
	d.Press("esc", "K", "enter").Pane("cross-table").Contains("(", "!")
	d.Press("%").Screen().Contains("% of the row")
}

// A large screen shows the key patterns and the history in addition; after shrinking the screen, the focus is on
// an existing pane.
func TestLargeScreensHaveMorePanes(t *testing.T) {
	beside(t)
	d := recodeAge(surveyOf(t, 200, 60)).Press("1")
	d.Screen().Contains("7 Key patterns", "8 History", "k = 2", "original data")
	d.Press("8").Resize(80, 24).Screen().Contains("6 of 6 · Steps")
	d.Resize(120, 40).Screen().Lacks("History")
}
