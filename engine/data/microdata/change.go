package microdata

import (
	"math"
	"sync"
)

// Source returns the column as read, before any step.
func (c *Column) Source() *Column {
	if c.source != nil {
		return c.source
	}
	return c
}

// Suppressed returns the set of suppressed cells; nil if there are none. Cells that a recode or SetMissing made
// missing are not in it.
func (c *Column) Suppressed() *Bits { return c.suppressed }

// Composition returns the column that recodes start from and, by code of its categories, the code that the recodes
// produce, 0 for missing. ok is false if values were changed record by record after a recode.
func (c *Column) Composition() (from *Column, codes []uint32, ok bool) {
	from = c.Unrecoded()
	codes, ok = c.Categories().MadeOf(from.Categories())
	return from, codes, ok
}

// Recoded reports whether the column was recoded since it was read or last perturbed.
func (c *Column) Recoded() bool {
	return c.source != nil && c.Unrecoded() != c
}

// Unrecoded returns the column that a recode by intervals starts from: the source values, or those set later by
// WithCategories or WithNumbers, with suppressed cells and those of SetMissing missing. Repeated calls return the
// same column.
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
	out := start.withMissing(c.suppressed)
	out.source, out.suppressed = c.Source(), c.suppressed
	if c.ground == nil { // a cell missing in the source is not suppressed
		out.suppressed = start.present(c.suppressed)
	}
	return out.finish()
}

// OnlySuppressed reports whether the column differs from its source in suppressed cells only.
func (c *Column) OnlySuppressed() bool {
	return c.ground == nil && c.sameLevelsAs(c.Source())
}

// start returns the column that recodes start from, before suppression.
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

// sameLevelsAs reports whether the column equals another apart from suppressed cells.
func (c *Column) sameLevelsAs(other *Column) bool {
	if c.numbers != nil || other.numbers != nil {
		return c.numbers != nil && other.numbers != nil
	}
	return sameArray(c.dictionary().Levels, other.dictionary().Levels)
}

// Suppress returns the column with the given cells suppressed. Cells that are already missing are not marked as
// suppressed.
func (c *Column) Suppress(cells *Bits) *Column {
	marked := c.present(cells)
	out := c.withMissing(marked)
	out.source = c.Source()
	out.suppressed = c.suppressed.Union(marked)
	return out.finish()
}

// SetMissing returns the column with the given cells missing as if the file had no value there: they are not
// marked as suppressed, and a later recode does not restore them.
func (c *Column) SetMissing(cells *Bits) *Column {
	marked := c.present(cells)
	if marked.Count() == 0 {
		return c
	}
	ground := c.start().withMissing(marked)
	ground.source, ground.suppressed, ground.ground = c.Source(), nil, ground
	out := c.withMissing(marked)
	out.source, out.ground = c.Source(), ground.finish()
	return out.finish()
}

// WithCategories returns the column with other values, stored as a dictionary, after a conversion or perturbation.
// Later recodes start from them. Suppressed cells must be missing in them and remain marked.
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
	out.level()
	return out.grounded(c.Source())
}

// grounded finishes a column whose values later recodes start from.
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

// withMissing returns the column with the given cells missing and nothing else changed. The caller calls finish.
func (c *Column) withMissing(cells *Bits) *Column {
	out := c.copy()
	if c.numbers != nil {
		out.numbers = c.numbers.suppressed(c.store, cells)
	}
	dictionary := c.dictionary
	out.dictionary = sync.OnceValue(func() *Categories { return dictionary().suppressed(cells) })
	if c.numbers == nil {
		out.dictionary() // the dictionary is the storage, so make it now
	}
	return out
}

// suppressed returns the categories with the given cells missing and the same levels.
func (c *Categories) suppressed(cells *Bits) *Categories {
	return c.with(c.Codes.without(cells))
}

// Regroup returns the column in which code l of from has become mapping[l] of the given levels; mapping has one
// entry per code of from, including missing (0). from is c or c.Unrecoded(). Suppressed cells stay missing even if
// mapping gives missing a level. Labels of codes and other parts of the description remain only for codes that the
// recode keeps as they are.
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

// Differs reports whether a cell differs from that of another column of the same length: in its value, however
// spelled, or in being missing.
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
	return c.Text(record) != from.Text(record) && label(c) != label(from) // the label of a number is one of its spellings
}
