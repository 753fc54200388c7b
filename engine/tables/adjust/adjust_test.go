package adjust_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/hierarchy"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/tables/adjust"
	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/sensitivity"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// vignette returns the table of sdcTable's vignette.
func vignette(t testing.TB) *tabular.Table {
	t.Helper()
	data := golden.Data(t, "sdctable_vignette_table")
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
	return table
}

// check holds that an adjusted table adds up and costs what it says; it returns the sum of the changes.
func check(t *testing.T, table *tabular.Table, got *adjust.Table) (sum float64) {
	t.Helper()
	cells := slices.Clone(table.Cells)
	for cell, v := range got.Values {
		sum += math.Abs(v - cells[cell].Value)
		table.Cells[cell].Value = v
	}
	if err := table.Additive(1e-9); err != nil {
		t.Error(err)
	}
	table.Cells = cells
	if got.Bound > got.Cost {
		t.Errorf("bound %v above cost %v", got.Bound, got.Cost)
	}
	return sum
}

// TestRound rounds with the proven optimum.
func TestRound(t *testing.T) {
	for base, want := range map[float64]float64{3: 118, 5: 236, 10: 450} {
		table := vignette(t)
		got, err := adjust.Round(t.Context(), table, base)
		if err != nil {
			t.Fatal(err)
		}
		if sum := check(t, table, got); math.Abs(sum-want) > 1e-6 || math.Abs(got.Bound-want) > 1e-4 {
			t.Errorf("base %v: %v with bound %v, want %v", base, sum, got.Bound, want)
		}
		for cell, v := range got.Values {
			if d := math.Abs(v - table.Cells[cell].Value); d >= base || math.Mod(v, base) != 0 {
				t.Errorf("%v becomes %v", table.Codes(cell), v)
			}
		}
	}
}

// TestRoundLarge rounds tables of two variables, which are solved at once, with the proven optimum.
func TestRoundLarge(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var trees []*tabular.Tree
	for i, name := range []string{"a", "b"} {
		var paths [][]string
		for code := range []int{25, 40}[i] {
			paths = append(paths, []string{fmt.Sprint(name, code)})
		}
		tree, err := tabular.NewTree(name, paths)
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
			n := random.IntN(13)
			nodes := []int{table.Node(at, 0), table.Node(at, 1)}
			if table.Inner(at) && !yield(&tabular.Contribution{Nodes: nodes, N: n, Value: float64(n), Weight: 1}) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, base := range []float64{3, 5, 10} {
		got, err := adjust.Round(t.Context(), table, base)
		if err != nil {
			t.Fatal(err)
		}
		if sum := check(t, table, got); sum != got.Bound || sum == 0 {
			t.Errorf("base %v: %v with bound %v", base, sum, got.Bound)
		}
	}
}

// TestAdjust adjusts with the proven optimum.
func TestAdjust(t *testing.T) {
	table := vignette(t)
	for _, c := range []struct{ level, want, relative float64 }{{3, 114, 8.0763}, {5, 190, 13.4605}} {
		of := func(cell int) (lower, upper float64, sensitive bool) {
			return c.level, c.level, table.Cells[cell].N > 0 && table.Cells[cell].N <= 10
		}
		adjusted(t, table, adjust.Cells{Level: of, Weight: func(int) float64 { return 1 }}, c.want)
		adjusted(t, table, adjust.Cells{Level: of, Weight: func(cell int) float64 {
			return 1 / max(1, table.Cells[cell].Value)
		}}, c.relative)
	}
}

// adjusted compares an adjusted table with the proven optimum.
func adjusted(t *testing.T, table *tabular.Table, c adjust.Cells, want float64) {
	t.Helper()
	c.Bounds = audit.Positive(false)
	got, err := adjust.Adjust(t.Context(), table, c)
	if err != nil {
		t.Fatal(err)
	}
	check(t, table, got)
	if got.Cost > want*(1+1e-4) || got.Bound > want*(1+1e-4) {
		t.Errorf("%v with bound %v, want %v", got.Cost, got.Bound, want)
	}
	for cell, v := range got.Values {
		lower, upper, sensitive := c.Level(cell)
		if d := v - table.Cells[cell].Value; sensitive && d > -lower+1e-6 && d < upper-1e-6 || v < -1e-6 {
			t.Errorf("%v: %v becomes %v", table.Codes(cell), table.Cells[cell].Value, v)
		}
	}
}

// TestAdjustMagnitudes adjusts to the levels of the p % rule with the proven optimum.
func TestAdjustMagnitudes(t *testing.T) {
	table, err := tabular.Of(t.Context(), golden.Data(t, "magnitude1"), &tabular.Definition{
		By: []tabular.Spanning{{Variable: "sector4"}, {Variable: "geo"}}, Response: "value"})
	if err != nil {
		t.Fatal(err)
	}
	rule, err := sensitivity.Parse("p:30")
	if err != nil {
		t.Fatal(err)
	}
	of := func(cell int) (lower, upper float64, sensitive bool) {
		v := sensitivity.Judge(&table.Cells[cell], rule)
		return v.Level, v.Level, v.Sensitive()
	}
	adjusted(t, table, adjust.Cells{Level: of, Weight: func(int) float64 { return 1 }}, 117.88)
}
