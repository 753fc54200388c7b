package secondary_test

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/secondary"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// TestSparseMiddle protects 18,910 cells whose empty cells are published, so that each suppressed count is at least the
// number of its inner cells that are not empty: no sum of such counts reveals them.
func TestSparseMiddle(t *testing.T) {
	longtests.Needed(t)
	table := middle(t)
	u := tabular.Unite(table)
	primary := microdata.NewBits(len(table.Cells))
	for cell := range table.Cells {
		if n := table.Cells[cell].N; n == 1 || n == 2 {
			primary.Set(cell)
		}
	}
	cells := secondary.Cells(u, primary.Has, func(int) bool { return false }, func(cell int) float64 { return table.Cells[cell].Value })
	nonempty := u.Nonempty(func(int) bool { return true })
	least := func(cell int) bool { return table.Cells[cell].Value <= nonempty[cell] }
	hidden, err := secondary.Protect(t.Context(), table.Equations(), cells, func(cell int) bool { return table.Cells[cell].N == 1 }, least)
	if err != nil {
		t.Fatal(err)
	}
	known := audit.Solve(table.Equations(), func(cell int32) bool { return hidden.Has(int(cell)) }, least)
	primary.Each(func(cell int) {
		if known.Exact(cell) {
			t.Errorf("%v can be recalculated", table.Codes(cell))
		}
	})
	if len(known.Tight) > 0 || primary.Count() != 3938 {
		t.Errorf("%d tight sums, %d primary cells", len(known.Tight), primary.Count())
	}
}
