package audit_test

import (
	"fmt"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/hierarchy"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// vignette returns the table of sdcTable's vignette, and the states that a program gave its cells.
func vignette(t testing.TB, program string) (table *tabular.Table, states map[int]string) {
	t.Helper()
	data := golden.Data(t, "sdctable_vignette_patterns")
	levels := hierarchy.Table{{"A", "A"}, {"Ba", "B"}, {"Bb", "B"}, {"Bc", "B"}, {"C", "C"}, {"D", "D"}}
	var trees []*tabular.Tree
	for _, name := range []string{"V1", "V2", "V3"} {
		column, _ := data.Column(name)
		paths := [][]string(levels)
		if name != "V1" {
			paths = nil
			for _, level := range column.Categories().Levels {
				if level.Label != "Tot" {
					paths = append(paths, []string{level.Label})
				}
			}
		}
		tree, err := tabular.NewTree(name, paths)
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	table, err := tabular.OfCells(t.Context(), data, &tabular.CellFile{Trees: trees, Total: "Tot", Value: "Freq"})
	if err != nil {
		t.Fatal(err)
	}
	state, _ := data.Column(program)
	states = map[int]string{}
	for row := range data.Len() {
		var nodes []int
		for _, tree := range trees {
			column, _ := data.Column(tree.Variable)
			node, _ := tree.Find(column.Text(row))
			nodes = append(nodes, node)
		}
		states[table.Cell(nodes...)] = state.Text(row)
	}
	return table, states
}

// TestPublishedPatterns attacks what sdcTable made of its own example: 8 of 15 sensitive cells of HITAS and one of OPT
// can be recalculated, none of the others.
func TestPublishedPatterns(t *testing.T) {
	for program, want := range map[string]int{"HITAS": 8, "OPT": 1, "GAUSS": 0, "HYPERCUBE": 0, "SIMPLEHEURISTIC": 0,
		"OPTIMUM_FREQ": 0} {
		table, states := vignette(t, program)
		known := audit.Solve(table.Equations(), func(cell int32) bool { return states[int(cell)] != "s" }, nil)
		primary, open := 0, 0
		for cell, state := range states {
			if state == "u" {
				primary++
				if known.Exact(cell) {
					open++
				}
			}
		}
		if primary != 15 || open != want {
			t.Errorf("%s: %d of %d sensitive cells can be recalculated, want %d of 15", program, open, primary, want)
		}
	}
}

// square returns a table of three rows and three columns with their totals.
func square(t testing.TB) *tabular.Table {
	t.Helper()
	var trees []*tabular.Tree
	for _, name := range []string{"row", "column"} {
		tree, err := tabular.NewTree(name, [][]string{{"a"}, {"b"}, {"c"}})
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	table, err := tabular.New(trees...)
	if err != nil {
		t.Fatal(err)
	}
	var contributions []tabular.Contribution
	for r := range 3 {
		for c := range 3 {
			contributions = append(contributions, tabular.Contribution{Nodes: []int{r + 1, c + 1}, N: 1, Weight: 1,
				Value: float64(1 + r*3 + c)})
		}
	}
	if err := table.Sum(func(yield func(*tabular.Contribution) bool) {
		for i := range contributions {
			if !yield(&contributions[i]) {
				return
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	return table
}

func TestSquare(t *testing.T) {
	table := square(t)
	cell := func(r, c int) int { return table.Cell(r, c) }
	for name, one := range map[string]struct {
		hidden []int
		exact  []int
	}{
		"one":                 {[]int{cell(1, 1)}, []int{cell(1, 1)}},
		"one row":             {[]int{cell(1, 1), cell(1, 2)}, []int{cell(1, 1), cell(1, 2)}},
		"rectangle":           {[]int{cell(1, 1), cell(1, 2), cell(2, 1), cell(2, 2)}, nil},
		"rectangle and one":   {[]int{cell(1, 1), cell(1, 2), cell(2, 1), cell(2, 2), cell(3, 2)}, []int{cell(3, 2)}},
		"cell and its totals": {[]int{cell(1, 1), cell(1, 0), cell(0, 1), cell(0, 0)}, nil},
	} {
		hidden := map[int32]bool{}
		for _, c := range one.hidden {
			hidden[int32(c)] = true
		}
		known := audit.Solve(table.Equations(), func(cell int32) bool { return hidden[cell] }, nil)
		var exact []int
		for _, c := range one.hidden {
			if known.Exact(c) {
				exact = append(exact, c)
			}
		}
		if fmt.Sprint(exact) != fmt.Sprint(one.exact) {
			t.Errorf("%s: %v, want %v", name, exact, one.exact)
		}
	}
}

// TestTogether holds that a contributor who knows a cell of a rectangle knows the others.
func TestTogether(t *testing.T) {
	table := square(t)
	hidden := map[int32]bool{}
	for _, c := range []int{table.Cell(1, 1), table.Cell(1, 2), table.Cell(2, 1), table.Cell(2, 2)} {
		hidden[int32(c)] = true
	}
	rectangle := audit.Solve(table.Equations(), func(cell int32) bool { return hidden[cell] }, nil)
	if a, b := rectangle.Together(table.Cell(1, 1)), rectangle.Together(table.Cell(2, 2)); a != b {
		t.Error("the opposite corner of a rectangle does not follow")
	}
	hidden[int32(table.Cell(1, 3))], hidden[int32(table.Cell(2, 3))] = true, true
	wider := audit.Solve(table.Equations(), func(cell int32) bool { return hidden[cell] }, nil)
	if a, b := wider.Together(table.Cell(1, 1)), wider.Together(table.Cell(2, 2)); a == b {
		t.Error("a cell follows from another one that leaves it open")
	}
	if a, b := wider.Together(table.Cell(1, 1)), wider.Together(table.Cell(2, 1)); a != b {
		t.Error("the other cell of a column of two does not follow")
	}
}
