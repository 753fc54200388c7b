package views

import "github.com/sdcdesk/sdcdesk/engine/measure"

// explained explains the numbers of a measure, in their order, or says why there
// are none.
func explained(s State, e *measure.Entry, shown func(v *measure.Value) bool) []Figure {
	if e.NotApplicable != "" {
		return []Figure{{Name: e.Spec.Title, Value: "not applicable: " + e.NotApplicable, Definition: e.Spec.Help, Source: e.Spec.Cite}}
	}
	var figures []Figure
	for i := range e.Values.Numbers {
		v := &e.Values.Numbers[i]
		if !shown(v) {
			continue
		}
		what := measure.What{Value: *v, Original: s.Original.Figures.Value(e.Spec.Name, v.Name, v.K), Values: &e.Values}
		if figure := e.Measure.Explain(what); figure.Name != "" {
			figures = append(figures, figure)
		}
	}
	return figures
}

// ExplainWhatIf explains the numbers that what-ifs show.
func ExplainWhatIf(s State, after measure.Set) []Figure {
	var figures []Figure
	for i := range after {
		if e := &after[i]; e.Spec.Shown&measure.WhatIf != 0 {
			figures = append(figures, explained(s, e, func(v *measure.Value) bool { return v.Hidden&measure.WhatIf == 0 })...)
		}
	}
	return figures
}

// recordFigures explains the figures of a record; those that a measure begins
// with are what the last one, which stands first here, is made of.
func recordFigures(s State, record int) []Figure {
	var figures []Figure
	for i := range s.Current.Figures {
		e := &s.Current.Figures[i]
		if e.NotApplicable != "" {
			continue
		}
		columns := e.Spec.Columns
		for c := range columns {
			column := columns[(c+len(columns)-1)%len(columns)]
			what := measure.What{Column: column.Name, Record: record, Values: &e.Values}
			if figure := e.Measure.Explain(what); figure.Name != "" {
				figures = append(figures, figure)
			}
		}
	}
	return figures
}
