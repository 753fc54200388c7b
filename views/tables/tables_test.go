package tables

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// withTables returns the survey with tables, made of the data as they are, and the panes that have found all about them.
func withTables(t *testing.T, definitions ...microdata.TableDefinition) (views.State, []views.Pane) {
	t.Helper()
	s := viewtest.SurveyAt(t, 0)
	scenario := s.Scenario.Clone()
	scenario.Tables = definitions
	s.Scenario = &scenario
	s.TableSource = func() views.TableSource {
		return func(*microdata.TableDefinition) (*microdata.Dataset, publish.Hierarchies) {
			return s.Current.Data, func(variable string) [][]string {
				if variable != "region" {
					return nil
				}
				return regions(s)
			}
		}
	}
	panes := New()
	viewtest.SeekAll(t, panes[0], s)
	return s, panes
}

// regions are the categories of region in two parts.
func regions(s views.State) (levels [][]string) {
	for i, level := range views.CategoriesOf(s.Current, "region").Levels {
		levels = append(levels, []string{level.Label, []string{"North", "South"}[i%2]})
	}
	return levels
}

func by(names ...string) (spanning []microdata.Spanning) {
	for _, name := range names {
		spanning = append(spanning, microdata.Spanning{Variable: name})
	}
	return spanning
}

// counts is a table of counts with sensitive cells.
func counts() microdata.TableDefinition {
	return microdata.TableDefinition{By: by("region", "educ", "sex"), Rules: []string{"frequency:10"}}
}

// While secondary cells are searched for, the panes say so instead of counting them.
func TestSearchForSecondaryCellsIsShown(t *testing.T) {
	s, panes := withTables(t)
	scenario := s.Scenario.Clone()
	scenario.Tables = []microdata.TableDefinition{counts()}
	s.Scenario = &scenario
	panes[0].(views.Seeker).Seek(s)(t.Context(), time.Hour)() // counts the cells
	for _, p := range panes {
		frame := p.View(s, 78, 18, true)
		if p.ID() == "table" && (!strings.Contains(frame, "searching for secondary cells …") || strings.Contains(frame, "secondary 0")) ||
			p.ID() == "table-safety" && !regexp.MustCompile(`secondary cells +…`).MatchString(frame) {
			t.Errorf("%s:\n%s", p.ID(), frame)
		}
	}
	viewtest.SeekAll(t, panes[0], s)
	if frame := panes[1].View(s, 78, 18, true); strings.Contains(frame, "searching") || !strings.Contains(frame, "  secondary ") {
		t.Error(frame)
	}
}

