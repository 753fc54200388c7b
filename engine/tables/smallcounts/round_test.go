package smallcounts_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/hierarchy"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/tables/smallcounts"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// TestPublishedExample compares with SmallCountRounding's example e6.
func TestPublishedExample(t *testing.T) {
	want := golden.Data(t, "plsrounding_e6_base3")
	column := func(name string) func(row int) string {
		c, _ := want.Column(name)
		return c.Text
	}
	geo, year := column("geo"), column("year")
	original, _ := want.Column("original")
	rounded, _ := want.Column("rounded")
	countries, err := tabular.NewTree("geo", hierarchy.Table{{"Iceland", "nonEU"}, {"Portugal", "EU"}, {"Spain", "EU"}})
	if err != nil {
		t.Fatal(err)
	}
	years, err := tabular.NewTree("year", [][]string{{"2018"}, {"2019"}})
	if err != nil {
		t.Fatal(err)
	}
	table, err := tabular.OfCells(t.Context(), want, &tabular.CellFile{Trees: []*tabular.Tree{countries, years},
		Total: "Total", Value: original.Name()})
	if err != nil {
		t.Fatal(err)
	}
	got := smallcounts.Round(table, 3)
	for row := range want.Len() {
		g, _ := countries.Find(geo(row))
		y, _ := years.Find(year(row))
		if at := table.Cell(g, y); float64(got[at]) != rounded.Float(row) {
			t.Errorf("%v: %d, want %v", table.Codes(at), got[at], rounded.Float(row))
		}
	}
}

// TestSmallCountsAreGone holds that no count is between 0 and the base, that the table adds up, and that no
// inner cell changes by the base or more.
func TestSmallCountsAreGone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var trees []*tabular.Tree
		for _, name := range []string{"a", "b", "c"} {
			paths := [][]string{{name + "1", name}, {name + "2", name}, {name + "3"}, {name + "4"}}
			tree, err := tabular.NewTree(name, paths[rapid.IntRange(0, 2).Draw(t, name):])
			if err != nil {
				t.Fatal(err)
			}
			trees = append(trees, tree)
		}
		table, err := tabular.New(trees...)
		if err != nil {
			t.Fatal(err)
		}
		err = table.Sum(func(yield func(*tabular.Contribution) bool) {
			for at := range table.Cells {
				n := rapid.SampledFrom([]int{0, 0, 1, 1, 2, 3, 4, 7, 30}).Draw(t, "n")
				nodes := []int{table.Node(at, 0), table.Node(at, 1), table.Node(at, 2)}
				if table.Inner(at) && n > 0 && !yield(&tabular.Contribution{Nodes: nodes, N: n, Value: float64(n), Weight: 1}) {
					return
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		base := rapid.IntRange(2, 10).Draw(t, "base")
		got := smallcounts.Round(table, base)
		for at := range table.Cells {
			if got[at] > 0 && got[at] < base {
				t.Fatalf("%v: %d", table.Codes(at), got[at])
			}
			if d := got[at] - table.Cells[at].N; table.Inner(at) && (d >= base || d <= -base) {
				t.Fatalf("%v: %d instead of %d", table.Codes(at), got[at], table.Cells[at].N)
			}
			table.Cells[at].Value = float64(got[at])
		}
		if err := table.Additive(0); err != nil {
			t.Fatal(err)
		}
	})
}
