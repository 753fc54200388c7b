package measure

import (
	"cmp"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Definitions maps the names of a measure's numbers and record figures to their definitions.
type Definitions map[string]Definition

// Definition holds the meaning of a figure, its formula, its name if different from the title, and its source if
// different from that of the measure. An empty meaning stands for the help of the measure.
type Definition [4]string

// Explain explains a number of the measure or a figure of a record: its definition and what the measure adds. An
// Explanation without a Name means that there is none.
func (e *Entry) Explain(what FigureKey) Explanation {
	d, ok := e.Spec.Definitions[what.Figure()]
	if !ok && (e.Spec.Definitions != nil || e.Values.Explain == nil) {
		return Explanation{}
	}
	title, value := what.Value.Title, what.Value
	if what.Column != "" {
		columns := e.Columns()
		what.Place = slices.IndexFunc(columns, func(column Column) bool { return column.Name == what.Column })
		figure := e.Values.Record(what.Place)
		if figure == nil {
			return Explanation{}
		}
		title, value = columns[what.Place].Title, Value{Number: figure(what.Record), Unit: columns[what.Place].Unit}
	}
	out := Explanation{Name: wording.Capital(cmp.Or(d[2], title)), Value: value.Text(), Definition: cmp.Or(d[0], e.Spec.Help),
		Formula: d[1], Values: slices.Clone(e.Values.Notes), Source: cmp.Or(d[3], e.Spec.Cite)}
	if e.Values.Explain != nil {
		e.Values.Explain(&out, &what)
	}
	return out
}

// Chosen returns the named variables, or others if none is named.
func Chosen(named, others []string) []string {
	if len(named) > 0 {
		return named
	}
	return others
}

// Lacking returns an error text for the first of the variables that the data does not have, or "" if it has all.
func (in Input) Lacking(names []string) string {
	for _, name := range names {
		for _, version := range []*Version{in.Original, in.Current} {
			if _, ok := version.Data().Column(name); !ok {
				return "the file has no variable " + name
			}
		}
	}
	return ""
}
