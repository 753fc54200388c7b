package secondary_test

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/tables/secondary"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// TestLinked protects two tables, one by age, group of countries and year, the other by country and year, with no cell
// more than GaussSuppression suppresses when it keeps linked tables consistent.
func TestLinked(t *testing.T) {
	data := golden.Data(t, "linked_input")
	table, err := tabular.Of(t.Context(), data, &tabular.Definition{By: []tabular.Spanning{{Variable: "age"},
		{Variable: "geo", Levels: nested(data, "geo", "eu")}, {Variable: "year"}}, Count: "freq"})
	if err != nil {
		t.Fatal(err)
	}
	groups := func(cell int) bool { return table.Trees[1].Nodes[table.Node(cell, 1)].Depth < 2 }
	countries := func(cell int) bool {
		return table.Node(cell, 0) == 0 && (!groups(cell) || table.Trees[1].Nodes[table.Node(cell, 1)].Code == tabular.Total)
	}
	primary := func(cell int) bool {
		n := table.Cells[cell].N
		return n > 0 && n <= 2 && (groups(cell) || countries(cell))
	}
	cells := secondary.Cells(tabular.Unite(table), primary, func(int) bool { return false },
		func(cell int) float64 { return table.Cells[cell].Value })
	for cell := range cells {
		cells[cell].Absent = !groups(cell) && !countries(cell)
	}
	hidden, err := secondary.Protect(t.Context(), table.Equations(), cells, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, of := range map[string]func(int) bool{"linked_super-consistent_t1": groups, "linked_super-consistent_t2": countries} {
		want, got := 0, 0
		column, _ := golden.Data(t, name).Column("suppressed")
		for row := range column.Len() {
			if column.Text(row) == "TRUE" {
				want++
			}
		}
		hidden.Each(func(cell int) {
			if of(cell) {
				got++
			}
		})
		if got > want {
			t.Errorf("%s: %d cells, want %d", name, got, want)
		}
	}
}
