package sensitivity_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/hierarchy"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/tables/sensitivity"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// nested returns the levels of a variable whose coarser codes are other variables of the file.
func nested(data *microdata.Dataset, names ...string) (table hierarchy.Table) {
	for row := range data.Len() {
		var levels []string
		for _, name := range names {
			column, _ := data.Column(name)
			levels = append(levels, column.Text(row))
		}
		table = append(table, levels)
	}
	return table
}

// magnitude returns the table of a published example, with or without its hierarchies.
func magnitude(t *testing.T, sector, geo bool) *tabular.Table {
	t.Helper()
	data := golden.Data(t, "magnitude1")
	by := []tabular.Spanning{{Variable: "sector4"}, {Variable: "geo"}}
	if sector {
		by[0].Levels = nested(data, "sector4", "sector2")
	}
	if geo {
		by[1].Levels = nested(data, "geo", "eu")
	}
	table, err := tabular.Of(t.Context(), data, &tabular.Definition{By: by, Response: "value"})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// primary returns the sensitive cells of a table, with their levels if wanted.
func primary(t *testing.T, table *tabular.Table, levels bool, rules ...string) []string {
	t.Helper()
	var parsed []sensitivity.Rule
	for _, text := range rules {
		rule, err := sensitivity.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if rule.String() != text {
			t.Errorf("%s is written as %s", text, rule)
		}
		parsed = append(parsed, rule)
	}
	var cells []string
	for at := range table.Cells {
		v := sensitivity.Judge(&table.Cells[at], parsed...)
		text := fmt.Sprint(table.Codes(at))
		if levels {
			text += fmt.Sprintf(" %.2f", v.Level)
		}
		if v.Sensitive() {
			cells = append(cells, text)
		}
	}
	slices.Sort(cells)
	return cells
}

// wanted returns the cells that a reference file has as primary.
func wanted(t *testing.T, name string, codes ...string) []string {
	t.Helper()
	data := golden.Data(t, name)
	is, _ := data.Column("primary")
	var cells []string
	for row := range data.Len() {
		var at []string
		for _, code := range codes {
			column, _ := data.Column(code)
			at = append(at, column.Text(row))
		}
		if is.Text(row) == "TRUE" {
			cells = append(cells, fmt.Sprint(at))
		}
	}
	slices.Sort(cells)
	return cells
}

// TestPublishedExamples compares the sensitive cells with those of GaussSuppression's examples.
func TestPublishedExamples(t *testing.T) {
	for _, c := range []struct {
		file        string
		sector, geo bool
		rules       []string
	}{
		{"magnitude1_few1", false, false, []string{"frequency:2,0"}},
		{"magnitude1_dom1_80", false, false, []string{"dominance:1,80"}},
		{"magnitude1_dom12_hier", true, true, []string{"dominance:1,80", "dominance:2,99"}},
	} {
		got, want := primary(t, magnitude(t, c.sector, c.geo), false, c.rules...), wanted(t, c.file, "sector4", "geo")
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%v, want\n%v", c.file, got, want)
		}
	}
	got, want := primary(t, magnitude(t, true, false), false, "p:30"), wanted(t, "magnitude1_p30_intervals", "sector4", "geo")
	if !slices.Equal(got, want) {
		t.Errorf("p %%:\n%v, want\n%v", got, want)
	}
}

// TestProtectionLevels compares the levels of the p % rule with published ones.
func TestProtectionLevels(t *testing.T) {
	want := []string{"[Agriculture Portugal] 22.77", "[Agriculture Spain] 28.98", "[Entertainment Iceland] 5.04",
		"[Entertainment Portugal] 2.13", "[Entertainment Spain] 11.72", "[Governmental Portugal] 6.48",
		"[Governmental Spain] 1.95", "[Governmental Total] 1.78", "[Industry Iceland] 0.98", "[Industry Portugal] 7.71",
		"[Industry Spain] 2.52"}
	if got := primary(t, magnitude(t, false, false), true, "p:30"); !slices.Equal(got, want) {
		t.Errorf("%v, want\n%v", got, want)
	}
}

