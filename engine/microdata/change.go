package microdata

import "sync"

// Source returns the column as it was read, before any step.
func (c *Column) Source() *Column {
	if c.source != nil {
		return c.source
	}
	return c
}

// Suppressed returns the cells that suppression made missing; nil: none.
func (c *Column) Suppressed() *Bits { return c.suppressed }

// Recoded reports whether a recode stands between the source and this column.
func (c *Column) Recoded() bool {
	return c.source != nil && c.Unrecoded() != c
}

// Unrecoded returns the source values with the suppressed cells missing: what
// a recode by intervals starts from. Repeated calls return the same column.
func (c *Column) Unrecoded() *Column { return c.unrecoded() }

func (c *Column) makeUnrecoded() *Column {
	if c.source == nil {
		return c
	}
	if c.suppressed == nil {
		return c.source
	}
	if c.sameLevelsAsSource() {
		return c
	}
	return c.source.Suppress(c.suppressed)
}

// sameLevelsAsSource reports whether the column is its source but for
// suppressed cells.
func (c *Column) sameLevelsAsSource() bool {
	if c.numbers != nil || c.source.numbers != nil {
		return c.numbers != nil && c.source.numbers != nil
	}
	now, then := c.dictionary().Levels, c.source.dictionary().Levels
	return len(now) == len(then) && (len(now) == 0 || &now[0] == &then[0])
}

// Suppress returns the column with the cells of the set missing, marked as
// suppressed. Cells that are missing already stay as they are and are not
// marked.
func (c *Column) Suppress(cells *Bits) *Column {
	marked := NewBits(c.Len())
	cells.Each(func(record int) {
		if !c.Missing(record) {
			marked.Set(record)
		}
	})
	out := c.copy()
	out.source = c.Source()
	out.suppressed = c.suppressed.Union(marked)
	if c.numbers != nil {
		out.numbers = c.numbers.suppressed(marked)
	}
	dictionary := c.dictionary
	out.dictionary = sync.OnceValue(func() *Categories { return dictionary().suppressed(marked) })
	if c.numbers == nil {
		out.dictionary() // the dictionary is the storage: make it now
	}
	return out.finish()
}

// suppressed returns the categories with the cells of the set missing; the
// levels are shared.
func (c *Categories) suppressed(cells *Bits) *Categories {
	codes := c.Codes.Copy()
	cells.Each(func(record int) { codes.Set(record, 0) })
	return &Categories{Levels: c.Levels, Codes: codes, Ordered: c.Ordered}
}

// Regroup returns the column in which code l of from has become mapping[l] of
// the given levels: mapping has one entry per code of from, missing (0)
// included. from is c or c.Unrecoded(). Cells that were suppressed stay
// missing even where mapping gives missing a level.
func (c *Column) Regroup(from *Column, levels []Level, mapping []uint32, ordered bool) *Column {
	codes := from.Categories().Codes.Mapped(len(levels), mapping)
	if mapping[0] != 0 {
		c.suppressed.Each(func(record int) { codes.Set(record, 0) })
	}
	categories := &Categories{Levels: levels, Codes: codes, Ordered: ordered}
	out := c.copy()
	out.kind, out.numbers, out.source = kindOf(levels), nil, c.Source()
	out.dictionary = func() *Categories { return categories }
	return out.finish()
}

// kindOf returns Category unless every level is a number.
func kindOf(levels []Level) Kind {
	kind := Whole
	for _, level := range levels {
		if !level.NumberLevel() {
			return Category
		}
		if level.Value != float64(int64(level.Value)) {
			kind = Number
		}
	}
	return kind
}
