package secondary

import "github.com/sdcdesk/sdcdesk/engine/tables/tabular"

// Cells returns the cells of a union of tables. An inner cell without contributors is known to be empty unless it is
// primary.
func Cells(u *tabular.Union, primary, forced func(cell int) bool, cost func(cell int) float64) []Cell {
	contributors := u.Contributors(func(inner int) bool { return u.At(inner).N > 0 || primary(inner) })
	cells, basis := make([]Cell, u.Len()), newBasis(u)
	for i := range cells {
		cells[i] = Cell{basis: basis, Contributors: contributors[i], Cost: cost(i), Primary: primary(i), Forced: forced(i)}
	}
	return cells
}
