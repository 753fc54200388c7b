package audit_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/hierarchy"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
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

// cellsOf returns a function that gives the cell of a row of a reference file.
func cellsOf(table *tabular.Table, data *microdata.Dataset) func(row int) int {
	return func(row int) int {
		var nodes []int
		for _, tree := range table.Trees {
			column, _ := data.Column(tree.Variable)
			node, _ := tree.Find(column.Text(row))
			nodes = append(nodes, node)
		}
		return table.Cell(nodes...)
	}
}

// TestPublishedIntervals compares intervals with those of GaussSuppression, before and after one more cell was
// suppressed.
func TestPublishedIntervals(t *testing.T) {
	micro, want := golden.Data(t, "magnitude1"), golden.Data(t, "magnitude1_p30_intervals")
	table, err := tabular.Of(t.Context(), micro, &tabular.Definition{By: []tabular.Spanning{
		{Variable: "sector4", Levels: nested(micro, "sector4", "sector2")}, {Variable: "geo"}}, Response: "value"})
	if err != nil {
		t.Fatal(err)
	}
	cell, state := cellsOf(table, want), mustColumn(want, "suppressed_integer")
	for _, c := range []struct{ hidden, low, high string }{{"12", "lo_1", "up_1"}, {"123", "lo", "up"}} {
		hidden := map[int32]bool{}
		for row := range want.Len() {
			if strings.Contains(c.hidden, state.Text(row)) {
				hidden[int32(cell(row))] = true
			}
		}
		known := audit.Solve(table.Equations(), func(cell int32) bool { return hidden[cell] }, nil)
		got, err := known.Intervals(t.Context(), func(cell int) float64 { return table.Cells[cell].Value },
			audit.Positive(false), nil)
		if err != nil {
			t.Fatal(err)
		}
		for row := range want.Len() {
			low, high := mustColumn(want, c.low).Float(row), mustColumn(want, c.high).Float(row)
			if math.IsNaN(low) {
				continue
			}
			if one := got[cell(row)]; math.Abs(one.Low-low) > 1e-9 || math.Abs(one.High-high) > 1e-9 {
				t.Errorf("%v: [%v, %v], want [%v, %v]", table.Codes(cell(row)), one.Low, one.High, low, high)
			}
		}
	}
}

func mustColumn(data *microdata.Dataset, name string) *microdata.Column {
	column, _ := data.Column(name)
	return column
}

// TestVignetteIntervals compares integer intervals of the pattern of Gaussian elimination with published ones.
func TestVignetteIntervals(t *testing.T) {
	table, states := vignette(t, "GAUSS")
	known := audit.Solve(table.Equations(), func(cell int32) bool { return states[int(cell)] != "s" }, nil)
	got, err := known.Intervals(t.Context(), func(cell int) float64 { return table.Cells[cell].Value }, audit.Positive(true), nil)
	if err != nil {
		t.Fatal(err)
	}
	for codes, want := range map[string]string{"A m e": "[0 16]", "A w f": "[4 20]", "Ba m d": "[0 20]", "Ba w c": "[3 23]",
		"D m b": "[0 22]"} {
		for cell, one := range got {
			if strings.Join(table.Codes(cell), " ") == codes && fmt.Sprint([]float64{one.Low, one.High}) != want {
				t.Errorf("%s: %v, want %s", codes, one, want)
			}
		}
	}
	for cell, one := range got {
		if one.Low >= one.High {
			t.Errorf("%v: %v", table.Codes(cell), one)
		}
	}
}

// TestOneIntegerLeft finds the value of 15 = 10 + 3 + x + y, which no elimination gives.
func TestOneIntegerLeft(t *testing.T) {
	tree, err := tabular.NewTree("v", [][]string{{"a"}, {"b"}, {"c"}, {"d"}})
	if err != nil {
		t.Fatal(err)
	}
	table, err := tabular.New(tree)
	if err != nil {
		t.Fatal(err)
	}
	values := []float64{15, 10, 3, 1, 1}
	known := audit.Solve(table.Equations(), func(cell int32) bool { return cell >= 3 }, nil)
	for name, c := range map[string]struct {
		least float64
		want  audit.Interval
	}{"0 or more": {0, audit.Interval{Low: 0, High: 2}}, "1 or more": {1, audit.Interval{Low: 1, High: 1}}} {
		b := audit.Positive(true)
		b.Low = func(int) float64 { return c.least }
		got, err := known.Intervals(t.Context(), func(cell int) float64 { return values[cell] }, b, nil)
		if err != nil {
			t.Fatal(err)
		}
		if known.Exact(3) || got[3] != c.want || got[4] != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
