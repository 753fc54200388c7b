package microdata

import (
	"math"
	"slices"
)

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
	if c.each != nil {
		c = c.each
	}
	return c.uncounted && len(c.Categories().Levels) == 0 && c.MissingCount() < c.Records()
}

// Summing returns the column of numbers that are added up over the records of every row, as weights
// are. each says how often single records have which value, see NewUncounted.
func (c *Column) Summing(each *Column) *Column {
	out := c.copy()
	out.each = each
	return out.finish()
}

// Sums reports whether the numbers are added up over the records of every row.
func (c *Column) Sums() bool { return c.each != nil }

// Alone returns the column by itself: where its values are not those of all records of a row, each value
// has a row that stands for the records with it. Rows are then none of the dataset. Values of a
// ManyValued variable are not known.
func (c *Column) Alone() *Column {
	of := c
	if c.each != nil {
		of = c.each
	}
	if !of.uncounted {
		return c
	}
	categories := of.Categories()
	codes, records := []uint32(nil), []uint32(nil)
	for code, count := range categories.Counts() {
		if count > 0 {
			codes, records = append(codes, uint32(code)), append(records, uint32(count))
		}
	}
	alone := NewCategorical(c.name, c.kind, &Categories{Levels: categories.Levels, Codes: CodesOf(codes), Ordered: categories.Ordered})
	return alone.WithDescription(c.description).standingFor(records)
}

// positive reports whether all records of an uncounted column have a positive number, as far as that is known.
func (c *Column) positive() bool {
	counts := c.Categories().Counts()
	for i, level := range c.Categories().Levels {
		if counts[i+1] > 0 && (!(level.Value > 0) || math.IsInf(level.Value, 0)) {
			return false
		}
	}
	return c.Numeric() && counts[0] == 0
}

// OnGroups says why a variable cannot have the role in data whose rows stand for several records each,
// or "" where it can.
func (r Role) OnGroups() string {
	switch r {
	case RoleHousehold, RoleSame:
		return "groups of records do not tell which of them form a household"
	case RoleNumericKey:
		return "groups of records do not tell how near numbers of single records are to each other"
	case RoleKey, RoleWeight, RoleStrata, RolePRAM, RoleSensitive, RoleLinked, RoleRemoved:
	}
	return ""
}
