package secondary

import "github.com/sdcdesk/sdcdesk/engine/tables/tabular"

// Cells returns the cells of a table. An inner cell without contributors is known to be empty unless it is primary.
func Cells(t *tabular.Table, primary, forced func(cell int) bool, cost func(cell int) float64) []Cell {
	groups := t.Groups(func(inner int) bool { return t.Cells[inner].N > 0 || primary(inner) })
	cells, basis := make([]Cell, len(groups)), newBasis(t)
	for i := range cells {
		cells[i] = Cell{basis: basis, Groups: groups[i], Cost: cost(i), Primary: primary(i), Forced: forced(i)}
	}
	return cells
}
