package publish

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// OpenTogether returns for each table the sensitive cells that are open to an intruder who has all of the tables. Two
// tables share a cell if both have its codes, whose other variables are totals, and the same value of the same response.
func OpenTogether(tables []*Table) [][]int {
	var all union
	for _, t := range tables {
		all.add(t)
	}
	known := audit.Solve(&all.equations, func(cell int32) bool { return !all.published[cell] })
	open := make([][]int, len(tables))
	for i, t := range tables {
		for cell := range t.Cells {
			if t.Sensitive(cell) && known.Exact(int(all.places[i][cell])) {
				open[i] = append(open[i], cell)
			}
		}
	}
	return open
}

// union are the cells of several tables, each once.
type union struct {
	equations tabular.Equations
	published []bool    // in a table at least
	values    []float64 // of each cell
	places    [][]int32 // per table: the cell of the union
	byName    map[string]int32
}

// add takes the cells and the equations of a table.
func (u *union) add(t *Table) {
	if u.byName == nil {
		u.byName = map[string]int32{}
	}
	places := make([]int32, len(t.Cells))
	for cell := range t.Cells {
		places[cell] = u.place(t, cell)
		if !t.Suppressed(cell) {
			u.published[places[cell]] = true
		}
	}
	u.places = append(u.places, places)
	var equation []int32
	for i := range t.equations.Len() {
		equation = equation[:0]
		for _, cell := range t.equations.At(i) {
			equation = append(equation, places[cell])
		}
		u.equations.Append(equation...)
	}
}

// place returns the cell of the union.
func (u *union) place(t *Table, cell int) int32 {
	name := t.nameOf(cell)
	if at, known := u.byName[name]; known && near(t.Cells[cell].Value, u.values[at]) {
		return at
	}
	at := int32(len(u.published))
	u.published, u.values = append(u.published, false), append(u.values, t.Cells[cell].Value)
	u.byName[name] = at
	return at
}

// nameOf returns what a cell is the sum of, whatever the variables of the table are.
func (t *Table) nameOf(cell int) string {
	var codes []string
	for d, tree := range t.Trees {
		if node := t.Node(cell, d); node > 0 {
			codes = append(codes, fmt.Sprintf("%q=%q", tree.Variable, tree.Nodes[node].Code))
		}
	}
	slices.Sort(codes)
	d := t.Definition
	return fmt.Sprintf("%q %q %q ", d.Response, d.Weight, d.Count) + strings.Join(codes, " ")
}
