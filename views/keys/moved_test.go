package keys

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/views"
	dataview "github.com/sdcdesk/sdcdesk/views/data"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/pages"
)

// moved returns a state with two of three records in another order; one cell was suppressed, one set to missing.
func moved(t *testing.T) views.State {
	t.Helper()
	codes := microdata.NewCodes(3, 2)
	for record, code := range []uint32{1, 2, 2} {
		codes.Set(record, code)
	}
	column := microdata.NewCategorical("x", microdata.Category,
		&microdata.Categories{Levels: []microdata.Level{{Label: "a"}, {Label: "b"}}, Codes: codes})
	one, two := microdata.NewBits(3), microdata.NewBits(3)
	one.Set(0)
	two.Set(2)
	data, err := microdata.NewDataset([]*microdata.Column{column.Suppress(one).SetMissing(two)})
	if err != nil {
		t.Fatal(err)
	}
	data = data.Select([]uint32{2, 0})
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"x"}
	return views.State{Scenario: &scenario, Original: views.Version{Data: data.Source()},
		Current: views.Version{Data: data}, Look: draw.Look{Theme: draw.NewTheme(true, false)},
		Selected: views.Selection{Variable: "x", Record: -1}}
}

func TestCellsOfMovedRecords(t *testing.T) {
	s := moved(t)
	column := s.Current.Data.Columns()[0]
	for record, want := range []struct {
		text, style string
	}{{views.MissingSign, "changed"}, {views.SuppressedSign, "suppressed"}} {
		text, style := views.CellText(s, column, record)
		if text != want.text || (style == &s.Theme.Suppressed) != (want.style == "suppressed") ||
			(style == &s.Theme.Changed) != (want.style == "changed") {
			t.Errorf("record %d is %q", record, text)
		}
	}
	if got := views.SuppressedCells(s, "x"); got != 1 {
		t.Errorf("%d suppressed cells", got)
	}
	for filter, want := range map[string][]bool{"x changed": {true, true}, "x suppressed": {false, true},
		"x missing":         {true, true},
		"source_record = 3": {true, false}, "record = 2": {false, true}} {
		parsed, err := notation.ParseCondition(filter)
		if err != nil {
			t.Fatal(err)
		}
		meets, err := parsed.Bind(s.Scope())
		if err != nil {
			t.Fatal(err)
		}
		for record := range want {
			if meets(record) != want[record] {
				t.Errorf("%s: record %d", filter, record+1)
			}
		}
	}
	grid := dataview.NewRecords("", 0)
	if view := ansi.Strip(grid.View(s, 80, 6, true)); !strings.Contains(view,
		"x: missing, was b · record 3 of the original") {
		t.Errorf("the grid:\n%s", view)
	}
	if title := pages.NewRecord(1).TitleFor(s); title != "Record 2 · record 1 of the original" {
		t.Errorf("title %q", title)
	}
	levels := lostLevels(s, "x")
	if len(levels) != 2 || levels[0].cells != 1 || levels[1].cells != 0 || levels[1].first != 1 {
		t.Errorf("lost %+v", levels)
	}
}
