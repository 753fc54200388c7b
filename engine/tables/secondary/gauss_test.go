package secondary_test

import (
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/hierarchy"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/tables/secondary"
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

// suppressed returns the pattern of a table under some rules.
func suppressed(t *testing.T, table *tabular.Table, singles bool, rules ...string) (primary, hidden *microdata.Bits) {
	t.Helper()
	var parsed []sensitivity.Rule
	for _, text := range rules {
		rule, err := sensitivity.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, rule)
	}
	primary = microdata.NewBits(len(table.Cells))
	for at := range table.Cells {
		if sensitivity.Judge(&table.Cells[at], parsed...).Sensitive() {
			primary.Set(at)
		}
	}
	cells := secondary.Cells(tabular.Unite(table), primary.Has, func(int) bool { return false },
		func(cell int) float64 { return table.Cells[cell].Value })
	var single func(int) bool
	if singles {
		single = func(cell int) bool { return table.Cells[cell].N == 1 }
	}
	hidden, err := secondary.Protect(t.Context(), table.Equations(), cells, single, nil)
	if err != nil {
		t.Fatal(err)
	}
	return primary, hidden
}

// TestPublishedExamples compares patterns with those of GaussSuppression.
func TestPublishedExamples(t *testing.T) {
	micro := golden.Data(t, "magnitude1")
	example := golden.Data(t, "example1")
	var rows []uint32
	year, _ := example.Column("year")
	for row := range example.Len() {
		if year.Text(row) == "2014" {
			rows = append(rows, uint32(row))
		}
	}
	for _, c := range []struct {
		file   string
		data   *microdata.Dataset
		def    tabular.Definition
		single bool
		rules  []string
	}{
		{"magnitude1_dom1_80", micro, tabular.Definition{By: []tabular.Spanning{{Variable: "sector4"},
			{Variable: "geo"}}, Response: "value"}, true, []string{"dominance:1,80"}},
		{"magnitude1_few1", micro, tabular.Definition{By: []tabular.Spanning{{Variable: "sector4"},
			{Variable: "geo"}}, Response: "value"}, true, []string{"frequency:2,0"}},
		{"magnitude1_dom1_80_nosingleton", micro, tabular.Definition{By: []tabular.Spanning{{Variable: "sector4"},
			{Variable: "geo"}}, Response: "value"}, false, []string{"dominance:1,80"}},
		{"magnitude1_dom12_hier", micro, tabular.Definition{By: []tabular.Spanning{
			{Variable: "sector4", Levels: nested(micro, "sector4", "sector2")}, {Variable: "geo", Levels: nested(micro, "geo", "eu")}},
			Response: "value"}, true, []string{"dominance:1,80", "dominance:2,99"}},
		{"example1_2014_hier_max2", example.Select(rows), tabular.Definition{By: []tabular.Spanning{{Variable: "age"},
			{Variable: "geo", Levels: nested(example, "geo", "eu")}}, Response: "freq", Count: "freq"}, false, []string{"frequency:3,0,zeros"}},
	} {
		table, err := tabular.Of(t.Context(), c.data, &c.def)
		if err != nil {
			t.Fatal(err)
		}
		_, hidden := suppressed(t, table, c.single, c.rules...)
		want := golden.Data(t, c.file)
		is, _ := want.Column("suppressed")
		for row := range want.Len() {
			var nodes []int
			for _, tree := range table.Trees {
				column, _ := want.Column(tree.Variable)
				node, _ := tree.Find(column.Text(row))
				nodes = append(nodes, node)
			}
			at := table.Cell(nodes...)
			if hidden.Has(at) != (is.Text(row) == "TRUE") {
				t.Errorf("%s: %v is suppressed: %v", c.file, table.Codes(at), hidden.Has(at))
			}
		}
	}
}

// turnover returns a published table of enterprises.
func turnover(t *testing.T) *tabular.Table {
	t.Helper()
	data, classes := golden.Data(t, "insee_act_size"), golden.Data(t, "insee_activity_hierarchy")
	activity, err := tabular.NewTree("ACTIVITY", nested(classes, "A88", "A21", "A10"))
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
	return table
}

// TestTurnover protects 77 sensitive cells by as many further cells as Gaussian elimination needs elsewhere: 64, with a
// turnover of 41,728,213.
func TestTurnover(t *testing.T) {
	table := turnover(t)
	primary, hidden := suppressed(t, table, false, "frequency:3,10", "dominance:1,85")
	value := 0.0
	hidden.Each(func(cell int) {
		if !primary.Has(cell) {
			value += table.Cells[cell].Value
		}
	})
	if n := hidden.Count() - primary.Count(); primary.Count() != 77 || n != 64 || int(value+0.5) != 41_728_213 {
		t.Errorf("%d primary and %d secondary cells with %v, want 77 and 64 with 41,728,213", primary.Count(), n, value)
	}
}

// vignette returns the example of sdcTable.
func vignette(t *testing.T) *tabular.Table {
	t.Helper()
	data := golden.Data(t, "sdctable_vignette_table")
	levels := hierarchy.Table{{"A", "A"}, {"Ba", "B"}, {"Bb", "B"}, {"Bc", "B"}, {"C", "C"}, {"D", "D"}}
	var rows []uint32
	for row := range data.Len() {
		inner := true
		for _, name := range []string{"V1", "V2", "V3"} {
			column, _ := data.Column(name)
			text := column.Text(row)
			inner = inner && text != "Tot" && (name != "V1" || slices.ContainsFunc(levels, func(l []string) bool { return l[0] == text }))
		}
		if inner {
			rows = append(rows, uint32(row))
		}
	}
	table, err := tabular.Of(t.Context(), data.Select(rows), &tabular.Definition{
		By:    []tabular.Spanning{{Variable: "V1", Levels: levels}, {Variable: "V2"}, {Variable: "V3"}},
		Count: "Freq"})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestVignette protects the example of sdcTable by 23 further cells, the proven optimum; their frequency is 354 there.
func TestVignette(t *testing.T) {
	table := vignette(t)
	primary, hidden := suppressed(t, table, false, "frequency:11,0")
	frequency := 0
	hidden.Each(func(cell int) {
		if !primary.Has(cell) {
			frequency += table.Cells[cell].N
		}
	})
	if n := hidden.Count() - primary.Count(); primary.Count() != 15 || n != 23 || frequency > 358 {
		t.Errorf("%d primary and %d secondary cells with frequency %d, want 15 and 23 with at most 358", primary.Count(), n,
			frequency)
	}
}
