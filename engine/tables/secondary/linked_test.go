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
	var tables []*tabular.Table
	for _, by := range [][]tabular.Spanning{{{Variable: "age"}, {Variable: "eu"}, {Variable: "year"}},
		{{Variable: "geo", Levels: nested(data, "geo", "eu"), Nested: []string{"eu"}}, {Variable: "year"}}} {
		table, err := tabular.Of(t.Context(), data, &tabular.Definition{By: by, Count: "freq"})
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, table)
	}
	u := tabular.Unite(tables...)
	years, groups := len(tables[0].Trees[2].Nodes), len(tables[0].Trees[1].Nodes)
	if want := len(tables[0].Cells) + len(tables[1].Cells) - years*groups; u.Len() != want {
		t.Errorf("together they have %d cells, want %d", u.Len(), want)
	}
	primary := func(cell int) bool { return u.At(cell).N > 0 && u.At(cell).N <= 2 }
	cells := secondary.Cells(u, primary, func(int) bool { return false }, func(cell int) float64 { return u.At(cell).Value })
	equations, _ := u.Equations()
	hidden, err := secondary.Protect(t.Context(), equations, cells, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for number, name := range []string{"linked_super-consistent_t1", "linked_super-consistent_t2"} {
		want, got := 0, 0
		column, _ := golden.Data(t, name).Column("suppressed")
		for row := range column.Len() {
			if column.Text(row) == "TRUE" {
				want++
			}
		}
		for cell, at := range u.Places[number] {
			parts := tables[number].Trees[0].Nodes[tables[number].Node(cell, 0)].Children
			if hidden.Has(int(at)) && (number == 0 || tables[1].Node(cell, 0) == 0 || len(parts) == 0) { // the reference lacks groups
				got++
			}
		}
		if got > want {
			t.Errorf("%s: %d cells, want %d", name, got, want)
		}
	}
}
