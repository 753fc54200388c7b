package microdata

import (
	"math"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
)

// Kind says what the values of a column are.
type Kind uint8

// The kinds of columns.
const (
	Category Kind = iota // text: the levels have labels only
	Whole                // whole numbers
	Number               // numbers with decimals
)

// String returns the kind in words: "category", "whole number" or "number".
func (k Kind) String() string {
	return [...]string{Category: "category", Whole: "whole number", Number: "number"}[k]
}

// Column is one variable of a dataset: immutable, safe for concurrent use.
type Column struct {
	name    string
	kind    Kind
	numbers *Numbers // nil: stored as a dictionary

	description *Description // what the file says about the variable; nil: nothing

	source     *Column // the column as read; nil: this one
	suppressed *Bits   // cells that suppression made missing; nil: none
	ground     *Column // what recodes start from; nil: the source
	origin     Origin
	factors    []float64 // see Factors
	draws      []uint64  // seeds that values were drawn anew with

	store *store.Store // of the cells, and those of the columns that are made of this one; nil: the heap

	multiplicity []int // records that each row stands for; nil: one

	dictionary func() *Categories
	missing    func() int // records
	unrecoded  func() *Column
	hash       func() [32]byte
	identity   func() [32]byte
	lineage    func() [32]byte
}

// NewCategorical returns a column stored as a dictionary.
func NewCategorical(name string, kind Kind, categories *Categories) *Column {
	c := &Column{name: name, kind: kind}
	c.dictionary = func() *Categories { return categories }
	return c.finish()
}

// NewNumeric returns a column stored as numbers. Its dictionary is made when
// it is first asked for.
func NewNumeric(name string, kind Kind, numbers *Numbers) *Column {
	c := &Column{name: name, kind: kind, numbers: numbers}
	c.dictionary = c.leveled()
	return c.finish()
}

func (c *Column) finish() *Column {
	c.weigh()
	c.missing = sync.OnceValue(c.countMissing)
	c.unrecoded = sync.OnceValue(c.makeUnrecoded)
	c.hash = sync.OnceValue(c.makeHash)
	c.identity = sync.OnceValue(c.makeIdentity)
	c.lineage = sync.OnceValue(c.makeLineage)
	return c
}

// Name returns the variable's name, unique in its dataset.
func (c *Column) Name() string { return c.name }

// Kind says what the values are.
func (c *Column) Kind() Kind { return c.kind }

// Len returns the number of rows.
func (c *Column) Len() int {
	if c.numbers != nil {
		return len(c.numbers.Values)
	}
	return c.dictionary().Codes.Len()
}

// Categories returns the dictionary form of the column. For a column of
// numbers it is made at the first call, in O(n log n), and kept.
func (c *Column) Categories() *Categories { return c.dictionary() }

// Numeric reports whether the values are numbers. A column that is read without any value
// is as good as one of numbers as of text: what a file does not say, a script decides.
func (c *Column) Numeric() bool {
	return c.kind != Category || c.numbers == nil && len(c.dictionary().Levels) == 0 && c.Valueless()
}

// Valueless reports whether a column as it is read has no value in any record, whatever steps did to it.
func (c *Column) Valueless() bool {
	return (c.source == nil || c.source.Valueless()) && c.MissingCount() == c.Len()
}

// StoredAsNumbers returns the storage of a column of numbers; nil where the
// column is stored as a dictionary.
func (c *Column) StoredAsNumbers() *Numbers { return c.numbers }

// Missing reports whether the cell is missing.
func (c *Column) Missing(record int) bool {
	if c.numbers != nil {
		return math.IsNaN(c.numbers.Values[record])
	}
	return c.dictionary().Codes.At(record) == 0
}

// MissingCount returns the number of records with a missing cell. They are counted when
// it is first asked for.
func (c *Column) MissingCount() int { return c.missing() }

func (c *Column) countMissing() int {
	if c.numbers == nil {
		return c.dictionary().Counts()[0]
	}
	count := 0
	for row, value := range c.numbers.Values {
		if math.IsNaN(value) {
			count += c.RecordsAt(row)
		}
	}
	return count
}

// Float returns the cell as a number; NaN where it is missing or no number.
func (c *Column) Float(record int) float64 {
	if c.numbers != nil {
		return c.numbers.Values[record]
	}
	categories := c.dictionary()
	code := categories.Codes.At(record)
	if code == 0 {
		return math.NaN()
	}
	return categories.Levels[code-1].Value
}

// AppendText appends the spelling of a cell, with a point as decimal mark; a
// missing cell appends nothing.
func (c *Column) AppendText(dst []byte, record int) []byte {
	if c.Missing(record) {
		return dst
	}
	if c.numbers != nil {
		return c.numbers.appendText(dst, record)
	}
	categories := c.dictionary()
	return append(dst, categories.Levels[categories.Codes.At(record)-1].Label...)
}

// Text returns the spelling of a cell; "" where it is missing.
func (c *Column) Text(record int) string {
	if c.numbers == nil {
		categories := c.dictionary()
		if code := categories.Codes.At(record); code != 0 {
			return categories.Levels[code-1].Label
		}
		return ""
	}
	return string(c.AppendText(nil, record))
}

// copy returns a column with the same contents and no memory of its own hash;
// the caller changes what it wants and calls finish.
func (c *Column) copy() *Column {
	out := *c
	return &out
}
