package microdata

import (
	"hash"
	"maps"
	"slices"
	"strconv"
)

// MeasurementLevel says what can be done with the values of a variable.
type MeasurementLevel string

// The measurement levels; "" where the file does not say one.
const (
	Nominal MeasurementLevel = "nominal" // values are equal or not
	Ordinal MeasurementLevel = "ordinal" // and have an order
	Scale   MeasurementLevel = "scale"   // and distances
)

// Description is what a file says about a variable besides its values: in a
// file of a statistics program, or in a description or codebook beside a text
// file. It belongs to no format. It is shared and must not be changed.
type Description struct {
	Label   string            // what the variable is, in words
	Labels  map[string]string // what codes mean
	Missing []string          // declared codes for missing values; the first is written for cells that became missing
	Level   MeasurementLevel
	Width   int    // characters of a cell; 0: not said
	Format  string // how the program that wrote the file shows values, in its own words: "F8.2"
}

// Description returns what the file says about the variable; nil where it says
// nothing.
func (c *Column) Description() *Description { return c.description }

// Described returns the description as a value: one that says nothing where there
// is none.
func (c *Column) Described() Description {
	if c.description == nil {
		return Description{}
	}
	return *c.description
}

// WithDescription returns the column with another description. A recode that
// gives its variable other missing codes says so with it: cells that the source
// lacks are then written with the new code in the place of the old.
func (c *Column) WithDescription(description *Description) *Column {
	out := c.copy()
	out.description = description
	return out.finish()
}

// Recoded returns the description of the variable with codes of another width,
// other missing codes and other labels: what it is stays what it is, how it was
// shown and measured does not. The description may be nil.
func (d *Description) Recoded(width int, missing []string, labels map[string]string) *Description {
	out := &Description{Width: width, Missing: missing, Labels: labels}
	if d != nil {
		out.Label = d.Label
	}
	return out
}

// regrouped returns the description after a mapping of levels, see
// Column.Regroup: without the labels of codes that have become another or were
// joined by others, and of numbers that became categories without what is true
// of numbers only.
func (d *Description) regrouped(before, after []Level, mapping []uint32, ordered bool) *Description {
	if d == nil {
		return nil
	}
	out := *d
	if d.Level == Scale && kindOf(after) == Category {
		out.Level, out.Format = Nominal, ""
		if ordered {
			out.Level = Ordinal
		}
	}
	out.Labels = d.labelsKept(before, after, mapping)
	if out.Level == d.Level && maps.Equal(out.Labels, d.Labels) {
		return d
	}
	return &out
}

// labelsKept returns the labels of codes that stay what they are.
func (d *Description) labelsKept(before, after []Level, mapping []uint32) map[string]string {
	if len(d.Labels) == 0 {
		return d.Labels
	}
	became := make([]int, len(after)+1)
	for _, code := range mapping {
		became[code]++
	}
	labels := maps.Clone(d.Labels)
	for _, level := range after {
		delete(labels, level.Label) // unless it is what it was
	}
	for i, level := range before {
		code := mapping[i+1]
		if code == 0 || became[code] != 1 || after[code-1].Label != level.Label {
			delete(labels, level.Label)
		} else if label, known := d.Labels[level.Label]; known {
			labels[level.Label] = label
		}
	}
	return labels
}

// write writes all that a description says to a digest; nil says nothing.
func (d *Description) write(h hash.Hash) {
	if d == nil {
		return
	}
	for _, text := range []string{strconv.Itoa(d.Width), d.Label, string(d.Level), d.Format} {
		writeString(h, text)
	}
	for _, code := range d.Missing {
		writeString(h, code)
	}
	for _, code := range slices.Sorted(maps.Keys(d.Labels)) {
		writeString(h, code)
		writeString(h, d.Labels[code])
	}
}
