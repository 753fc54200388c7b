package views

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Explained explains the numbers of a measure, in their order, or says why there
// are none. was has those of the original data.
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
		what := measure.What{Value: *v, Original: was.Like(e.Spec.Name, v), Values: &e.Values}
		if figure := e.Measure.Explain(what); figure.Name != "" {
			figures = append(figures, SafeFigure(figure))
		}
	}
	return figures
}

// ExplainedAll explains all numbers of a measure.
func ExplainedAll(was measure.Set, e *measure.Entry) []Figure {
	return Explained(was, e, func(*measure.Value) bool { return true })
}

// ExplainedFrom explains all numbers of a measure, those from the first on that is wanted
// before the others.
func ExplainedFrom(was measure.Set, e *measure.Entry, wanted func(v *measure.Value) bool) []Figure {
	reached := false
	first := Explained(was, e, func(v *measure.Value) bool {
		reached = reached || wanted(v)
		return reached
	})
	if e.NotApplicable != "" {
		return first
	}
	reached = false
	return append(first, Explained(was, e, func(v *measure.Value) bool {
		reached = reached || wanted(v)
		return !reached
	})...)
}

// SafeFigure returns a figure whose texts can be drawn: names of variables are in
// some.
func SafeFigure(f Figure) Figure {
	f.Name, f.Value, f.Values = draw.Safe(f.Name), draw.Safe(f.Value), slices.Clone(f.Values)
	for i := range f.Values {
		f.Values[i] = draw.Safe(f.Values[i])
	}
	return f
}

// ExplainShown explains the numbers that measures show in a place: what-ifs, or the screen.
func ExplainShown(s State, after measure.Set, place measure.Place) (figures []Figure) {
	for i := range after {
		if e := &after[i]; e.Spec.Shown&place != 0 {
			figures = append(figures,
				Explained(s.Original.Figures, e, func(v *measure.Value) bool { return v.Hidden&place == 0 })...)
		}
	}
	return figures
}

// HistoryFigures explains the numbers of the history beside those of was, their names with where they are of; on
// request with what they were after each step.
func HistoryFigures(s State, of, was measure.Set, where string, each bool) (figures []Figure) {
	of.Shown(measure.History, func(e *measure.Entry, v *measure.Value) {
		figure := e.Measure.Explain(measure.What{Value: *v, Original: was.Like(e.Spec.Name, v), Values: &e.Values})
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

// RecordFigures explains the figures of a record, then those of the measures that were
// opened and are of the current data; those that a measure begins with are what the
// last one, which stands first here, is made of.
func RecordFigures(s State, record int) []Figure {
	var figures []Figure
	for i := range s.Current.Figures {
		figures = append(figures, ofRecord(&s.Current.Figures[i], record)...)
	}
	for i := range s.Measures {
		if o := &s.Measures[i]; o.Current != nil && !o.Stale {
			figures = append(figures, ofRecord(o.Current, record)...)
		}
	}
	return figures
}

// ofRecord explains what a measure tells of a record.
func ofRecord(e *measure.Entry, record int) (figures []Figure) {
	if e.NotApplicable != "" {
		return nil
	}
	columns := e.Columns()
	for c := range columns {
		column := columns[(c+len(columns)-1)%len(columns)]
		what := measure.What{Column: column.Name, Record: record, Values: &e.Values}
		if figure := e.Measure.Explain(what); figure.Name != "" {
			figures = append(figures, figure)
		}
	}
	return figures
}
