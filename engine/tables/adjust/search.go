// Package adjust changes the cells of a small table a little, so that it still adds up: controlled rounding to multiples
// of a base, and controlled tabular adjustment, which moves each sensitive cell out of its protection interval.
//
// Source: J. Castro, Recent advances in optimization techniques for statistical tabular data protection, European Journal
// of Operational Research 216 (2012).
//
//	rounded, err := adjust.Round(ctx, table, 5)
//	adjusted, err := adjust.Adjust(ctx, table, adjust.Cells{Level: level, Weight: weight})
package adjust

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/branch"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// The largest numbers of cells of a table whose search can take many steps, and of one in which the first step must leave
// few cells to decide, as in the rounding of most tables of two variables.
const (
	mostCells       = 300
	mostCellsAtOnce = 3000
	few             = 20
)

// ErrAdjust is wrapped by errors about a table that cannot be adjusted.
var ErrAdjust = errors.New("the table cannot be adjusted")

// Table is an adjusted table.
type Table struct {
	Values []float64 // by cell
	Cost   float64   // weighted sum of the changes
	Bound  float64   // no table of its kind costs less
}

// nodes is the number of tables that a search visits after the first.
const nodes = 200

// run searches a space. undecided reports which cells are left to decide in the cheapest table: of a large table, these
// must be few.
func run(ctx context.Context, s *branch.Search, space *audit.Space, cells int, undecided func(cell int) bool) {
	const ways = 2
	space.Minimise()
	left := 0
	for cell := range cells {
		if cells > mostCells && undecided(cell) {
			left++
		}
	}
	if left <= few {
		s.Run(ctx, space, ways*cells) // enough to decide each cell once
	}
}

// integral is by how much a computed integer may be off.
const integral = 1e-3

// Unit returns the unit of the last decimal that the values of a table have: 1 for integers, a millionth at least.
func Unit(t *tabular.Table) float64 {
	const ten, smallest, close = 10, 1e6, 1e-3
	parts := 1.0
	for parts < smallest && slices.ContainsFunc(t.Cells, func(c tabular.Cell) bool {
		return math.Abs(c.Value*parts-math.Round(c.Value*parts)) > close
	}) {
		parts *= ten
	}
	return 1 / parts
}

// split returns the tables of a space whose cell is at most the integer below its value, and at least that above.
func split(s *audit.Space, cell int) (ways []*audit.Space) {
	for _, up := range []bool{false, true} {
		to := math.Floor(s.Value(cell))
		if up {
			to++
		}
		if way := s.Clone(); way.Push(cell, up, to, true) {
			ways = append(ways, way)
		}
	}
	return ways
}

// tableOf returns the best table of a search: its inner cells, and what they add up to. The values of the space are above those of
// origin, in multiples of a unit.
func tableOf(ctx context.Context, s *branch.Search, t *tabular.Table, origin func(cell int) float64, unit float64) (*Table, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.Best == nil {
		if err := fits(t, mostCells); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%w: none was found that adds up; choose a larger base, coarser variables, or fewer cells "+
			"published by hand", ErrAdjust)
	}
	adjusted := &Table{Values: make([]float64, len(t.Cells))}
	var inner []float64
	for cell := range t.Cells {
		if t.Inner(cell) {
			inner = append(inner, origin(cell)+unit*math.Round(s.Best.Value(cell)/unit))
		}
	}
	for cell, of := range t.Groups(func(int) bool { return true }) {
		for _, i := range of {
			adjusted.Values[cell] += inner[i]
		}
	}
	adjusted.Cost = s.Cost(func(cell int) float64 { return adjusted.Values[cell] - origin(cell) })
	adjusted.Bound = min(adjusted.Cost, s.Bound())
	return adjusted, nil
}

// fits returns an error for a table that is too large.
func fits(t *tabular.Table, most int) error {
	if n := len(t.Cells); n > most {
		search := ""
		if most == mostCells {
			search = " for a search"
		}
		return fmt.Errorf("%w: it has %s cells, and the limit is %s%s; choose fewer or coarser variables, or another protection",
			ErrAdjust, wording.Number(n), wording.Number(most), search)
	}
	return nil
}
