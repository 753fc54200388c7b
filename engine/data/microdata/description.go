package microdata

import (
	"fmt"
	"hash"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
)

// MeasurementLevel is the measurement level of a variable.
type MeasurementLevel string

// The measurement levels; "" if the file does not declare one.
const (
	Nominal MeasurementLevel = "nominal" // unordered
	Ordinal MeasurementLevel = "ordinal" // ordered
	Scale   MeasurementLevel = "scale"   // with distances
)

// Description is the metadata that a file has for a variable: in a statistical file, or in a description or
// codebook that accompanies a text file. It is independent of the file format. It is shared and must not be
// modified.
type Description struct {
	Label   string            // variable label
	Labels  map[string]string // value labels by code
	Missing []string          // declared missing codes; suppressed cells are written with the first
	Level   MeasurementLevel
	Width   int     // width of a cell in characters; 0 if unknown
	Format  string  // display format in the notation of the writing program: "F8.2"
	Layout  string  // display width and alignment in the notation of the writing program: "8 right"
	Content Content // type of values that are neither plain numbers nor plain text
	Stored  string  // storage type in the notation of the file: "byte"; "" if unknown

	MissingRange *[2]float64 // numbers in this closed range are declared missing too; nil if none
	MissingCode  string      // single code of all declared missing values, if they form one category
	MissingLabel string      // label of that code
	EmptyLevel   int         // position, from 1, of the empty text among the levels of the file; 0 if it is none

	Roles       []Role   // declared by the file
	Identifying int      // 1, most identifying, to LeastIdentifying; 0 if not identifying
	Cost        *int     // cost of suppressing a value, 0 to 100; nil if unknown
	Related     []string // variables that are suppressed together with this one

	Primary bool              // is the primary key of its table, unique in each record
	Numbers bool              // has a numeric type, even if no value occurs
	CodeOf  map[string]string // original code, in the file, of a category that was renamed
}

// Content is the type of values that their text alone does not show.
type Content string

// The content types; "" for numbers and texts.
const (
	Dates     Content = "date"      // 2023-03-01
	DateTimes Content = "date-time" // 2023-03-01T08:30:15
	Times     Content = "time"      // 08:30:15
	Truths    Content = "boolean"   // true or false
)

// TypeOf names the type of a variable, given its description: "date", "integer".
func TypeOf(kind Kind, said Description) string {
	if name, ok := map[Content]string{Dates: "date", DateTimes: "date, time", Times: "time",
		Truths: "yes or no"}[said.Content]; ok && kind == Category {
		return name
	}
	return kind.String()
}

// Type names the type of the variable; see TypeOf.
func (c *Column) Type() string { return TypeOf(c.kind, c.Described()) }

// Description returns the description of the variable, or nil if it has none.
func (c *Column) Description() *Description { return c.description }

// Described returns a copy of the description, empty if there is none.
func (c *Column) Described() Description {
	if c.description == nil {
		return Description{}
	}
	return *c.description
}

// Called returns a code followed by its label, if it has one: "1 Arden".
func (d Description) Called(code string) string {
	if meaning := d.Labels[code]; meaning != "" && meaning != code {
		return code + " " + meaning
	}
	return code
}

// WithDescription returns the column with another description. If a recode gives the variable other missing codes,
// cells missing in the source are written with the new code in place of the old.
func (c *Column) WithDescription(description *Description) *Column {
	out := c.copy()
	out.description = description
	return out.finish()
}

// WithLabels returns the description with additional value labels; "" removes a label. d may be nil; the result is
// nil if d is and no label is added.
func (d *Description) WithLabels(labels map[string]string) *Description {
	var was Description
	if d != nil {
		was = *d
	}
	out := was
	out.Labels = map[string]string{}
	maps.Copy(out.Labels, was.Labels)
	for code, label := range labels {
		if out.Labels[code] = label; label == "" {
			delete(out.Labels, code)
		}
	}
	if d == nil && len(out.Labels) == 0 {
		return nil
	}
	return &out
}

// Regrouped returns the description after a mapping of levels; see Column.Regroup. It drops the labels of codes
// that became another code, combines labels where codes were merged, and drops what applies to numbers only if
// numbers became categories. A category that keeps its name keeps its original code.
func (d *Description) Regrouped(before, after []Level, mapping []uint32, ordered bool) *Description {
	if d == nil {
		return nil
	}
	out := *d
	became, stays := staying(before, after, mapping)
	out.Labels = d.labelsKept(before, after, mapping, became, stays)
	out.CodeOf = d.codesKept(before, stays)
	if (d.Numbers || kindOf(before) != Category) && slices.ContainsFunc(after, out.made) {
		if out.Format = ""; d.Level == Scale {
			out.Level = Nominal
			if ordered {
				out.Level = Ordinal
			}
		}
	}
	if out.Level == d.Level && out.Format == d.Format && maps.Equal(out.Labels, d.Labels) &&
		maps.Equal(out.CodeOf, d.CodeOf) {
		return d
	}
	return &out
}

