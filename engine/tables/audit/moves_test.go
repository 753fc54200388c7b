package audit_test

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// TestMovesStop ends a search before its second step.
func TestMovesStop(t *testing.T) {
	const side = 4
	e := &tabular.Equations{}
	var rows, columns []int32
	for i := range int32(side) {
		row, column := []int32{side*side + i}, []int32{side*side + side + i}
		for j := range int32(side) {
			row, column = append(row, i*side+j), append(column, j*side+i)
		}
		e.Append(row...)
		e.Append(column...)
		rows, columns = append(rows, row[0]), append(columns, column[0])
	}
	const all = side*side + 2*side
	e.Append(append([]int32{all}, rows...)...)
	e.Append(append([]int32{all}, columns...)...)
	value := func(cell int) float64 {
		switch {
		case cell < side*side:
			return 10
		case cell < all:
			return 10 * side
		}
		return 10 * side * side
	}
	price := func(cell int) float64 {
		if cell >= side*side {
			return -1
		}
		return 1
	}
	for _, stops := range []bool{false, true} {
		calls := 0
		moves := audit.NewMoves(e, all+1, value, audit.Positive(true), func() bool { calls++; return stops })
		reached, changed := moves.Reach(0, 35, price, audit.Near{})
		if stops && (calls > 2 || reached == 35) || !stops && (calls < 4 || reached != 35 || len(changed) == 0) {
			t.Errorf("stops %v: %d calls, reached %v with %d other cells changed", stops, calls, reached, len(changed))
		}
	}
}
