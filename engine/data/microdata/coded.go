package microdata

import (
	"slices"
	"strconv"
)

// Coded reports whether the file labels the values of a variable as categories, whether or not they are numbers.
func (c *Column) Coded() bool {
	labels := c.Described().Labels
	if len(labels) == 0 {
		return false
	}
	categories := c.Categories()
	for i, count := range categories.Counts()[1:] {
		if count > 0 && labels[categories.Levels[i].Label] == "" {
			return false
		}
	}
	return true
}

// Codes from 0 to mostCode with at most mostCodes distinct values may be categories.
const (
	mostCode  = 99
	mostCodes = 20
)

// MayBeCodes reports whether the values may be codes without an order: integers that the file labels, or that are
// few and small, unless the file declares an order. Counts with few values are included, because nothing
// distinguishes them from codes.
func (c *Column) MayBeCodes() bool {
	level := c.Described().Level
	switch {
	case c.kind != Whole || level == Ordinal || level == Scale:
		return false
	case c.Coded():
		return true
	}
	categories := c.Categories()
	counts, occurring := categories.Counts(), 0
	for i, of := range categories.Levels {
		if counts[i+1] > 0 {
			if occurring++; of.Value < 0 || of.Value > mostCode || occurring > mostCodes {
				return false
			}
		}
	}
	return true
}

// InOrder reports whether the order of the values is meaningful: they are amounts, or ordered categories. An empty
// column counts as one of amounts.
func (c *Column) InOrder() bool {
	return c.StoredAsNumbers() != nil || c.Categories().Ordered || c.Numeric() && c.kind == Category
}

// Amounts reports whether the values are numbers, but not codes without an order.
func (c *Column) Amounts() bool { return c.Numeric() && c.InOrder() }

// MissingNumbers are the numbers that a description declares missing.
type MissingNumbers struct {
	codes   []float64
	between *[2]float64
}

// MissingNumbers returns the declared missing numbers; d may be nil.
func (d *Description) MissingNumbers() MissingNumbers {
	if d == nil {
		return MissingNumbers{}
	}
	m := MissingNumbers{between: d.MissingRange}
	for _, code := range d.Missing {
		m.codes = append(m.codes, LabelNumber(code))
	}
	return m
}

// None reports whether no number is declared missing.
func (m *MissingNumbers) None() bool { return len(m.codes) == 0 && m.between == nil }

// Has reports whether a number is declared missing.
func (m *MissingNumbers) Has(number float64) bool {
	return slices.Contains(m.codes, number) || m.between != nil && number >= m.between[0] && number <= m.between[1]
}

// DeclaredMissing returns a function that reports whether the file declares a category missing, by its original
// code or as an extended missing value. d may be nil.
func (d *Description) DeclaredMissing() func(category string) bool {
	if d == nil {
		return func(string) bool { return false }
	}
	numbers := d.MissingNumbers()
	return func(category string) bool {
		code := category
		if of, stands := d.CodeOf[category]; stands && d.Numbers {
			code = of
		}
		if slices.Contains(d.Missing, code) || !d.Numbers {
			return slices.Contains(d.Missing, code)
		}
		number := LabelNumber(code)
		return ExtendedMissing(code) || numbers.Has(number) && strconv.FormatFloat(number, 'f', -1, 64) == code
	}
}

// ExtendedMissing reports whether a code is an extended missing value such as ".a".
func ExtendedMissing(code string) bool {
	return len(code) == 2 && code[0] == '.' && (code[1] >= 'a' && code[1] <= 'z' || code[1] == '_')
}
