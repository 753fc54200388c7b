package microdata

import (
	"math"
	"sync"
)

// Source returns the column as it was read, before any step.
func (c *Column) Source() *Column {
	if c.source != nil {
		return c.source
	}
	return c
}

// Suppressed returns the cells that suppression made missing; nil: none. Cells
// that a recode left out or that were set to missing are not among them.
func (c *Column) Suppressed() *Bits { return c.suppressed }

// Composition returns what recodes start from, and by code of its categories the code that they made of each, 0 where
// they made it missing; ok is false where its values were changed record by record after they were recoded.
func (c *Column) Composition() (from *Column, codes []uint32, ok bool) {
	from = c.Unrecoded()
	codes, ok = c.Categories().MadeOf(from.Categories())
	return from, codes, ok
}

// Recoded reports whether a recode stands between the values that recodes start
// from and this column.
func (c *Column) Recoded() bool {
	return c.source != nil && c.Unrecoded() != c
}

// Unrecoded returns what a recode by intervals starts from: the source values,
// or those that WithCategories or WithNumbers gave later, with the cells missing
// that were suppressed or set to missing. Repeated calls return the same column.
func (c *Column) Unrecoded() *Column { return c.unrecoded() }

func (c *Column) makeUnrecoded() *Column {
	start := c.start()
	switch {
	case start == c || c.suppressed == nil && c.ground == nil:
		return start
	case c.sameLevelsAs(start):
		return c
	case c.suppressed == nil:
		return start
	}
	out := start.blanked(c.suppressed)
	out.source, out.suppressed = c.Source(), c.suppressed
	if c.ground == nil { // what the source lacks is not suppressed
		out.suppressed = start.present(c.suppressed)
	}
	return out.finish()
}

// OnlySuppressed reports whether nothing but suppression lies between the source and the column: the categories are
// those of the source, and cells have theirs or were suppressed.
func (c *Column) OnlySuppressed() bool {
	return c.ground == nil && c.sameLevelsAs(c.Source())
}

// start returns what recodes start from, without regard to suppressions.
func (c *Column) start() *Column {
	switch {
	case c.ground != nil:
		return c.ground
	case c.source != nil:
		return c.source
	default:
		return c
	}
}

// sameLevelsAs reports whether the column is another but for suppressed cells.
func (c *Column) sameLevelsAs(other *Column) bool {
	if c.numbers != nil || other.numbers != nil {
		return c.numbers != nil && other.numbers != nil
	}
	return sameArray(c.dictionary().Levels, other.dictionary().Levels)
}

// Suppress returns the column with the cells of the set missing, marked as
// suppressed. Cells that are missing already stay as they are and are not
// marked.
func (c *Column) Suppress(cells *Bits) *Column {
	marked := c.present(cells)
	out := c.blanked(marked)
	out.source = c.Source()
	out.suppressed = c.suppressed.Union(marked)
	return out.finish()
}

// SetMissing returns the column with the cells of the set missing, as if the
// file had no value there: they are not marked as suppressed, and a recode that
// starts anew does not bring them back. Cells that are missing already stay as
// they are.
func (c *Column) SetMissing(cells *Bits) *Column {
	marked := c.present(cells)
	if marked.Count() == 0 {
		return c
	}
	ground := c.start().blanked(marked)
	ground.source, ground.suppressed, ground.ground = c.Source(), nil, ground
	out := c.blanked(marked)
	out.source, out.ground = c.Source(), ground.finish()
	return out.finish()
}

// WithCategories returns the column with other values, stored as a dictionary:
// those of a conversion or a perturbation. Recodes start from them from now on.
// Suppressed cells must be missing in them; they stay marked.
func (c *Column) WithCategories(kind Kind, categories *Categories) *Column {
	if was := c.Categories(); sameArray(categories.Levels, was.Levels) {
		kept := was.with(categories.Codes)
		kept.Ordered, categories = categories.Ordered, kept
	}
	out := c.copy()
	out.kind, out.numbers, categories = kind, nil, categories.in(c.store)
	out.dictionary = func() *Categories { return categories }
	return out.grounded(c.Source())
}

// WithCodes is WithCategories for other codes of the same categories.
func (c *Column) WithCodes(codes Codes) *Column {
	return c.WithCategories(c.kind, c.Categories().with(codes))
}

// WithNumbers is WithCategories for values stored as numbers.
func (c *Column) WithNumbers(kind Kind, numbers *Numbers) *Column {
	out := c.copy()
	out.kind, out.numbers = kind, numbers.in(c.store)
	out.dictionary = out.leveled()
	return out.grounded(c.Source())
}

// grounded finishes a column whose values are those that recodes start from.
func (c *Column) grounded(source *Column) *Column {
	ground := c.copy()
	ground.source, ground.suppressed, ground.ground = source, nil, ground
	c.source, c.ground = source, ground.finish()
	return c.finish()
}

// present returns the cells of a set that are not missing.
func (c *Column) present(cells *Bits) *Bits {
	present := NewBits(c.Len())
	cells.Each(func(record int) {
		if !c.Missing(record) {
			present.Set(record)
		}
	})
	return present
}

// blanked returns the column with the cells of the set missing and nothing else
// changed. The caller calls finish.
func (c *Column) blanked(cells *Bits) *Column {
	out := c.copy()
	if c.numbers != nil {
		out.numbers = c.numbers.suppressed(c.store, cells)
	}
	dictionary := c.dictionary
	out.dictionary = sync.OnceValue(func() *Categories { return dictionary().suppressed(cells) })
	if c.numbers == nil {
		out.dictionary() // the dictionary is the storage: make it now
	}
	return out
}

// suppressed returns the categories with the cells of the set missing; the
// levels are shared.
func (c *Categories) suppressed(cells *Bits) *Categories {
	return c.with(c.Codes.without(cells))
}

// Regroup returns the column in which code l of from has become mapping[l] of
// the given levels: mapping has one entry per code of from, missing (0)
// included. from is c or c.Unrecoded(). Cells that were suppressed stay
// missing even where mapping gives missing a level. Codes are written as those
// of from; only those that stay what they are keep what they mean.
func (c *Column) Regroup(from *Column, levels []Level, mapping []uint32, ordered bool) *Column {
	categories := from.Categories().in(c.store).Mapped(levels, mapping, ordered)
	if mapping[0] != 0 {
		categories.Codes = categories.Codes.without(c.suppressed)
	}
	out := c.copy()
	out.kind, out.numbers, out.source = kindOf(levels), nil, c.Source()
	out.description = from.description.Regrouped(from.Categories().Levels, levels, mapping, ordered)
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
		if level.Value != math.Trunc(level.Value) {
			kind = Number
		}
	}
	return kind
}

// Differs reports whether a cell differs from that of another column of as many
// records: in its value, however that is spelled, or in being missing.
func (c *Column) Differs(from *Column, record int) bool {
	if c == from {
		return false
	}
	if c.Numeric() && from.Numeric() {
		x, y := c.Float(record), from.Float(record)
		return x != y && !(math.IsNaN(x) && math.IsNaN(y))
	}
	if c.Missing(record) || from.Missing(record) {
		return c.Missing(record) != from.Missing(record)
	}
	label := func(of *Column) string { return of.Categories().Levels[of.Categories().Codes.At(record)-1].Label }
	return c.Text(record) != from.Text(record) && label(c) != label(from) // that of a number is one of its spellings
}
