package tabular_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/hierarchy"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// nested returns the levels of a variable whose coarser codes are another variable of the file.
func nested(data *microdata.Dataset, names ...string) hierarchy.Table {
	var table hierarchy.Table
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

// TestVignette builds the table of sdcTable's vignette from its inner cells: 168 cells and 122 equations.
func TestVignette(t *testing.T) {
	data := golden.Data(t, "sdctable_vignette_table")
	levels := hierarchy.Table{{"A", "A"}, {"Ba", "B"}, {"Bb", "B"}, {"Bc", "B"}, {"C", "C"}, {"D", "D"}}
	inner := map[string]bool{}
	for _, row := range levels {
		inner[row[0]] = true
	}
	wanted := map[string]string{}
	var rows []uint32
	v1, _ := data.Column("V1")
	v2, _ := data.Column("V2")
	v3, _ := data.Column("V3")
	frequency, _ := data.Column("Freq")
	amount, _ := data.Column("numVal1")
	for row := range data.Len() {
		codes := []string{v1.Text(row), v2.Text(row), v3.Text(row)}
		if inner[codes[0]] && codes[1] != "Tot" && codes[2] != "Tot" {
			rows = append(rows, uint32(row))
		}
		key := strings.ReplaceAll(strings.Join(codes, " "), "Tot", tabular.Total)
		wanted[key] = fmt.Sprintf("%v %.2f", frequency.Float(row), amount.Float(row))
	}
	table, err := tabular.Of(t.Context(), data.Select(rows), &tabular.Definition{
		By:       []tabular.Spanning{{Variable: "V1", Levels: levels}, {Variable: "V2"}, {Variable: "V3"}},
		Response: "numVal1", Count: "Freq",
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Equations().Len(); len(table.Cells) != 168 || len(wanted) != 168 || got != 122 {
		t.Fatalf("%d cells, %d equations; want 168 and 122", len(table.Cells), got)
	}
	for at := range table.Cells {
		c := &table.Cells[at]
		if got := fmt.Sprintf("%d %.2f", c.N, c.Value); got != wanted[strings.Join(table.Codes(at), " ")] {
			t.Errorf("%v: %s, want %s", table.Codes(at), got, wanted[strings.Join(table.Codes(at), " ")])
		}
	}
	if err := table.Additive(1e-12); err != nil {
		t.Error(err)
	}
}

// TestHoldings counts the records of a company as one contributor in every cell.
func TestHoldings(t *testing.T) {
	data := golden.Data(t, "magnitude1")
	of := func(holding string) *tabular.Table {
		table, err := tabular.Of(t.Context(), data, &tabular.Definition{
			By: []tabular.Spanning{{Variable: "sector4", Levels: nested(data, "sector4", "sector2")},
				{Variable: "geo", Levels: nested(data, "geo", "eu")}},
			Response: "value", Holding: holding,
		})
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	records, companies := of(""), of("company")
	if records.Cells[0].N != 20 || companies.Cells[0].N != 4 {
		t.Errorf("the total has %d records of %d companies, want 20 of 4", records.Cells[0].N, companies.Cells[0].N)
	}
	for at := range companies.Cells {
		sums := map[string]float64{}
		company, _ := data.Column("company")
		amount, _ := data.Column("value")
		for row := range data.Len() {
			if covers(companies, at, data, row) {
				sums[company.Text(row)] += amount.Float(row)
			}
		}
		c := companies.Cells[at]
		if c.N != len(sums) || fmt.Sprintf("%.6f", c.Value) != fmt.Sprintf("%.6f", records.Cells[at].Value) {
			t.Errorf("%v: %d companies, want %d", companies.Codes(at), c.N, len(sums))
		}
		most := 0.0
		for _, sum := range sums {
			most = max(most, sum)
		}
		if c.N > 0 && fmt.Sprintf("%.6f", c.Largest[0].Value) != fmt.Sprintf("%.6f", most) {
			t.Errorf("%v: largest %v, want %v", companies.Codes(at), c.Largest[0].Value, most)
		}
	}
}

// covers reports whether a record is in a cell.
func covers(table *tabular.Table, cell int, data *microdata.Dataset, row int) bool {
	for d, tree := range table.Trees {
		column, _ := data.Column(tree.Variable)
		node, _ := tree.Find(column.Text(row))
		for node >= 0 && node != table.Node(cell, d) {
			node = tree.Nodes[node].Parent
		}
		if node < 0 {
			return false
		}
	}
	return true
}

func TestTreesThatAreNone(t *testing.T) {
	for name, paths := range map[string][][]string{
		"two parents":   {{"a", "x"}, {"a", "y"}},
		"leaf and sum":  {{"a", "x"}, {"x"}},
		"named Total":   {{"Total"}},
		"level skipped": nil,
	} {
		var err error
		if paths == nil {
			_, err = tabular.ReadLevels("v", "@,Tot\n@@@,a\n", "@")
		} else {
			_, err = tabular.NewTree("v", paths)
		}
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestReadLevels(t *testing.T) {
	for text, want := range map[string]string{
		"@,Tot\n@@,Na\n@@@,Naa\n@@@,Nab\n@@,Nb\n": "0 Total; 1 Na; 2 Naa; 2 Nab; 1 Nb; ",
		"Na\n@Naa\n@Nab\nNb\n":                    "0 Total; 1 Na; 2 Naa; 2 Nab; 1 Nb; ",
	} {
		tree, err := tabular.ReadLevels("N", text, "@")
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, n := range tree.Nodes {
			got += fmt.Sprintf("%d %s; ", n.Depth, n.Code)
		}
		if got != want {
			t.Errorf("%q:\n%s, want\n%s", text, got, want)
		}
	}
}

func TestNotAdditive(t *testing.T) {
	tree, err := tabular.NewTree("v", [][]string{{"a"}, {"b"}})
	if err != nil {
		t.Fatal(err)
	}
	table, err := tabular.New(tree)
	if err != nil {
		t.Fatal(err)
	}
	for at, value := range []float64{10, 4, 5} {
		table.Cells[at].Value = value
	}
	const want = "invalid table: cell [Total] has 10, but the cells below it add up to 9; the difference is 1"
	if err := table.Additive(1e-9); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
