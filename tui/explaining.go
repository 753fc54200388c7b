package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/sdcdesk/sdcdesk/engine/glossary"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// terms explains the terms in the headings of the focused pane.
func (m *Model) terms() (figures []views.Figure) {
	s, pane := m.state(), m.focused()
	const wide = 200 // wide enough for the headings of all columns
	heads := []string{pane.Title(), pane.TitleFor(s)}
	heads = append(heads, strings.SplitN(ansi.Strip(pane.View(s, wide, 3, false)), "\n", 3)[:2]...)
	for _, f := range m.explained() {
		heads = append(heads, f.Name)
	}
	for _, term := range glossary.In(strings.Join(heads, " · ")) {
		figures = append(figures, termFigure(term))
	}
	return figures
}

// termFigure explains a term.
func termFigure(t *glossary.Term) views.Figure {
	return views.Figure{Name: "The term: " + t.Name, Definition: definitionOf(t), Formula: t.Formula, Source: t.Source}
}

// definitionOf returns the definition of a term with its synonyms in the literature.
func definitionOf(t *glossary.Term) string {
	if len(t.Synonyms) == 0 {
		return t.Means
	}
	return t.Means + " Also called: " + strings.Join(t.Synonyms, ", ") + "."
}

// termEntries returns the glossary terms for the palette.
func (m *Model) termEntries() (entries []dialogs.PaletteEntry) {
	terms := glossary.All()
	for i := range terms {
		entries = append(entries, dialogs.PaletteEntry{Name: "Term: " + terms[i].Name, Term: true,
			Words: dialogs.Lower(terms[i].Synonyms, terms[i].Also), Command: func() {
				m.open(dialogs.NewExplain([]views.Figure{termFigure(&terms[i])}))
			}})
	}
	return entries
}

// explained returns what the focused pane can explain: its figures, and its method.
func (m *Model) explained() []views.Figure {
	s, pane := m.state(), m.focused()
	figures := pane.Figures(s)
	if on, ok := pane.(views.OnMethod); ok {
		if spec, known := m.options.Methods.Find(on.Method(s)); known {
			figures = append(figures, unfilled("The method: ", spec.Title, spec.Name, spec.Help, spec.Cite, spec.New().Params()))
		}
	}
	if len(figures) > 0 {
		return figures
	}
	for _, spec := range m.options.Measures {
		if shows(pane.ID(), &spec) {
			figures = append(figures, unfilled("The measure: ", spec.Title, spec.Name, spec.Help, spec.Cite, spec.New().Params()))
		}
	}
	return figures
}

// shows reports whether a pane shows a measure when it is active. The measure is explained before that.
func shows(pane string, spec *measure.Spec) bool {
	switch pane {
	case "numeric-risk":
		return spec.Name == "numericrisk"
	case "suda", "inference":
		return spec.Name == pane
	case "diversity":
		return spec.Name == "ldiversity" || spec.Name == "tcloseness"
	case "open-measures":
		return spec.Shown == 0 // measures activated individually
	}
	return false
}

// unfilled explains a measure without figures, or a method: what it does, its parameters and its source.
func unfilled(what, title, name, help, cite string, params []method.Param) views.Figure {
	f := views.Figure{Name: what + title, Value: name, Definition: help, Source: cite}
	for _, p := range params {
		f.Values = append(f.Values, p.Name+": "+p.Help)
	}
	return f
}
