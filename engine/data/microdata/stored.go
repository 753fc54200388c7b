package microdata

import (
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
)

// In returns the dataset with its columns in s, and with s for all columns derived from them: large per-record
// data is then in files. It is for code that reads or creates a dataset. If s is nil, it returns d.
func (d *Dataset) In(s *store.Store) *Dataset {
	if s == nil {
		return d
	}
	out := *d
	out.store, out.columns = s, make([]*Column, len(d.columns))
	for i, column := range d.columns {
		out.columns[i] = column.in(s)
	}
	return &out
}

// Store returns the store of the columns, or nil for the heap.
func (d *Dataset) Store() *store.Store { return d.store }

// Store returns the store of the column's cells, or nil for the heap.
func (c *Column) Store() *store.Store { return c.store }

// Stored reports whether the cells are in files of a store and take no memory.
func (c *Column) Stored() bool {
	if c.numbers != nil {
		return store.Holds(c.store, c.numbers.Values)
	}
	return c.dictionary().Codes.stored(c.store)
}

// in returns the column in a store. A column that steps changed keeps its cells in their place.
func (c *Column) in(s *store.Store) *Column {
	if s == nil || c.store == s || c.multiplicity != nil {
		return c
	}
	out := c.copy()
	switch out.store = s; {
	case c.ground == c:
		out.ground = out
	case c.source != nil:
	case c.numbers != nil:
		out.numbers = c.numbers.in(s)
		out.level()
	default:
		categories := c.dictionary().in(s)
		out.dictionary = func() *Categories { return categories }
	}
	return out.finish()
}

// level makes the dictionary of a column of numbers one that is built on first use.
func (c *Column) level() {
	c.leveling = &leveling{numbers: c.numbers, store: c.store}
	c.dictionary = c.leveling.categories
}

// Free releases numbers stored in s. They must not be used afterwards.
func (n *Numbers) Free(s *store.Store) {
	store.Free(s, n.Values)
}

// in returns the numbers in a store.
func (n *Numbers) in(s *store.Store) *Numbers {
	if s == nil {
		return n
	}
	out := *n
	out.Values = store.Keep(s, n.Values)
	return &out
}

// in returns the categories with their codes in a store.
func (c *Categories) in(s *store.Store) *Categories {
	if s == nil || c.Codes.base == nil || c.Codes.stored(s) {
		return c
	}
	out := c.with(c.Codes)
	of := c.Codes.base
	out.Codes.base = &base{narrow: store.Keep(s, of.narrow), wide: store.Keep(s, of.wide), store: s}
	return out
}

// stored reports whether the codes are in files of a store.
func (c Codes) stored(s *store.Store) bool {
	return c.base != nil && (store.Holds(s, c.base.narrow) || store.Holds(s, c.base.wide))
}

// NewCodesIn is NewCodes with the codes in a store.
func NewCodesIn(s *store.Store, n, levels int) Codes {
	if levels <= math.MaxUint8 {
		return stored(store.Make[uint8](s, n), nil)
	}
	return stored(nil, store.Make[uint32](s, n))
}

// cloned returns a copy of a slice in a store.
func cloned[T any](s *store.Store, elements []T) []T {
	if s == nil || elements == nil {
		return slices.Clone(elements)
	}
	out := store.Make[T](s, len(elements))
	copy(out, elements)
	return out
}
