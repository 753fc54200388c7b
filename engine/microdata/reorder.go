package microdata

import (
	"slices"
	"sync"
)

// Reorder returns the dataset with its records in another order: record i is
// what record order[i] was. order has every record once. Spellings, missing
// codes and marks of suppression go with their records.
func (d *Dataset) Reorder(order []uint32) *Dataset {
	columns := make([]*Column, len(d.columns))
	for i, column := range d.columns {
		columns[i] = column.reordered(order)
	}
	return &Dataset{columns: columns, index: d.index, records: len(order)}
}

func (c *Column) reordered(order []uint32) *Column {
	out := c.copy()
	if c.source != nil {
		out.source = c.source.reordered(order)
	}
	if c.blanks.Of != nil {
		out.blanks.Of = taken(c.blanks.Of, order)
	}
	if c.suppressed != nil {
		out.suppressed = NewBits(len(order))
		for i, record := range order {
			if c.suppressed.Has(int(record)) {
				out.suppressed.Set(i)
			}
		}
	}
	if c.numbers != nil {
		out.numbers = c.numbers.reordered(order)
		out.dictionary = sync.OnceValue(out.numbers.categories)
	} else {
		was := c.dictionary()
		categories := &Categories{Levels: was.Levels, Codes: was.Codes.reordered(order), Ordered: was.Ordered}
		out.dictionary = func() *Categories { return categories }
	}
	return out.finish()
}

func (n *Numbers) reordered(order []uint32) *Numbers {
	out := &Numbers{Values: taken(n.Values, order), Uniform: n.Uniform}
	if n.Decimals != nil {
		out.Decimals = taken(n.Decimals, order)
	}
	if len(n.Odd) > 0 {
		out.Odd = make(map[uint32]string, len(n.Odd))
		for i, record := range order {
			if text, ok := n.Odd[record]; ok {
				out.Odd[uint32(i)] = text
			}
		}
	}
	return out
}

func (c Codes) reordered(order []uint32) Codes {
	switch {
	case c.narrow != nil:
		return Codes{narrow: taken(c.narrow, order)}
	case c.middle != nil:
		return Codes{middle: taken(c.middle, order)}
	default:
		return Codes{wide: taken(c.wide, order)}
	}
}

// taken returns the values of the given records. A slice that is not nil stays
// so, however short.
func taken[T any](values []T, order []uint32) []T {
	out := slices.Grow(make([]T, 0, 1), len(order))
	for _, record := range order {
		out = append(out, values[record])
	}
	return out
}
