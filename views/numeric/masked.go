package numeric

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Masking draws what a step does to the values of a numeric variable: both distributions, or a scatter plot of
// after against before.
type Masking struct {
	Scatter      bool // the scatter plot
	distribution *NumericDistribution
	scatter      *NumericScatter
}

// NewMasking returns the pictures for a dialog.
func NewMasking() *Masking {
	m := &Masking{distribution: NewNumericDistribution(), scatter: NewNumericScatter()}
	m.distribution.versions = versionNames{"after", "now", "the data now"}
	m.scatter.versions = m.distribution.versions
	return m
}

// stateOf returns a state in which the variable after the step is the current one and the variable before it the
// original.
func (m *Masking) stateOf(s views.State, variable string, before, after *microdata.Dataset) views.State {
	s.Original, s.Current = views.Version{Data: before}, views.Version{Data: after}
	s.Selected.Variable = variable
	return s
}

// Seek computes what is drawn; before and after have the same records.
func (m *Masking) Seek(s views.State, variable string, before, after *microdata.Dataset) views.Piece {
	s = m.stateOf(s, variable, before, after)
	switch {
	case numericVariable(s) != variable:
		return nil
	case m.Scatter:
		return m.scatter.Seek(s)
	}
	return m.distribution.Seek(s)
}

// Lines draws the picture in at most height lines, none if there is no room.
func (m *Masking) Lines(s views.State, variable string, before, after *microdata.Dataset, width, height int) []string {
	const least = 8
	s = m.stateOf(s, variable, before, after)
	if height < least || numericVariable(s) != variable {
		return nil
	}
	head := s.Title.Fit(draw.Shortened(variable), width)
	var p views.Pane = m.distribution
	if m.Scatter {
		p = m.scatter
	}
	lines := strings.Split(p.View(s, width, height-1, false), "\n")
	return append([]string{head}, lines...)
}