// What the panes show is what package publish finds.
func TestPanesShowTheEvaluation(t *testing.T) {
	s, panes := withTables(t, counts())
	d := counts()
	want, err := publish.Evaluate(context.Background(), s.Current.Data, &d, func(v string) [][]string {
		if v == "region" {
			return regions(s)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	loss, safety := want.Loss(), want.Safety()
	if loss.Secondary == 0 || safety.Sensitive == 0 {
		t.Fatalf("the table needs no protection: %+v", loss)
	}
	frame := viewtest.Sees(t, panes[0], s, 70, 6)
	for _, n := range []int{len(want.Cells), safety.Sensitive, loss.Primary + loss.Secondary} {
		if !strings.Contains(frame, draw.Count(n)) {
			t.Errorf("the list lacks %d:\n%s", n, frame)
		}
	}
	frame = viewtest.Sees(t, panes[3], s, 60, 12)
	if !strings.Contains(frame, draw.Count(loss.Secondary)) || !strings.Contains(frame, "recalculable") {
		t.Errorf("the safety is\n%s", frame)
	}
	frame = viewtest.Sees(t, panes[1], s, 60, 12)
	if !strings.Contains(frame, value(want, 0)) || !strings.Contains(frame, "+ North") {
		t.Errorf("the total, or a sum, is not in\n%s", frame)
	}
}

// Tables that share cells are protected together: the list names the others, and what one must suppress is suppressed in
// all.
func TestLinkedTables(t *testing.T) {
	other := microdata.TableDefinition{Name: "sexes", By: by("region", "sex"), States: []microdata.CellState{
		{Codes: []string{"Arden", "Total"}, State: microdata.StateUnsafe}}}
	s, panes := withTables(t, counts(), other)
	viewtest.SeekAll(t, panes[0], s)
	if frame := viewtest.Sees(t, panes[0], s, 90, 8); !strings.Contains(frame, "linked with sexes") {
		t.Error(frame)
	}
	known, err := panes[1].(*slicePane).room.table(s)
	if err != nil {
		t.Fatal(err)
	}
	cell, err := known.table.Find([]string{"Arden", "Total", "Total"})
	if err != nil || !known.table.Secondary(cell) || known.safety.Recalculable() > 0 {
		t.Errorf("the cell that the other table suppresses is published here, or %d cells are open, %v", known.safety.Recalculable(), err)
	}
}

// A table with changed values shows the published ones, marks those that differ, and says why and at what cost.
func TestPanesShowChanges(t *testing.T) {
	d := counts()
	d.Protect = "small-counts:10"
	s, panes := withTables(t, d)
	p := panes[1].(*slicePane)
	known, err := p.room.table(s)
	if err != nil {
		t.Fatal(err)
	}
	changed := -1
	for cell := range known.table.Cells {
		if known.table.Changed(cell) && !known.table.Sensitive(cell) && known.table.Node(cell, 2) == 0 {
			changed = cell
		}
	}
	if changed < 0 {
		t.Fatal("no cell that is shown has changed")
	}
	panes[3].(*safetyPane).goTo(known.table, changed)
	published, _ := known.table.Published(changed)
	before, after := draw.Count(int(known.table.Cells[changed].Value)), draw.Count(int(published))
	if frame := p.View(s, 78, 18, true); !strings.Contains(frame, after+" "+changedSign) || !strings.Contains(frame, "~ changed") || strings.Contains(frame, secondarySign) {
		t.Errorf("the table lacks %s:\n%s", after, frame)
	}
	if frame := viewtest.Sees(t, panes[2], s, 60, 12); !strings.Contains(frame, before+" → "+after) || !strings.Contains(frame, "another value") ||
		!strings.Contains(frame, "rounded counts") {
		t.Errorf("the cell lacks %s → %s:\n%s", before, after, frame)
	}
	loss := known.table.Loss()
	frame := viewtest.Sees(t, panes[3], s, 60, 20)
	for _, text := range []string{"changed cells", draw.Count(loss.Changed), "sum of changes", draw.Count(int(loss.Change))} {
		if !strings.Contains(frame, text) {
			t.Errorf("the safety lacks %s:\n%s", text, frame)
		}
	}
}

// The slice goes down and up a hierarchy, through the pages, and exchanges its variables; each cell that it shows is that
// of its codes.
func TestSlices(t *testing.T) {
	s, panes := withTables(t, counts())
	p := panes[1].(*slicePane)
	codes := func(keys ...string) string {
		viewtest.Typing(p, &s, keys...)
		known, err := p.room.table(s)
		if err != nil {
			t.Fatal(err)
		}
		p.View(s, 60, 14, true)
		return strings.Join(known.table.Codes(p.under(known.table)), " ")
	}
	for _, step := range []struct {
		keys []string
		want string
	}{
		{[]string{"home"}, "Total Total Total"},
		{[]string{"down", "right"}, "North (missing) Total"},
		{[]string{"enter"}, "North Total Total"},
		{[]string{"down"}, "Arden Total Total"},
		{[]string{"enter"}, "Arden Total Total"},
		{[]string{"backspace"}, "Total Total Total"},
		{[]string{">", "down"}, "North Total female"},
		{[]string{"<", "<"}, "Total Total male"},
		{[]string{"<", "x"}, "Total Total Total"},
		{[]string{"right"}, "Total Total female"},
		{[]string{"y", "down"}, "Total (missing) Total"},
	} {
		if got := codes(step.keys...); got != step.want {
			t.Errorf("after %v the cursor is on %q, not %q", step.keys, got, step.want)
		}
	}
}

// The pane lists only keys that have an effect: pages where there are three variables, others for rows and columns where
// there are two, enter on a sum, backspace below the total; the list of all keys has them all.
func TestKeysOfTheSlice(t *testing.T) {
	flat := counts()
	flat.By = by("sex", "educ")
	one := counts()
	one.By = by("sex")
	for _, c := range []struct {
		of    microdata.TableDefinition
		typed []string
		want  string
	}{
		{of: one, want: "←↑↓→ a space A"},
		{of: flat, typed: []string{"down"}, want: "←↑↓→ a space A x y"},
		{of: counts(), want: "←↑↓→ a space A < > x y"},
		{of: counts(), typed: []string{"down"}, want: "←↑↓→ enter a space A < > x y"},
		{of: counts(), typed: []string{"down", "enter"}, want: "←↑↓→ a space A backspace < > x y"},
	} {
		s, panes := withTables(t, c.of)
		viewtest.Typing(panes[1], &s, append([]string{"home"}, c.typed...)...)
		panes[1].View(s, 78, 18, true)
		uncounted, scenario := s, s.Scenario.Clone()
		scenario.Tables = []microdata.TableDefinition{{By: by("ethnic", "sex", "relig")}}
		uncounted.Scenario = &scenario
		shown := func(keys []key.Binding) string {
			return wording.Joined(keys, " ", func(b key.Binding) string { return b.Help().Key })
		}
		if got := shown(panes[1].Keys()); got != c.want {
			t.Errorf("%d variables, %v: %s, not %s", len(c.of.By), c.typed, got, c.want)
		}
		if panes[1].View(uncounted, 78, 18, true); shown(panes[1].Keys()) != "←↑↓→ a space A" {
			t.Errorf("keys of a table that is being counted: %s", shown(panes[1].Keys()))
		}
		if got := shown(panes[1].(*slicePane).AllKeys()); !strings.Contains(got, "backspace < > x y") {
			t.Errorf("all keys: %s", got)
		}
	}
}

// Space goes through the states of a cell; a table that is forced open shows it at once, before secondary cells are found.
func TestStatesByHand(t *testing.T) {
	s, panes := withTables(t, counts())
	p := panes[1].(*slicePane)
	known, _ := p.room.table(s)
	cell := firstSensitive(known.table)
	panes[3].(*safetyPane).goTo(known.table, cell)
	if got := p.under(known.table); got != cell || len(p.slice.rows(known.table)) < 2 {
		t.Fatalf("the cursor is on cell %v, not %v", known.table.Codes(got), known.table.Codes(cell))
	}
	var got []string
	for range 5 {
		action, ok := viewtest.Typing(p, &s, "space").(views.SetTables)
		if !ok {
			t.Fatal("space does not change the table")
		}
		scenario := s.Scenario.Clone()
		scenario.Tables = action.Tables
		s.Scenario = &scenario
		state := ""
		if all := action.Tables[0].States; len(all) > 0 {
			state = string(all[0].State)
		}
		known, err := p.room.table(s) // without a search
		if err != nil {
			t.Fatal(err)
		}
		if open := known.safety.Recalculable() > 0; open != (known.table.Sensitive(cell) && !known.table.Suppressed(cell)) && state == "forced" {
			t.Errorf("%s: open is %v", state, open)
		}
		got = append(got, state)
	}
	if want := "unsafe safe forced frozen "; strings.Join(got, " ") != want {
		t.Errorf("states %q", got)
	}
}

// All panes keep to their frames, whatever the table is, and say what is wrong with it.
func TestFramesOfTables(t *testing.T) {
	for name, d := range map[string]microdata.TableDefinition{
		"one variable": {By: by("sex"), Rules: []string{"frequency:3"}},
		"rounded":      {By: by("region", "educ"), Rules: []string{"frequency:30"}, Protect: "controlled-rounding:5"},
		"refused":      {By: by("region", "educ", "sex", "ethnic"), Rules: []string{"frequency:3"}, Protect: "adjustment"},
		"sums":         {By: by("region", "age"), Response: "income", Weight: "weight", Rules: []string{"p:10", "dominance:1,85"}},
		"four":         {By: by("region", "urbrur", "sex", "ethnic"), Rules: []string{"frequency:3"}},
		"wrong rule":   {By: by("region"), Rules: []string{"q:1"}},
		"negative":     {By: by("region"), Response: "savings", Rules: []string{"p:10"}},
		"no variable":  {By: by("nobody")},
	} {
		s, panes := withTables(t, microdata.TableDefinition{By: by("urbrur")}, d)
		viewtest.Typing(panes[0], &s, "down")
		wrong := name == "wrong rule" || name == "no variable" || name == "refused"
		for _, p := range panes {
			viewtest.SeekAll(t, p, s)
			for _, size := range []viewtest.Size{{Width: 78, Height: 18}, {Width: 30, Height: 5}, {Width: 140, Height: 40}} {
				viewtest.CheckFrame(t, name+" "+p.ID(), p.View(s, size.Width, size.Height, true), size.Width, size.Height)
			}
			if explained := len(p.Figures(s)); p.ID() == "table-safety" && !wrong && explained != 4 {
				t.Errorf("%s: %d figures of Safety are explained", name, explained)
			}
		}
		if frame := panes[1].View(s, 78, 18, true); strings.Contains(frame, "recalculable") == wrong {
			t.Errorf("%s:\n%s", name, frame)
		}
	}
}

func firstSensitive(t *publish.Table) int {
	for cell := range t.Cells {
		if t.Sensitive(cell) {
			return cell
		}
	}
	return 0
}
