package microdata

import (
	"math"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
)

// Kind is the type of the values of a column.
type Kind uint8

// The kinds of columns.
const (
	Category Kind = iota // texts
	Whole                // integers
	Number               // numbers with decimals
)

// String returns the kind in words: "category", "integer" or "number".
func (k Kind) String() string {
	return [...]string{Category: "category", Whole: "integer", Number: "number"}[k]
}

// Column is one variable of a dataset: immutable, safe for concurrent use.
type Column struct {
	name    string
	kind    Kind
	numbers *Numbers // nil if stored as a dictionary

	description *Description // metadata from the file; nil if none

	source     *Column // the column as read; nil for c itself
	suppressed *Bits   // suppressed cells; nil if none
	ground     *Column // the column that recodes start from; nil for the source
	origin     Origin
	factors    []float64 // see Factors
	draws      []uint64  // seeds of the perturbations of the values

	store *store.Store // where per-record data of the column and of those derived from it is stored; nil for the heap

	multiplicity []int // records that each row stands for; nil if one each

	dictionary func() *Categories
	leveling   *leveling  // of numbers, maybe of those before a change; nil: none
	missing    func() int // number of records
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

// NewNumeric returns a column stored as numbers. Its dictionary is built on first use.
func NewNumeric(name string, kind Kind, numbers *Numbers) *Column {
	c := &Column{name: name, kind: kind, numbers: numbers}
	c.level()
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

// Name returns the name of the variable, unique in its dataset.
func (c *Column) Name() string { return c.name }

// Kind returns the type of the values.
func (c *Column) Kind() Kind { return c.kind }

// Len returns the number of rows.
func (c *Column) Len() int {
	if c.numbers != nil {
		return len(c.numbers.Values)
	}
	return c.dictionary().Codes.Len()
}

// Categories returns the dictionary form of the column. For a column stored as numbers it is built on first use in
// O(n log n) time, and kept.
func (c *Column) Categories() *Categories { return c.dictionary() }

// Unlabelled returns the categories for callers that need no labels, which take long to format: a column stored as
// numbers may have none. Numbers.Label returns the label of a level.
func (c *Column) Unlabelled() *Categories {
	if l := c.leveling; l != nil && l.numbers == c.numbers && c.multiplicity == nil {
		return l.withoutLabels()
	}
	return c.dictionary()
}

// Numeric reports whether the values are numbers. A column without any value counts as numeric too, so that
// scripts can treat it as either.
func (c *Column) Numeric() bool {
	return c.kind != Category || c.numbers == nil && len(c.dictionary().Levels) == 0 && c.Valueless()
}

// Valueless reports whether the source column has no value in any record.
func (c *Column) Valueless() bool {
	return (c.source == nil || c.source.Valueless()) && c.MissingCount() == c.Len()
}

// StoredAsNumbers returns the storage of a column of numbers, or nil if the column is stored as a dictionary.
func (c *Column) StoredAsNumbers() *Numbers { return c.numbers }

// Missing reports whether the cell is missing.
func (c *Column) Missing(record int) bool {
	if c.numbers != nil {
		return math.IsNaN(c.numbers.Values[record])
	}
	return c.dictionary().Codes.At(record) == 0
}

// MissingCount returns the number of records with a missing cell. It is counted on first use.
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

// Float returns the cell as a number, or NaN if it is missing or not a number.
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

// AppendText appends the text of a cell, with a decimal point; nothing for a missing cell.
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

// Text returns the text of a cell, or "" if it is missing.
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

// copy returns a copy without cached values such as the hash. The caller modifies it and calls finish.
func (c *Column) copy() *Column {
	out := *c
	return &out
}
