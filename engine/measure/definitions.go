package measure

import (
	"cmp"
	"slices"
)

// Definitions says what numbers of a measure and figures of its records mean, by their names.
type Definitions map[string]Definition

// Definition is what a figure means and its formula; then its name, where that is not the title, and its source,
// where that is not the one of the measure. "" for the meaning stands for the help of the measure.
type Definition [4]string

// Explain explains a number of the measure or a figure of a record; one without a Name says that there is nothing
// to explain. It is the definition, with what the measure says of it.
func (e *Entry) Explain(what What) Explanation {
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
	out := Explanation{Name: cmp.Or(d[2], title), Value: value.Text(), Definition: cmp.Or(d[0], e.Spec.Help),
		Formula: d[1], Values: slices.Clone(e.Values.Notes), Source: cmp.Or(d[3], e.Spec.Cite)}
	if e.Values.Explain != nil {
		e.Values.Explain(&out, &what)
	}
	return out
}

// Chosen returns the variables that a measure looks at: those that are named, or others
// where none is.
func Chosen(named, others []string) []string {
	if len(named) > 0 {
		return named
	}
	return others
}

// Lacking says which of some variables the data do not have; "" where they have all.
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
