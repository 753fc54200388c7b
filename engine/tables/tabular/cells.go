package tabular

import (
	"context"
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// CellFile says what the variables of a file are whose rows are the cells of a table.
type CellFile struct {
	Trees   []*Tree // a variable of the file each
	Total   string  // the code that the file has for totals; "": Total
	Value   string  // what is published
	Shadow  string  // total of the variable that rules judge; "": Value
	Count   string  // contributors; "": the values are counts
	Largest []string
}

// OfCells makes the table of a file whose rows are cells, totals included. A cell that the file lacks is empty. Errors
// wrap ErrTable, ErrTree or ErrDefinition: a code that is in no tree, a cell given twice, or a table that does not add
// up within a millionth.
func OfCells(ctx context.Context, data *microdata.Dataset, f *CellFile) (*Table, error) {
	t, err := New(f.Trees...)
	if err != nil {
		return nil, err
	}
	r := rows{ctx: ctx, data: data}
	r.response, r.shadow, r.count = r.amounts(f.Value, "value"), r.amounts(f.Shadow, "shadow variable"),
		r.amounts(f.Count, "count")
	var codes, largest []*microdata.Column
	for _, tree := range f.Trees {
		codes = append(codes, r.column(tree.Variable))
	}
	for _, name := range f.Largest {
		largest = append(largest, r.amounts(name, "largest contribution"))
	}
	if r.err != nil {
		return nil, r.err
	}
	seen := microdata.NewBits(len(t.Cells))
	for row := range data.Len() {
		at, err := t.find(codes, row, f.Total)
		if err != nil {
			return nil, err
		}
		if seen.Has(at) {
			return nil, fmt.Errorf("%w: cell %v is in the file twice", ErrTable, t.Codes(at))
		}
		seen.Set(at)
		c := &t.Cells[at]
		if c.Value = value(r.response, row, 0); math.IsNaN(c.Value) {
			return nil, fmt.Errorf("%w: cell %v has no value", ErrTable, t.Codes(at))
		}
		c.Shadow, c.N = value(r.shadow, row, c.Value), int(value(r.count, row, c.Value))
		for _, column := range largest {
			c.Largest = append(c.Largest, Share{column.Float(row), 1})
		}
		if c.Shadow < 0 {
			t.markNegative(at)
		}
	}
	const millionth = 1e-6
	return t, t.Additive(millionth)
}

// find returns the cell of a row.
func (t *Table) find(codes []*microdata.Column, row int, total string) (int, error) {
	at := 0
	for d, column := range codes {
		code := column.Text(row)
		node, ok := t.Trees[d].Find(code)
		if code == total {
			node, ok = 0, true
		}
		if !ok {
			return 0, fmt.Errorf("%w of %s: code %q is not in it", ErrTree, t.Trees[d].Variable, wording.Excerpt(code))
		}
		at += node * t.strides[d]
	}
	return at, nil
}
