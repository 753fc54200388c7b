package secondary_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/secondary"
	"github.com/sdcdesk/sdcdesk/engine/tables/sensitivity"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// drawTree draws a hierarchy of two levels.
func drawTree(t *rapid.T, name string, most int) *tabular.Tree {
	var paths [][]string
	for i := range rapid.IntRange(2, most).Draw(t, name) {
		code := fmt.Sprintf("%s%d", name, i)
		below := max(0, rapid.IntRange(-2, 3).Draw(t, code))
		for j := range below {
			paths = append(paths, []string{fmt.Sprintf("%s-%d", code, j), code})
		}
		if below == 0 {
			paths = append(paths, []string{code})
		}
	}
	tree, err := tabular.NewTree(name, paths)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// drawTable draws a table of amounts with few contributors in each cell.
func drawTable(t *rapid.T, trees ...*tabular.Tree) *tabular.Table {
	table, err := tabular.New(trees...)
	if err != nil {
		t.Fatal(err)
	}
	err = table.Sum(func(yield func(*tabular.Contribution) bool) {
		c := tabular.Contribution{N: 1, Weight: 1}
		for at := range table.Cells {
			if !table.Inner(at) {
				continue
			}
			c.Nodes = c.Nodes[:0]
			for d := range trees {
				c.Nodes = append(c.Nodes, table.Node(at, d))
			}
			for range rapid.SampledFrom([]int{0, 1, 1, 2, 3, 5, 8}).Draw(t, "n") {
				c.Value = float64(rapid.IntRange(1, 100).Draw(t, "value"))
				if c.Shadow = c.Value; !yield(&c) {
					return
				}
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// checkProtected protects a table of which some cells are published, and attacks it with all its equations.
func checkProtected(t *rapid.T, table *tabular.Table, published func(cell int) bool) {
	rule, err := sensitivity.Parse(rapid.SampledFrom([]string{"frequency:2,0", "frequency:3,0", "p:20", "dominance:1,80"}).Draw(t, "rule"))
	if err != nil {
		t.Fatal(err)
	}
	primary := func(cell int) bool { return published(cell) && sensitivity.Judge(&table.Cells[cell], rule).Sensitive() }
	single := func(cell int) bool { return table.Cells[cell].N == 1 }
	cells := secondary.Cells(tabular.Unite(table), primary, func(int) bool { return false },
		func(cell int) float64 { return table.Cells[cell].Value })
	for cell := range cells {
		cells[cell].Absent = !published(cell)
	}
	hidden, err := secondary.Protect(t.Context(), table.Equations(), cells, func(cell int) bool { return published(cell) && single(cell) })
	if err != nil {
		t.Fatal(err)
	}
	known := audit.Solve(table.Equations(), secondary.Unknown(cells, hidden))
	for cell := range cells {
		if primary(cell) && known.Exact(cell) {
			t.Fatalf("%v can be recalculated", table.Codes(cell))
		}
	}
	groups := table.Groups(func(inner int) bool { return table.Cells[inner].N > 0 })
	for _, i := range known.Insiders(len(cells), primary, func(cell int) bool { return published(cell) && single(cell) },
		func(a, b int) bool { return slices.Equal(groups[a], groups[b]) }) {
		t.Fatalf("the contributor of %v can recalculate %v", table.Codes(i.Own), table.Codes(i.Cell))
	}
}

// TestNothingOpen protects random hierarchical tables, and pairs of tables that share a variable: a sensitive cell can
// be recalculated neither from what is published nor by the only contributor of another cell.
func TestNothingOpen(t *testing.T) {
	rounds := 2 // of 25 tables of each kind
	if os.Getenv("SDCDESK_LONG_TESTS") != "" {
		rounds = 20
	}
	for range rounds {
		rapid.Check(t, func(t *rapid.T) {
			table := drawTable(t, drawTree(t, "a", 4), drawTree(t, "b", 4))
			checkProtected(t, table, func(int) bool { return true })
		})
		rapid.Check(t, func(t *rapid.T) {
			table := drawTable(t, drawTree(t, "a", 3), drawTree(t, "b", 3), drawTree(t, "c", 3))
			checkProtected(t, table, func(cell int) bool { return table.Node(cell, 1) == 0 || table.Node(cell, 2) == 0 })
		})
	}
}
