package views

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// Explained explains the figures of a measure in their order, or why it does not apply. was has the figures of the
// original data.
func Explained(was measure.Set, e *measure.Entry, shown func(v *measure.Value) bool) []Figure {
	if e.NotApplicable != "" {
		return []Figure{{Name: e.Spec.Title, Value: "not applicable: " + e.NotApplicable, Definition: e.Spec.Help,
			Source: e.Spec.Cite}}
	}
	var figures []Figure
	for i := range e.Values.Numbers {
		v := &e.Values.Numbers[i]
		if !shown(v) {
			continue
		}
		if figure := ExplainedValue(was, e, v); figure.Name != "" {
			figures = append(figures, figure)
		}
	}
	return figures
}

// ExplainedValue explains one figure of a measure. The result has no name if there is nothing to explain.
func ExplainedValue(was measure.Set, e *measure.Entry, v *measure.Value) Figure {
	return e.Explain(measure.FigureKey{Value: *v, Original: was.Like(e.Spec.Name, v)})
}

// ExplainedAll explains all figures of a measure.
func ExplainedAll(was measure.Set, e *measure.Entry) []Figure {
	return Explained(was, e, func(*measure.Value) bool { return true })
}

// ExplainedFrom explains all figures of a measure, starting with the first wanted one; those before it come last.
func ExplainedFrom(was measure.Set, e *measure.Entry, wanted func(v *measure.Value) bool) []Figure {
	all, reached := ExplainedAll(was, e), false
	others := Explained(was, e, func(v *measure.Value) bool {
		reached = reached || wanted(v)
		return !reached
	})
	return slices.Concat(all[len(others):], others)
}

// ExplainShown explains the figures that measures show in a place, such as what-ifs or the screen.
func ExplainShown(s State, after measure.Set, place measure.Place) (figures []Figure) {
	for i := range after {
		if e := &after[i]; e.Spec.Shown&place != 0 {
			figures = append(figures,
				Explained(s.Original.Figures, e, func(v *measure.Value) bool { return v.Hidden&place == 0 })...)
		}
	}
	return figures
}

// HistoryFigures explains the figures of the history and compares them with was. where is appended to their names;
// each adds their values after each step.
func HistoryFigures(s State, of, was measure.Set, where string, each bool) (figures []Figure) {
	of.Shown(measure.History, func(e *measure.Entry, v *measure.Value) {
		figure := ExplainedValue(was, e, v)
		if figure.Name == "" {
			return
		}
		figure.Name += where
		if text := HistoryOf(s, e.Spec.Name, v); each && text != "" {
			figure.Values = append(figure.Values, "after each step: "+text)
		}
		figures = append(figures, figure)
	})
	return figures
}

// RecordFigures explains the figures of a record, then those of the active measures that are up to date. For each
// measure its last column comes first, because the other columns are what it is made of.
func RecordFigures(s State, record int) (figures []Figure) {
	entries := slices.Clone(s.Current.Figures)
	for i := range s.Measures {
		if o := &s.Measures[i]; o.Current != nil && !o.Stale {
			entries = append(entries, *o.Current)
		}
	}
	for i := range entries {
		e := &entries[i]
		if e.NotApplicable != "" {
			continue
		}
		columns := e.Columns()
		for c := range columns {
			column := columns[(c+len(columns)-1)%len(columns)]
			what := measure.FigureKey{Column: column.Name, Record: record}
			if figure := e.Explain(what); figure.Name != "" {
				figures = append(figures, figure)
			}
		}
	}
	return figures
}
