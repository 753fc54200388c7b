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

// regrouped returns the coding after a mapping of levels, see Column.Regroup:
// without the labels of codes that have become another or were joined by others.
func (c *Coding) regrouped(before, after []Level, mapping []uint32) *Coding {
	if c == nil || len(c.Labels) == 0 {
		return c
	}
	became := make([]int, len(after)+1)
	for _, code := range mapping {
		became[code]++
	}
	labels := make(map[string]string, len(c.Labels))
	maps.Copy(labels, c.Labels)
	for _, level := range after {
		delete(labels, level.Label) // unless it is what it was
	}
	for i, level := range before {
		code := mapping[i+1]
		if code == 0 || became[code] != 1 || after[code-1].Label != level.Label {
			delete(labels, level.Label)
		} else if label, known := c.Labels[level.Label]; known {
			labels[level.Label] = label
		}
	}
	if maps.Equal(labels, c.Labels) {
		return c
	}
	return &Coding{Width: c.Width, Missing: c.Missing, Labels: labels}
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
