package microdata

import (
	"hash"
	"maps"
	"slices"
	"strconv"
)

// Coding says how the codes of a variable stand in a file whose description
// gives each variable a field of its own. It is shared and must not be changed.
type Coding struct {
	Width   int               // characters of the field; 0: not known
	Missing []string          // codes for missing values; the first is written for cells that became missing
	Labels  map[string]string // what codes mean, where a code list says it
}

// Coding returns how the codes of the variable are written; nil where the file
// has no description of its variables.
func (c *Column) Coding() *Coding { return c.coding }

// WithCoding returns the column with another coding. A recode that gives its
// variable other missing codes says so with it: cells that the source lacks are
// then written with the new code in the place of the old.
func (c *Column) WithCoding(coding *Coding) *Column {
	out := c.copy()
	out.coding = coding
	return out.finish()
}

// write writes all that a coding says to a digest; nil says nothing.
func (c *Coding) write(h hash.Hash) {
	if c == nil {
		return
	}
	writeString(h, strconv.Itoa(c.Width))
	for _, code := range c.Missing {
		writeString(h, code)
	}
	for _, code := range slices.Sorted(maps.Keys(c.Labels)) {
		writeString(h, code)
		writeString(h, c.Labels[code])
	}
}

// respelled returns how a missing cell of the source is written now: the first
// missing code of the source has become the first of the column, and so on; of
// a column with fewer codes the last.
func (c *Column) respelled(source *Column, spelling string) string {
	if c.coding == source.coding || c.coding == nil || source.coding == nil || len(c.coding.Missing) == 0 {
		return spelling
	}
	place := slices.Index(source.coding.Missing, spelling)
	if place < 0 {
		return spelling
	}
	return c.coding.Missing[min(place, len(c.coding.Missing)-1)]
}
