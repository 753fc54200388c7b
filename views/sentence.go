package views

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// sentence fills a pane that has nothing to show with a plain sentence.
func sentence(s State, text string, width, height int) string {
	return Exactly(strings.Join(indented(s.Theme.Faint.Render, text, 1, width), "\n"), width, height)
}

// indented draws a text in lines of width cells, of which so many stay free on
// the left and one on the right.
func indented(render func(...string) string, text string, indent, width int) []string {
	lines := Wrapped(render, text, max(1, width-indent-1))
	for i := range lines {
		lines[i] = strings.Repeat(" ", indent) + lines[i]
	}
	return lines
}

// fresh returns the style of a figure, faint while it is being recalculated.
func fresh(s State, style *lipgloss.Style) *lipgloss.Style {
	if s.Stale {
		return &s.Theme.Faint
	}
	return style
}
