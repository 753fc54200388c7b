package measure

import (
	"cmp"
	"slices"
)

// Definitions say what figures mean and how they are computed, by their names: of
// each the meaning and the formula.
type Definitions map[string][2]string

// Explain explains a number, or the figure of a record, by its definition; ok is false
// where it has none.
func (d Definitions) Explain(spec Spec, what What) (e Explanation, ok bool) {
	definition, ok := d[cmp.Or(what.Column, what.Value.Name)]
	if !ok {
		return Explanation{}, false
	}
	e = what.Explained(spec, definition[1])
	e.Definition = definition[0]
	if what.Column != "" {
		c := slices.IndexFunc(spec.Columns, func(column Column) bool { return column.Name == what.Column })
		value := Value{Number: what.Values.Record(c)(what.Record), Unit: spec.Columns[c].Unit}
		e.Name, e.Value = spec.Columns[c].Title, value.Text()
	}
	return e, true
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
