// Package recode has the methods that make values coarser. Most of them map the levels of one variable: recode by
// intervals and hierarchies, merging, splitting, renaming and ordering of levels, top and bottom coding, rounding.
// These implement method.Regrouper: Regroup returns the mapping from the levels only, and method.Apply applies the
// same mapping to the records, so that a what-if and the step cannot differ. Multivariate top coding moves
// outlying records of several numeric variables.
//
//	ages := recode.Intervals{Variable: "age", Breaks: []float64{-1, 4, 14, 24, 99}}
//	out, err := method.Apply(ctx, &ages, method.Input{Data: data, Scenario: &scenario}, nil)
//	fmt.Println(out.Report.Title) // intervals age: 0-4, 5-14, 15-24, …
package recode

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// variableParam returns the variable parameter of all methods in this package. The weight and the household ID
// cannot be recoded, except for the allowed roles.
func variableParam(field *string, allowed ...microdata.Role) method.Param {
	return method.Variable(field, "variable", "variable to recode").Refusing(func(name string,
		s *microdata.Scenario) string {
		return notRecoded(name, s, allowed...)
	})
}

// notRecoded returns why a variable cannot be recoded, or "".
func notRecoded(name string, s *microdata.Scenario, allowed ...microdata.Role) string {
	switch {
	case s.Has(name, microdata.RoleWeight) && !slices.Contains(allowed, microdata.RoleWeight):
		return fmt.Sprintf("%q is the sampling weight, which must stay numeric; recode another variable, or remove the weight from the "+
			"scenario", name)
	case s.Has(name, microdata.RoleHousehold) && !slices.Contains(allowed, microdata.RoleHousehold):
		return fmt.Sprintf("%q has the household IDs, and recoding it would merge households; recode another variable, or remove this "+
			"one from the protected file", name)
	}
	return ""
}

// placesOf returns the indices of the levels with the given labels.
func placesOf(column *microdata.Column, param string, labels ...string) ([]int, error) {
	all := make(map[string]int, len(column.Categories().Levels))
	for i, level := range column.Categories().Levels {
		all[level.Label] = i
	}
	places := make([]int, len(labels))
	for i, label := range labels {
		var ok bool
		if places[i], ok = all[label]; !ok {
			return nil, method.ParamError("%q: %q has no category %q", param, column.Name(),
				wording.Excerpt(label))
		}
	}
	return places, nil
}

// into returns a recode of a column to new levels. code returns the new level of each old one, from 1, or 0 for
// missing. The new levels are ordered if the old ones were and each new level consists of neighbours.
func into(target, from *microdata.Column, levels []microdata.Level, code func(place int) uint32) method.Regrouping {
	before := from.Categories()
	r := method.Regrouping{Target: target, From: from, Levels: levels, Mapping: make([]uint32, len(before.Levels)+1)}
	for place := range before.Levels {
		r.Mapping[place+1] = code(place)
	}
	r.Ordered = before.Ordered && ascending(r.Mapping)
	return r
}

// mapped is into for new levels identified by their labels; a level without a label becomes missing. The new
// levels are in the given order or, if none is given, at the position of their first part.
func mapped(target, from *microdata.Column, after []microdata.Level, levels ...microdata.Level) method.Regrouping {
	before := from.Categories().Levels
	missing := func(place int) bool { return after[place].Label == "" && before[place].Label != "" }
	if levels == nil {
		for place, level := range after {
			if !missing(place) {
				levels = append(levels, level)
			}
		}
	}
	var distinct []microdata.Level
	codes := make(map[string]uint32, len(levels))
	for _, level := range levels {
		if _, known := codes[level.Label]; !known {
			distinct = append(distinct, level)
			codes[level.Label] = uint32(len(distinct))
		}
	}
	return into(target, from, distinct, func(place int) uint32 {
		if missing(place) {
			return 0
		}
		return codes[after[place].Label]
	})
}

// numbered is mapped for numbers, which are sorted in ascending order.
func numbered(target *microdata.Column, after []microdata.Level) method.Regrouping {
	r := mapped(target, target, after, slices.SortedStableFunc(slices.Values(after), microdata.Level.Compare)...)
	r.Ordered = true
	return r
}

// ascending reports whether a mapping keeps the order of the levels that do not become missing.
func ascending(mapping []uint32) bool {
	kept := slices.DeleteFunc(slices.Clone(mapping[1:]), func(code uint32) bool { return code == 0 })
	return slices.IsSorted(kept)
}

// labelSpan returns the span used to label an interval. For integers it has the first and the last integer inside:
// "1-9", "5" for a single one, "-5 to -1" if an end is negative. For other numbers, and if the interval contains
// no integer, it has the ends and brackets: "(0,9]", closed "[0,9]", "[0,9)".
func labelSpan(s microdata.Span, whole bool) microdata.Span {
	first, last := math.Ceil(s.Lower), math.Floor(s.Upper)
	if s.Open {
		first = math.Floor(s.Lower) + 1
	}
	if s.OpenAbove {
		last = math.Ceil(s.Upper) - 1
	}
	if !whole || first > last || first < -method.MostWhole || last > method.MostWhole {
		s.First, s.Last, s.Bracket = numberLabel(s.Lower), numberLabel(s.Upper), true
		return s
	}
	return microdata.Span{First: numberLabel(first), Last: numberLabel(last)}
}

