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

// record is a contributor with an amount.
type record struct {
	codes  []string // leaves of trees
	amount float64
}

// drawRecords draws few records for each combination of the leaves of trees.
func drawRecords(t *rapid.T, trees ...*tabular.Tree) (records []record) {
	all := [][]string{nil}
	for _, tree := range trees {
		var longer [][]string
		for node := range tree.Nodes {
			for _, codes := range all {
				if tree.Leaf(node) {
					longer = append(longer, append(slices.Clone(codes), tree.Nodes[node].Code))
				}
			}
		}
		all = longer
	}
	for _, codes := range all {
		for range rapid.SampledFrom([]int{0, 1, 1, 2, 3, 5, 8}).Draw(t, "n") {
			records = append(records, record{codes, float64(rapid.IntRange(1, 100).Draw(t, "value"))})
		}
	}
	return records
}

// tableOf makes a table; by says which codes of the records are those of its trees.
func tableOf(t *rapid.T, records []record, by []int, trees ...*tabular.Tree) *tabular.Table {
	table, err := tabular.New(trees...)
	if err != nil {
		t.Fatal(err)
	}
	err = table.Sum(func(yield func(*tabular.Contribution) bool) {
		for _, r := range records {
			c := tabular.Contribution{N: 1, Weight: 1, Value: r.amount, Shadow: r.amount}
			for i, d := range by {
				node, _ := trees[i].Find(r.codes[d])
				c.Nodes = append(c.Nodes, node)
			}
			if !yield(&c) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// checkProtected protects tables together, and attacks them with all their equations.
func checkProtected(t *rapid.T, tables ...*tabular.Table) {
	rule, err := sensitivity.Parse(rapid.SampledFrom([]string{"frequency:2,0", "frequency:3,0", "p:20", "dominance:1,80"}).Draw(t, "rule"))
	if err != nil {
		t.Fatal(err)
	}
	u := tabular.Unite(tables...)
	primary := func(cell int) bool { return sensitivity.Judge(u.At(cell), rule).Sensitive() }
	single := func(cell int) bool { return u.At(cell).N == 1 }
	cells := secondary.Cells(u, primary, func(int) bool { return false }, func(cell int) float64 { return u.At(cell).Value })
	equations, _ := u.Equations()
	hidden, err := secondary.Protect(t.Context(), equations, cells, single, nil)
	if err != nil {
		t.Fatal(err)
	}
	known := audit.Solve(equations, secondary.Unknown(cells, hidden), nil)
	for cell := range cells {
		if primary(cell) && known.Exact(cell) {
			t.Fatalf("%v can be recalculated", u.Homes[cell])
		}
	}
	contributors := u.Contributors(func(inner int) bool { return u.At(inner).N > 0 })
	for _, i := range known.Insiders(len(cells), primary, single, func(a, b int) bool { return contributors[a] == contributors[b] }) {
		t.Fatalf("the contributor of %v can recalculate %v", u.Homes[i.Own], u.Homes[i.Cell])
	}
}

// TestNothingOpen protects random hierarchical tables, and tables that share variables: a sensitive cell can be
// recalculated neither from what is published nor by the only contributor of another cell.
func TestNothingOpen(t *testing.T) {
	rounds := 2 // of 25 tables of each kind
	if os.Getenv("SDCDESK_LONG_TESTS") != "" {
		rounds = 20
	}
	for range rounds {
		rapid.Check(t, func(t *rapid.T) {
			a, b := drawTree(t, "a", 4), drawTree(t, "b", 4)
			checkProtected(t, tableOf(t, drawRecords(t, a, b), []int{0, 1}, a, b))
		})
		rapid.Check(t, func(t *rapid.T) {
			a, b, c := drawTree(t, "a", 3), drawTree(t, "b", 3), drawTree(t, "c", 3)
			records := drawRecords(t, a, b, c)
			tables := []*tabular.Table{tableOf(t, records, []int{0, 1}, a, b)}
			if rapid.Bool().Draw(t, "without groups") {
				a = flat(t, a)
			}
			tables = append(tables, tableOf(t, records, []int{0, 2}, a, c))
			if rapid.Bool().Draw(t, "all pairs") {
				tables = append(tables, tableOf(t, records, []int{1, 2}, b, c))
			}
			checkProtected(t, tables...)
		})
	}
}

// flat returns a tree without groups of codes.
func flat(t *rapid.T, of *tabular.Tree) *tabular.Tree {
	var paths [][]string
	for node := range of.Nodes {
		if of.Leaf(node) {
			paths = append([][]string{{of.Nodes[node].Code}}, paths...)
		}
	}
	tree, err := tabular.NewTree(of.Variable, paths)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