// TestTurnover judges a table of enterprises of which counts, totals and largest contributions are published: 52 cells
// have fewer than three enterprises, 25 more are dominated by one.
func TestTurnover(t *testing.T) {
	data := golden.Data(t, "insee_act_size")
	classes := golden.Data(t, "insee_activity_hierarchy")
	paths := nested(classes, "A88", "A21", "A10")
	activity, err := tabular.NewTree("ACTIVITY", paths)
	if err != nil {
		t.Fatal(err)
	}
	column, _ := data.Column("SIZE")
	var sizes [][]string
	for _, level := range column.Categories().Levels {
		if level.Label != tabular.Total {
			sizes = append(sizes, []string{level.Label})
		}
	}
	size, err := tabular.NewTree("SIZE", sizes)
	if err != nil {
		t.Fatal(err)
	}
	table, err := tabular.OfCells(t.Context(), data, &tabular.CellFile{Trees: []*tabular.Tree{activity, size},
		Total: tabular.Total, Value: "TOT", Count: "N_OBS", Largest: []string{"MAX"}})
	if err != nil {
		t.Fatal(err)
	}
	few, all := primary(t, table, false, "frequency:3,10"), primary(t, table, false, "frequency:3,10", "dominance:1,85")
	if len(few) != 52 || len(all) != 77 {
		t.Errorf("%d cells by frequency and %d in all, want 52 and 77", len(few), len(all))
	}
}

// TestAtTheLimit holds that a cell at the limit of a rule is not sensitive, whatever rounding does to its sums.
func TestAtTheLimit(t *testing.T) {
	cell := func(shares ...float64) *tabular.Cell {
		c := &tabular.Cell{N: len(shares)}
		for _, s := range shares {
			c.Shadow += s
			c.Largest = append(c.Largest, tabular.Share{Value: s, Weight: 1})
		}
		c.Largest = c.Largest[:min(len(shares), tabular.Kept)]
		return c
	}
	for _, c := range []struct {
		rule string
		cell *tabular.Cell
		want bool
	}{
		{"dominance:1,80", cell(0.8, 0.1, 0.1), false},
		{"dominance:1,80", cell(0.81, 0.1, 0.09), true},
		{"p:10", cell(1, 0.5, 0.1), false},
		{"p:10", cell(1, 0.5, 0.0999), true},
		{"p:10", cell(3, 0.3), true},
		{"p:10", cell(0, 0, 0), false},
		{"pq:25,50", cell(4, 1, 2), false},
		{"pq:20,40,2", cell(10, 9, 8, 5), false},
		{"pq:20,40,2", cell(10, 9, 8, 4.9), true},
		{"frequency:3", cell(1, 1, 1), false},
		{"frequency:3", cell(1, 1), true},
		{"frequency:3", cell(), false},
		{"frequency:3,0,zeros", cell(), true},
	} {
		rule, err := sensitivity.Parse(c.rule)
		if err != nil {
			t.Fatal(err)
		}
		if got := sensitivity.Judge(c.cell, rule); got.Sensitive() != c.want {
			t.Errorf("%s of %v: %v, want %v", c.rule, c.cell.Largest, got.Sensitive(), c.want)
		}
	}
}

// TestWeights holds that a contribution with weight w counts as w equal ones.
func TestWeights(t *testing.T) {
	weighted := &tabular.Cell{N: 2, Shadow: 3*10 + 2*4, Largest: []tabular.Share{{Value: 10, Weight: 3}, {Value: 4, Weight: 2}}}
	single := &tabular.Cell{N: 5, Shadow: 38, Largest: append(slices.Repeat([]tabular.Share{{Value: 10, Weight: 1}}, 3), tabular.Share{Value: 4, Weight: 1})}
	for _, text := range []string{"dominance:2,50", "dominance:4,80", "p:60", "pq:50,90,2"} {
		rule, err := sensitivity.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		a, x := rule.Judge(weighted)
		b, y := rule.Judge(single)
		if a != b || math.Abs(x-y) > 1e-9 {
			t.Errorf("%s: %v %v with weights, %v %v as single contributions", text, a, x, b, y)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"", "k:3", "p", "p:", "p:-1", "p:1,2", "pq:50,25", "dominance:5,80", "dominance:1,101",
		"frequency:0", "frequency:x", "p:NaN", "dominance:1,80,zeros"} {
		if rule, err := sensitivity.Parse(text); err == nil {
			t.Errorf("%q is read as %v", text, rule)
		}
	}
}