// made reports whether a category of a numeric variable is not a code of the file.
func (d *Description) made(level Level) bool {
	_, stands := d.CodeOf[level.Label]
	return !stands && math.IsNaN(LabelNumber(level.Label)) && !ExtendedMissing(level.Label)
}

// staying returns the number of codes, including missing, that become each code, and for each level before whether
// it alone becomes a level with the same label.
func staying(before, after []Level, mapping []uint32) (became []int, stays []bool) {
	became, stays = make([]int, len(after)+1), make([]bool, len(before))
	for _, code := range mapping {
		became[code]++
	}
	for i, level := range before {
		now := mapping[i+1]
		stays[i] = now != 0 && became[now] == 1 && after[now-1].Label == level.Label
	}
	return became, stays
}

// codesKept returns the original codes of the categories that stay.
func (d *Description) codesKept(before []Level, stays []bool) map[string]string {
	if len(d.CodeOf) == 0 {
		return nil
	}
	kept := map[string]string{}
	for i, level := range before {
		if code, stands := d.CodeOf[level.Label]; stands && stays[i] {
			kept[level.Label] = code
		}
	}
	return kept
}

// Renamed returns the description after levels were renamed one to one. codes are their original codes, "" for
// none. d may be nil.
func (d *Description) Renamed(before, after []Level, codes []string, ordered bool) *Description {
	mapping := stat.InOrder(len(before) + 1)
	var out Description
	if d != nil {
		out = *d.Regrouped(before, after, mapping, ordered)
	}
	out.CodeOf = map[string]string{}
	for i, level := range after {
		if codes[i] != "" && codes[i] != level.Label {
			out.CodeOf[level.Label] = codes[i]
		}
	}
	if d != nil && d.Numbers && !slices.ContainsFunc(after, out.made) {
		out.Level, out.Format = d.Level, d.Format
	}
	return &out
}

// labelsKept returns the labels of codes that stay, and for each merged level the labels of its parts, if all have
// one; missing values that joined it are labelled as such.
func (d *Description) labelsKept(before, after []Level, mapping []uint32, became []int,
	stays []bool) map[string]string {
	if len(d.Labels)+len(d.CodeOf) == 0 {
		return d.Labels
	}
	parts, whole := make([][]string, len(after)+1), make([]bool, len(after)+1) // labels by level; whether all parts have one
	for code := range whole {
		whole[code] = true
	}
	for n := range mapping {
		i := (n + 1) % len(mapping) // missing values last
		code := mapping[i]
		label, known := "missing", true
		if i > 0 {
			name := before[i-1].Label
			if label, known = d.Labels[name]; !known { // the label of a renamed code becomes its name
				_, known = d.CodeOf[name]
				label = name
			}
		}
		if whole[code] = whole[code] && known; known && !slices.Contains(parts[code], label) {
			parts[code] = append(parts[code], label)
		}
	}
	labels := map[string]string{}
	maps.Copy(labels, d.Labels)
	for _, level := range after {
		delete(labels, level.Label) // unless the code stays
	}
	for i, level := range before {
		if !stays[i] {
			delete(labels, level.Label)
		} else if label, known := d.Labels[level.Label]; known {
			labels[level.Label] = label
		}
	}
	for i, level := range after {
		if became[i+1] > 1 && whole[i+1] {
			labels[level.Label] = strings.Join(parts[i+1], ", ")
		}
	}
	return labels
}

// write adds the description to a digest; d may be nil.
func (d *Description) write(h hash.Hash) {
	if d == nil {
		return
	}
	for _, text := range []string{strconv.Itoa(d.Width), d.Label, string(d.Level), d.Format, d.Layout, string(d.Content),
		d.Stored, d.MissingCode, d.MissingLabel, fmt.Sprint(d.MissingRange), fmt.Sprint(d.Numbers)} {
		writeString(h, text)
	}
	for _, code := range d.Missing {
		writeString(h, code)
	}
	for _, texts := range []map[string]string{d.Labels, d.CodeOf} {
		writeString(h, strconv.Itoa(len(texts)))
		for _, key := range slices.Sorted(maps.Keys(texts)) {
			writeString(h, key)
			writeString(h, texts[key])
		}
	}
}
