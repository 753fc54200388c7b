package secondary_test

import (
	"math"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/secondary"
	"github.com/sdcdesk/sdcdesk/engine/tables/sensitivity"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// widened protects a table and widens its intervals to the levels that level gives; it checks each interval, and returns
// what is suppressed.
func widened(t *testing.T, table *tabular.Table, integer, singles bool, level func(cell int) float64, rules ...string) (primary, wide *microdata.Bits) {
	t.Helper()
	primary, hidden := suppressed(t, table, singles, rules...)
	cells := secondary.Cells(tabular.Unite(table), primary.Has, func(int) bool { return false },
		func(cell int) float64 { return table.Cells[cell].Value })
	i := &secondary.Intervals{Values: func(cell int) float64 { return table.Cells[cell].Value },
		Bounds: audit.Positive(integer),
		Wanted: func(cell int) audit.Interval {
			value := table.Cells[cell].Value
			return audit.Interval{Low: value - level(cell), High: value + level(cell)}
		}}
	single := func(cell int) bool { return singles && table.Cells[cell].N == 1 }
	if singles {
		i.Single = single
	}
	wide, narrow, err := secondary.Widen(t.Context(), table.Equations(), cells, hidden, i)
	if err != nil || len(narrow) > 0 {
		t.Errorf("%d cells stay narrow: %v", len(narrow), err)
	}
	known := audit.Solve(table.Equations(), func(cell int32) bool { return wide.Has(int(cell)) }, nil)
	got, err := known.Intervals(t.Context(), i.Values, i.Bounds, func(cell int, one audit.Interval) (low, high bool) {
		want := i.Wanted(cell)
		return !primary.Has(cell) || one.Low <= max(0, want.Low), !primary.Has(cell) || one.High >= want.High
	})
	if err != nil {
		t.Fatal(err)
	}
	primary.Each(func(cell int) {
		want, one := i.Wanted(cell), got[cell]
		if one.Low > max(0, want.Low)+1e-6 || one.High < want.High-1e-6 || known.Exact(cell) {
			t.Errorf("%v: %v, want %v", table.Codes(cell), one, want)
		}
	})
	for _, one := range known.Insiders(len(cells), primary.Has, single,
		func(a, b int) bool { return cells[a].Contributors == cells[b].Contributors }) {
		t.Errorf("the contributor of %v can recalculate %v", table.Codes(one.Own), table.Codes(one.Cell))
	}
	return primary, wide
}

// TestWideTurnover widens intervals to 10 % on either side with 73 secondary cells at most, as many as a repair needs
// elsewhere; the optimum that tau-Argus found has 64.
func TestWideTurnover(t *testing.T) {
	table := turnover(t)
	primary, wide := widened(t, table, false, false, func(cell int) float64 { return max(1, table.Cells[cell].Value/10) },
		"frequency:3,10", "dominance:1,85")
	if n := wide.Count() - primary.Count(); n > 73 {
		t.Errorf("%d secondary cells, want 73 at most", n)
	}
}

// magnitudes returns a published table of values, and the level of each cell under the p % rule.
func magnitudes(t *testing.T) (table *tabular.Table, level func(cell int) float64) {
	t.Helper()
	micro := golden.Data(t, "magnitude1")
	table, err := tabular.Of(t.Context(), micro, &tabular.Definition{By: []tabular.Spanning{
		{Variable: "sector4", Levels: nested(micro, "sector4", "sector2")}, {Variable: "geo"}}, Response: "value"})
	if err != nil {
		t.Fatal(err)
	}
	rule, err := sensitivity.Parse("p:30")
	if err != nil {
		t.Fatal(err)
	}
	return table, func(cell int) float64 { return sensitivity.Judge(&table.Cells[cell], rule).Level }
}

// TestWideMagnitudes widens intervals to the protection levels of the p % rule.
func TestWideMagnitudes(t *testing.T) {
	table, level := magnitudes(t)
	widened(t, table, false, true, level, "p:30")
}

// TestWideCounts widens intervals of counts until each has three integers.
func TestWideCounts(t *testing.T) {
	data, trees := micro(t, "micro_1k", "N", "R")
	table := counts(t, data, trees)
	widened(t, table, true, true, func(cell int) float64 { return math.Min(1, table.Cells[cell].Value) }, "frequency:3,0")
}

// TestWideMiddle widens intervals of counts until each has three integers, with fewer secondary cells than the 3,780 that
// GaussSuppression needs when it protects all sums of cells with one contributor.
func TestWideMiddle(t *testing.T) {
	table := middle(t)
	primary, wide := widened(t, table, true, true, func(cell int) float64 { return math.Min(1, table.Cells[cell].Value) }, "frequency:3,0")
	if n := wide.Count() - primary.Count(); primary.Count() != 3938 || n >= 3780 {
		t.Errorf("%d primary and %d secondary cells, want 3938 and fewer than 3780", primary.Count(), n)
	}
}