// spanLabel returns the label of a span, in the notation that microdata.Level.Span parses: "5", "60-69", "-5 to
// -1", "(0,9]", "[0,9)", and for open spans "80+", ">80", "<=4", "<4".
func spanLabel(s microdata.Span) string {
	lower, upper := "[", "]"
	if s.Open {
		lower = "("
	}
	if s.OpenAbove {
		upper = ")"
	}
	switch {
	case s.First == "" && s.OpenAbove:
		return "<" + s.Last
	case s.First == "":
		return "<=" + s.Last
	case s.Last == "" && s.Open:
		return ">" + s.First
	case s.Last == "":
		return s.First + "+"
	case s.Bracket:
		return lower + s.First + "," + s.Last + upper
	case s.First == s.Last:
		return s.First
	case strings.HasPrefix(s.First, "-") || strings.HasPrefix(s.Last, "-"):
		return s.First + " to " + s.Last
	default:
		return s.First + "-" + s.Last
	}
}

// numberLabel returns the shortest notation of a number that parses to the same value.
func numberLabel(x float64) string {
	if x == 0 {
		return "0" // never "-0"
	}
	if size := math.Abs(x); size >= 1e15 || size < 1e-6 {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// levelOf returns a level with the given label, with a numeric value if the label is a number.
func levelOf(label string) microdata.Level {
	return microdata.Level{Label: label, Value: microdata.LabelNumber(label)}
}

// signed reports whether a label is a number with a sign.
func signed(label string) bool {
	return (strings.HasPrefix(label, "-") || strings.HasPrefix(label, "+")) && !math.IsNaN(microdata.LabelNumber(label))
}

// levelsCalled returns levels with the given labels.
func levelsCalled(labels []string) []microdata.Level {
	levels := make([]microdata.Level, len(labels))
	for i := range labels {
		levels[i] = levelOf(labels[i])
	}
	return levels
}

func labelsOf(levels []microdata.Level) []string {
	labels := make([]string, len(levels))
	for i := range levels {
		labels[i] = levels[i].Label
	}
	return labels
}

// cleanLabel returns a label without surrounding blanks. A control character, such as a line break, is an error.
func cleanLabel(param, label string) (string, error) {
	return strings.TrimSpace(label), checkLabel(param, label)
}

// checkLabel reports a label with a control character, which would break lines in files and on the screen.
func checkLabel(param, label string) error {
	if strings.ContainsFunc(label, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) }) {
		return method.ParamError("%q: a label contains a control character, such as a tab or a line break; remove it", param)
	}
	return nil
}

// cleanLabels is cleanLabel for a list. Empty and duplicate labels are errors.
func cleanLabels(param string, labels []string) ([]string, error) {
	clean := make([]string, len(labels))
	for i, label := range labels {
		var err error
		if clean[i], err = cleanLabel(param, label); err != nil {
			return nil, err
		}
	}
	return clean, distinctLabels(param, clean)
}

// distinctLabels reports an empty or duplicate label of a list.
func distinctLabels(param string, labels []string) error {
	seen := make(map[string]bool, len(labels))
	for i, label := range labels {
		if label == "" {
			return method.ParamError("%q: label %d is empty", param, i+1)
		}
		if seen[label] {
			return method.ParamError("%q: label %d, %q, is given twice", param, i+1,
				wording.Excerpt(label))
		}
		seen[label] = true
	}
	return nil
}

// shownLabels is the maximum number of labels in a title.
const shownLabels = 3

// list joins the first few labels.
func list(labels []string) string {
	if len(labels) <= shownLabels {
		return strings.Join(labels, ", ")
	}
	return strings.Join(labels[:shownLabels], ", ") + ", …"
}

// named removes labels from categories of a numeric variable that the user named, because the names are their
// meaning. For a text variable the names are codes, and their labels are built from those of their parts.
func named(r *method.Regrouping, names ...string) {
	said, source := r.Said(), r.Target.Source()
	if said == nil || !said.Numbers && !source.Numeric() {
		return
	}
	labels := map[string]string{}
	for _, name := range names {
		if !levelOf(name).NumberLevel() {
			labels[name] = ""
		}
	}
	r.Description = said.WithLabels(labels)
}

// described returns the description of the levels after a mapping, with additional labels, of which "" removes
// one, and with the file's codes for renamed levels.
func described(r *method.Regrouping, labels, codes map[string]string) *microdata.Description {
	said := r.Said().WithLabels(labels)
	if said == nil {
		said = &microdata.Description{}
	}
	was := said.CodeOf
	said.CodeOf = map[string]string{}
	maps.Copy(said.CodeOf, was)
	maps.Copy(said.CodeOf, codes)
	return said
}
