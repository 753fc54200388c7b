package tui

import (
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/views"
)

// inTables opens the tab Tables.
func inTables(d *driver) *driver { return inTab(d, tabCount-1) }

func inTab(d *driver, t tab) *driver {
	d.act(func() { d.m.openTab(t) })
	return d
}

// A numeric variable is proposed as the response of a new table, not as one that spans it.
func TestNewTableOfANumericVariable(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40)
	inTab(d, 3) // Numeric
	inTables(d).Press("a")
	d.Dialog().Contains("frequency:3 p:10")
	if all := d.Press("enter").m.bench.scenario.Tables; len(all) != 1 || all[0].Response != "hsize" || all[0].By[0].Variable != "region" {
		t.Errorf("%+v", all)
	}
}

// A table is defined, protected in another way, changed by hand, deleted, and all of that is undone.
func TestTablesOfASession(t *testing.T) {
	d := surveyOf(t, 120, 40)
	inTables(d).Press("a").retype("region, educ").Press("down")
	d.Dialog().Contains("frequency:3")
	d.Dialog().Lacks("p:10")
	d.Press("space").Type("income").Press("enter", "down")
	d.Dialog().Contains("cells", "sensitive cells can be recalculated", "frequency:3 p:10")
	d.Press("enter")
	tables := func() []microdata.TableDefinition { return d.m.bench.scenario.Tables }
	if all := tables(); len(all) != 1 || all[0].Response != "income" || all[0].By[1].Variable != "educ" || strings.Join(all[0].Rules, " ") != "frequency:3 p:10" {
		t.Fatalf("tables %+v", all)
	}
	d.Screen().Contains("income by region × educ", "recalculable 0")
	d.Press("A")
	d.Dialog().Contains(": merge ", "sensitive cells only", "intervals, fewest cells")
	d.Press("end", "enter")
	d.Dialog().Contains("Recode ")
	d.Press("esc", "A", "home", "down", "down", "down", "down", "enter")
	if tables()[0].Cost != microdata.CostCells {
		t.Errorf("cost %q", tables()[0].Cost)
	}
	d.Press("u")
	if tables()[0].Cost != microdata.CostValue {
		t.Errorf("cost after undo %q", tables()[0].Cost)
	}
	d.Press("space", "space", "space")
	if states := tables()[0].States; len(states) != 1 || states[0].State != microdata.StateForced {
		t.Errorf("states %v", states)
	}
	d.Press("3", "enter")
	d.Screen().Contains("change the table")
	d.Press("esc", "d")
	if len(tables()) != 0 {
		t.Errorf("tables %v", tables())
	}
	d.Press("u")
	d.Screen().Contains("income by region × educ")
	d.Press("u", "u", "u", "u")
	if len(tables()) != 0 || d.m.bench.doc.CanUndo() {
		t.Errorf("all undone: %v, undo %v", tables(), d.m.bench.doc.CanUndo())
	}
}

// A recode changes the table at once; one that removes the last sensitive cell shows it.
func TestTablesFollowSteps(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40)
	inTables(d).Press("a").retype("age").Press("enter")
	d.Pane("tables").Contains("count by age")
	before := d.m.bench.scenario.Tables
	recodeAge(inTab(d, 0))
	inTables(d)
	d.Pane("table").Contains("recalculable 0  sensitive 0")
	if len(d.m.bench.scenario.Tables) != len(before) {
		t.Error("the step changed the definition")
	}
}

// A table is protected by other values: the dialog compares them before one is applied, all tables have one seed, and the
// fields show the parameters.
func TestPerturbedTables(t *testing.T) {
	beside(t)
	d := inTables(surveyOf(t, 120, 40))
	tables := func() []microdata.TableDefinition { return d.m.bench.scenario.Tables }
	add := func(response string, names ...string) {
		table := microdata.TableDefinition{Response: response, Rules: []string{"frequency:10"}}
		for _, name := range names {
			table.By = append(table.By, microdata.Spanning{Variable: name})
		}
		d.act(func() { d.m.setTables(views.SetTables{Tables: append(slices.Clone(tables()), table)}) })
		d.Press("3", "end", "A")
	}
	keys := []string{"home", "down", "down", "down", "down", "down", "down", "enter"}
	add("", "region", "educ")
	d.Dialog().Contains("small counts: 10", "cell keys: 5, 3, 2", "controlled rounding: 5", "relative adjustment", "largest change")
	d.Press(keys...)
	if tables()[0].Protect != "cell-key:5,3,2" || tables()[0].Seed == 0 {
		t.Fatalf("%+v", tables())
	}
	d.Press("1")
	d.Screen().Contains("~ changed", "sum of changes", "cell key")
	add("", "region")
	d.Press(keys...)
	if all := tables(); len(all) != 2 || all[1].Seed != all[0].Seed || all[1].Protect != "cell-key:5,3,2" {
		t.Errorf("%+v", all)
	}
	d.Press("3", "enter")
	d.Dialog().Contains("parameters", "5,3,2", "changed, by ")
	d.Press("esc", "u", "u")
	if all := tables(); len(all) != 1 {
		t.Errorf("%+v", all)
	}
	add("income", "region", "educ")
	d.Press(keys...)
	d.Dialog().Contains("impossible", "is for unweighted counts")
}
