package microdata

import "slices"

// NewUncounted returns the column of a variable that the groups of a grouped dataset are not
// counted by: how often it has which value is known, as the levels and counts say, but not in
// which row. counts has that of missing cells first. Figures of single variables are right; its
// cells read as missing. No step can be made on it.
func NewUncounted(name string, kind Kind, levels []Level, counts []int, rows int) *Column {
	c := &Column{name: name, kind: kind, uncounted: true}
	categories := &Categories{Levels: levels, Codes: NewCodes(rows, 0), Ordered: kind != Category, known: slices.Clone(counts)}
	c.dictionary = func() *Categories { return categories }
	return c.finish()
}

// Uncounted reports whether the rows are not counted by the variable, see NewUncounted.
func (c *Column) Uncounted() bool { return c.uncounted }

// ManyValued reports whether the variable is not counted, and has so many values that nobody knows them.
func (c *Column) ManyValued() bool {
	return c.uncounted && len(c.Categories().Levels) == 0 && c.MissingCount() < c.Records()
}
