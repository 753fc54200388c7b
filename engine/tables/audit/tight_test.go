package audit_test

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// TestTightSums finds sums of cells with their least values where only an equation has them, which elimination changes,
// and where only elimination gives them. Negative cells are published; those from large on are above their least values.
func TestTightSums(t *testing.T) {
	const large = 10
	for name, c := range map[string]struct {
		equations [][]int32
		exact     []int
		open      []int
	}{
		"in an equation": {[][]int32{{-1, 1, 2, 3, 4}, {5, 2, 6}, {-1, 5, 10, 11, 12}, {-1, 5, 13, 14, 15}, {-1, 6, 16, 17, 18},
			{-1, 6, 19, 20, 21}, {-1, 5, 22, 23, 24}, {-1, 6, 25, 26, 27}}, []int{1, 2, 3, 4}, []int{5, 6, 10}},
		"after elimination": {[][]int32{{-1, 10, 11, 1, 2}, {-1, 10, 11}}, []int{1, 2}, []int{10, 11}},
		"a difference":      {[][]int32{{1, 2, 10}, {-1, 10}}, nil, []int{1, 2}},
	} {
		var e tabular.Equations
		for _, cells := range c.equations {
			e.Append(cells...)
		}
		known := audit.Solve(&e, func(cell int32) bool { return cell > 0 }, func(cell int) bool { return cell < large })
		for _, cell := range c.exact {
			if !known.Exact(cell) {
				t.Errorf("%s: cell %d is not known", name, cell)
			}
		}
		for _, cell := range c.open {
			if known.Exact(cell) {
				t.Errorf("%s: cell %d is known", name, cell)
			}
		}
	}
}
