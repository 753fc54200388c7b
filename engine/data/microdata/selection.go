package microdata

import (
	"slices"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
)

// Select returns the dataset of the given rows, which must be distinct, in the given order. Missing codes, marks,
// source values and record numbers in the source move with the rows.
func (d *Dataset) Select(rows []uint32) *Dataset {
	if d.multiplicity == nil {
		return d.taken(rows, nil)
	}
	return d.taken(rows, taken(nil, d.multiplicity, rows))
}

// taken is Select with a multiplicity, or nil for one record per row.
func (d *Dataset) taken(rows []uint32, multiplicity []int) *Dataset {
	out := &Dataset{columns: make([]*Column, len(d.columns)), index: d.index, rows: len(rows), multiplicity: multiplicity,
		spellings: d.spellings, store: d.store}
	for i, column := range d.columns {
		out.columns[i] = column.selected(rows, multiplicity)
	}
	if out.numbers = rows; d.numbers != nil || rows == nil {
		out.numbers = taken(d.store, d.numbers, rows)
	}
	return out
}

// Moved reports whether the records differ from those of the source in selection or order.
func (d *Dataset) Moved() bool { return d.numbers != nil }

// SourceRecord returns the index, from 0, that a record has in the source.
func (d *Dataset) SourceRecord(record int) int {
	if d.numbers == nil {
		return record
	}
	return int(d.numbers[record])
}

// SameRecords reports whether two datasets have the same records of one source
// in the same order.
func (d *Dataset) SameRecords(other *Dataset) bool {
	return d.rows == other.rows && (d.numbers == nil) == (other.numbers == nil) && slices.Equal(d.numbers, other.numbers)
}

func (c *Column) selected(rows []uint32, multiplicity []int) *Column {
	out := c.taken(rows, multiplicity)
	if c.source != nil {
		out.source = c.source.taken(rows, multiplicity).finish()
	}
	switch c.ground {
	case nil:
	case c:
		out.ground = out
	default:
		ground := c.ground.taken(rows, multiplicity)
		ground.source, ground.ground = out.source, ground
		out.ground = ground.finish()
	}
	return out.finish()
}

// taken returns the column's own values of the given rows, without source, and with a multiplicity. The caller
// calls finish.
func (c *Column) taken(records []uint32, multiplicity []int) *Column {
	out := c.copy()
	out.source, out.ground, out.multiplicity = nil, nil, multiplicity
	out.suppressed = c.suppressed.selected(records)
	if c.numbers != nil {
		out.numbers = c.numbers.selected(c.store, records)
	}
	// Levels without a record are kept: sorting the numbers again would cost more than looking the codes up.
	dictionary := c.dictionary
	out.dictionary = sync.OnceValue(func() *Categories {
		was := dictionary()
		return was.with(was.Codes.selected(c.store, records))
	})
	if c.numbers == nil {
		out.dictionary() // the dictionary is the storage, so make it now
	}
	return out
}

// selected returns the members among the given records, renumbered by their positions.
func (b *Bits) selected(records []uint32) *Bits {
	if b == nil {
		return nil
	}
	out := NewBits(len(records))
	for i, record := range records {
		if b.Has(int(record)) {
			out.Set(i)
		}
	}
	return out
}

func (n *Numbers) selected(s *store.Store, records []uint32) *Numbers {
	return &Numbers{Values: taken(s, n.Values, records), Decimals: n.Decimals}
}

func (c Codes) selected(s *store.Store, records []uint32) Codes {
	out := c
	if out.base = new(base); c.base.narrow != nil {
		out.base.narrow = taken(s, c.base.narrow, records)
	} else {
		out.base.wide = taken(s, c.base.wide, records)
	}
	out.missing = c.missing.selected(records)
	return out
}

// taken returns the values of the given records, stored in s. The result is nil only if values is.
func taken[T any](s *store.Store, values []T, records []uint32) []T {
	out := store.Make[T](s, len(records))
	for i, record := range records {
		out[i] = values[record]
	}
	return out
}
