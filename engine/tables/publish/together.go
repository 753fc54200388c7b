package publish

import (
	"context"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/audit"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// GivenBack returns the sensitive cells that follow from all tables together with records that are released: a hidden
// cell whose value the records give is known. Records that lack a variable of the table, or in which one was perturbed,
// give none. Errors are those of the context.
func (t *Table) GivenBack(ctx context.Context, records *microdata.Dataset) ([]int, error) {
	again := t.of(ctx, records)
	if again == nil || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	given := microdata.NewBits(t.all.Len())
	for cell := range t.Cells {
		if is, ok := valueAt(again, t.Codes(cell)); t.Hidden(cell) && ok && near(is, t.Cells[cell].Value) {
			given.Set(t.place(cell))
		}
	}
	if given.Count() == 0 {
		return nil, nil
	}
	known := audit.Solve(t.all.equations, func(at int32) bool { return t.all.hides(at) && !given.Has(int(at)) }, t.all.least())
	var cells []int
	for cell := range t.Cells {
		if t.Sensitive(cell) && t.Hidden(cell) && known.Exact(t.place(cell)) {
			cells = append(cells, cell)
		}
	}
	return cells, nil
}

// valueAt returns the value of the cell with some codes; ok is false if there is none.
func valueAt(t *tabular.Table, codes []string) (value float64, ok bool) {
	nodes := make([]int, len(codes))
	for d, code := range codes {
		if nodes[d], ok = t.Trees[d].Find(code); !ok {
			return 0, false
		}
	}
	return t.Cells[t.Cell(nodes...)].Value, true
}

// near reports whether two sums are the same but for the order in which they were added up.
func near(a, b float64) bool {
	const tolerance = 1e-9
	return math.Abs(a-b) <= tolerance*max(1, math.Abs(b))
}

// of makes the same table of other records; nil: they do not have it. Who contributes does not matter.
func (t *Table) of(ctx context.Context, records *microdata.Dataset) *tabular.Table {
	d := t.Definition.Clone()
	d.Shadow, d.Holding, d.Largest, d.Rules, d.States = "", "", nil, nil, nil
	for i := range d.By {
		d.By[i].Nested, d.By[i].Levels = nil, leavesOf(t.Trees[i])
	}
	for _, name := range d.Variables() {
		if column, ok := records.Column(name); !ok || column.Origin() != 0 {
			return nil
		}
	}
	again, err := Build(ctx, records, &d, nil)
	if err != nil {
		return nil // other categories, or no numbers
	}
	return again
}
