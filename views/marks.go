package views

import (
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Marked returns the name of a variable with its marks.
func (s State) Marked(name string) string {
	return draw.Shortened(name) + draw.ChangeMark(s.Current.Column(name))
}

// MarkLegend says what the marks of variables mean; "" where none has one.
func (s State) MarkLegend(names []string) string {
	recoded, perturbed := false, false
	for _, name := range names {
		if column := s.Current.Column(name); column != nil {
			recoded, perturbed = recoded || column.Recoded(), perturbed || column.Origin() != 0
		}
	}
	switch {
	case recoded && perturbed:
		return draw.RecodedMark + " recoded  " + draw.PerturbedMark + " drawn anew or disturbed"
	case recoded:
		return draw.RecodedMark + " recoded"
	case perturbed:
		return draw.PerturbedMark + " drawn anew or disturbed"
	}
	return ""
}
