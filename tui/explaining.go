package tui

import (
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views"
)

// explained returns what the focused pane can explain: its figures, and the method that
// it shows.
func (m *Model) explained() []views.Figure {
	s, pane := m.state(), m.focused()
	figures := pane.Figures(s)
	if on, ok := pane.(views.OnMethod); ok {
		if spec, known := m.options.Methods.Find(on.Method(s)); known {
			figures = append(figures, methodFigure(&spec))
		}
	}
	if len(figures) > 0 {
		return figures
	}
	for _, spec := range m.options.Measures {
		if shows(pane.ID(), &spec) {
			figures = append(figures, measureFigure(&spec))
		}
	}
	return figures
}

// shows reports whether a pane shows a measure once it is opened, which is explained
// before.
func shows(pane string, spec *measure.Spec) bool {
	switch pane {
	case "numeric-risk":
		return spec.Name == "numericrisk"
	case "suda", "inference":
		return spec.Name == pane
	case "diversity":
		return spec.Name == "ldiversity" || spec.Name == "tcloseness"
	case "open-measures":
		return spec.Shown == 0 // opened one by one
	}
	return false
}

// measureFigure explains a measure that tells nothing yet: what it would tell, its
// parameters and its source.
func measureFigure(spec *measure.Spec) views.Figure {
	f := views.Figure{Name: "The measure: " + spec.Title, Value: spec.Name, Definition: spec.Help, Source: spec.Cite}
	for _, p := range spec.New().Params() {
		f.Values = append(f.Values, p.Name+": "+p.Help)
	}
	return f
}

// methodFigure explains a method: what it does, its parameters and its source.
func methodFigure(spec *method.Spec) views.Figure {
	f := views.Figure{Name: "The method: " + spec.Title, Value: spec.Name, Definition: spec.Help, Source: spec.Cite}
	for _, p := range spec.New().Params() {
		f.Values = append(f.Values, p.Name+": "+p.Help)
	}
	return f
}
