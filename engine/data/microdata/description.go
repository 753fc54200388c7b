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
	Width   int     // characters of a cell; 0: not said
	Format  string  // how the program that wrote the file shows values, in its own words: "F8.2"
	Layout  string  // how wide that program shows the column, and on which side, in its own words: "8 right"
	Content Content // what the values are that are neither numbers nor plain text
	Stored  string  // how the file stores values, in its own words: "byte"; "" where it does not say

	MissingRange *[2]float64 // numbers from one to the other are declared missing too; nil: none
	MissingCode  string      // the code of all declared missing values, where they are one category
	MissingLabel string      // what that code means by itself
	EmptyLevel   int         // the place of the empty text among the texts that the file lists, from 1; 0: it is none

	Roles       []Role   // that the file gives the variable
	Identifying int      // 1, identifying most, to LeastIdentifying; 0: not
	Cost        *int     // of suppressing a value, 0 to 100; nil: not said
	Related     []string // variables that are suppressed with this one

	Primary bool              // it is the primary key of its table: each record has a value of its own
	Numbers bool              // the values are numbers by their type, even where none of them occurs
	CodeOf  map[string]string // the code of the file that a category stands for, where it was only called otherwise
}

// Content says what the values of a variable are where their spelling alone does
// not tell it.
type Content string

// The contents; "" for numbers and texts.
const (
	Dates     Content = "date"      // 2023-03-01
	DateTimes Content = "date-time" // 2023-03-01T08:30:15
	Times     Content = "time"      // 08:30:15
	Truths    Content = "boolean"   // true or false
)

// TypeOf names the type of a variable, given what the file says of it: "date", "whole
// number".
func TypeOf(kind Kind, said Description) string {
	if name, ok := map[Content]string{Dates: "date", DateTimes: "date, time", Times: "time",
		Truths: "yes or no"}[said.Content]; ok && kind == Category {
		return name
	}
	return kind.String()
}

// Type names the type of the variable, see TypeOf.
func (c *Column) Type() string { return TypeOf(c.kind, c.Described()) }

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

// Called returns a code followed by what it means, where that is said: "1 Arden".
func (d Description) Called(code string) string {
	if meaning := d.Labels[code]; meaning != "" && meaning != code {
		return code + " " + meaning
	}
	return code
}

// WithDescription returns the column with another description. A recode that
// gives its variable other missing codes says so with it: cells that the source
// lacks are then written with the new code in the place of the old.
func (c *Column) WithDescription(description *Description) *Column {
	out := c.copy()
	out.description = description
	return out.finish()
}

// WithLabels returns the description with labels of some codes; "" takes one away. The
// description may be nil, and stays it where no label is added.
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

// Regrouped returns the description after a mapping of levels, see
// Column.Regroup: without the labels of codes that have become another, with
// those of its parts where others joined a code, and of numbers that became categories without what is true
// of numbers only. A category that keeps its name stands for the code of the file
// for which it stood.
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

// made reports whether a category of a numeric variable is no code of the file.
func (d *Description) made(level Level) bool {
	_, stands := d.CodeOf[level.Label]
	return !stands && math.IsNaN(LabelNumber(level.Label)) && !ExtendedMissing(level.Label)
}

// staying returns how many codes, missing included, become each code, and for each level
// before whether it alone becomes one that is called as it is.
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

// codesKept returns the codes of the file for which categories stand that stay.
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

// Renamed returns the description after levels got other names, each its own. codes are
// those of the file for which they stand, "" for none. The description may be nil.
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

// labelsKept returns the labels of codes that stay what they are, and for each
// level that was made of several the labels of its parts, where all have one; missing
// values that joined it are called so.
func (d *Description) labelsKept(before, after []Level, mapping []uint32, became []int,
	stays []bool) map[string]string {
	if len(d.Labels)+len(d.CodeOf) == 0 {
		return d.Labels
	}
	parts, whole := make([][]string, len(after)+1), make([]bool, len(after)+1) // labels by level; whether all have one
	for code := range whole {
		whole[code] = true
	}
	for n := range mapping {
		i := (n + 1) % len(mapping) // missing values last
		code := mapping[i]
		label, known := "missing", true
		if i > 0 {
			name := before[i-1].Label
			if label, known = d.Labels[name]; !known { // one that was renamed is called as it was labelled
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
		delete(labels, level.Label) // unless it is what it was
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

// write writes all that a description says to a digest; nil says nothing.
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
