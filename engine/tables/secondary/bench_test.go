package secondary_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/secondary"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// micro returns records with two or three hierarchical variables, and the trees.
func micro(tb testing.TB, name string, variables ...string) (*microdata.Dataset, []*tabular.Tree) {
	tb.Helper()
	data := golden.Data(tb, name)
	var trees []*tabular.Tree
	for _, v := range variables {
		text, err := os.ReadFile(filepath.Join(golden.Root(tb), "..", "shared", "golden", "tables", name+".csv."+v+".hier"))
		if err != nil {
			tb.Fatal(err)
		}
		tree, err := tabular.ReadLevels(v, strings.ReplaceAll(string(text), ",", ""), "@")
		if err != nil {
			tb.Fatal(err)
		}
		trees = append(trees, tree)
	}
	return data, trees
}

// counts returns the table of counts of records.
func counts(tb testing.TB, data *microdata.Dataset, trees []*tabular.Tree) *tabular.Table {
	tb.Helper()
	var d tabular.Definition
	for _, tree := range trees {
		d.By = append(d.By, tabular.Spanning{Variable: tree.Variable, Tree: tree})
	}
	table, err := tabular.Of(tb.Context(), data, &d)
	if err != nil {
		tb.Fatal(err)
	}
	return table
}

// middle is a table of 18,910 cells, large one of 208,010 cells.
func middle(tb testing.TB) *tabular.Table {
	tb.Helper()
	data, trees := micro(tb, "micro_20k", "N", "R", "S")
	return counts(tb, data, trees)
}

func large(tb testing.TB) (*tabular.Table, func(yield func(*tabular.Contribution) bool)) {
	tb.Helper()
	data, trees := micro(tb, "micro_20k", "N", "R", "S")
	tree, err := tabular.NewTree("T", [][]string{{"a"}, {"b"}, {"c"}, {"d"}, {"e"}, {"f"}, {"g"}, {"h"}, {"i"}, {"j"}})
	if err != nil {
		tb.Fatal(err)
	}
	var columns [][]int
	for _, tree := range trees {
		column, _ := data.Column(tree.Variable)
		var nodes []int
		for row := range data.Len() {
			node, _ := tree.Find(column.Text(row))
			nodes = append(nodes, node)
		}
		columns = append(columns, nodes)
	}
	table, err := tabular.New(append(trees, tree)...)
	if err != nil {
		tb.Fatal(err)
	}
	return table, func(yield func(*tabular.Contribution) bool) {
		random := rand.New(rand.NewPCG(1, 1))
		c := tabular.Contribution{Nodes: make([]int, 4), N: 1, Value: 1, Weight: 1}
		for range 400_000 {
			for d, nodes := range columns {
				c.Nodes[d] = nodes[random.IntN(len(nodes))]
			}
			c.Nodes[3] = 1 + random.IntN(10)
			if !yield(&c) {
				return
			}
		}
	}
}

func few(table *tabular.Table) func(int) bool {
	return func(cell int) bool { return table.Cells[cell].N > 0 && table.Cells[cell].N < 3 }
}

func cellsOf(table *tabular.Table) []secondary.Cell {
	return secondary.Cells(tabular.Unite(table), few(table), func(int) bool { return false },
		func(cell int) float64 { return table.Cells[cell].Value })
}

func BenchmarkTable19k(b *testing.B) {
	data, trees := micro(b, "micro_20k", "N", "R", "S")
	for b.Loop() {
		counts(b, data, trees)
	}
}

func BenchmarkTable208k(b *testing.B) {
	table, records := large(b)
	for b.Loop() {
		if err := table.Sum(records); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGauss19k(b *testing.B) {
	cells := cellsOf(middle(b))
	for b.Loop() {
		if _, err := secondary.Gauss(b.Context(), cells, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGauss208k(b *testing.B) {
	table, records := large(b)
	if err := table.Sum(records); err != nil {
		b.Fatal(err)
	}
	cells := cellsOf(table)
	var hidden *microdata.Bits
	for b.Loop() {
		var err error
		if hidden, err = secondary.Gauss(b.Context(), cells, nil); err != nil {
			b.Fatal(err)
		}
	}
	known := audit.Solve(table.Equations(), func(cell int32) bool { return hidden.Has(int(cell)) }, nil)
	for cell := range cells {
		if cells[cell].Primary && known.Exact(cell) {
			b.Fatalf("%v can be recalculated", table.Codes(cell))
		}
	}
}

func BenchmarkCheck19k(b *testing.B) {
	table := middle(b)
	hidden, err := secondary.Gauss(b.Context(), cellsOf(table), nil)
	if err != nil {
		b.Fatal(err)
	}
	e := table.Equations()
	for b.Loop() {
		audit.Solve(e, func(cell int32) bool { return hidden.Has(int(cell)) }, nil)
	}
}

func benchmarkIntervals(b *testing.B, table *tabular.Table, hidden *microdata.Bits, enough audit.Enough) {
	known := audit.Solve(table.Equations(), func(cell int32) bool { return hidden.Has(int(cell)) }, nil)
	for b.Loop() {
		got, err := known.Intervals(b.Context(), func(cell int) float64 { return table.Cells[cell].Value },
			audit.Positive(true), enough)
		if err != nil {
			b.Fatal(err)
		}
		one := 0
		for cell, i := range got {
			if few(table)(cell) && i.High == i.Low {
				one++
			}
		}
		b.ReportMetric(float64(one), "one")
		b.ReportMetric(float64(hidden.Count()), "hidden")
	}
}

func BenchmarkWideEnough19k(b *testing.B) {
	table := middle(b)
	hidden, err := secondary.Protect(b.Context(), table.Equations(), cellsOf(table), func(cell int) bool { return table.Cells[cell].N == 1 }, nil)
	if err != nil {
		b.Fatal(err)
	}
	benchmarkIntervals(b, table, hidden, func(cell int, i audit.Interval) (low, high bool) {
		value := table.Cells[cell].Value
		return !few(table)(cell) || i.Low <= value-1, !few(table)(cell) || i.High >= value+1
	})
}

func BenchmarkIntervals19k(b *testing.B) {
	table := middle(b)
	hidden, err := secondary.Gauss(b.Context(), cellsOf(table), nil)
	if err != nil {
		b.Fatal(err)
	}
	benchmarkIntervals(b, table, hidden, nil)
}
