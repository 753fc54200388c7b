package draw

import (
	"image/color"
	"slices"

	"github.com/charmbracelet/x/ansi"
)

// Style is the look of a single-line text, which must be safe already. The zero value leaves it unchanged.
type Style struct {
	ink, ground color.Color // nil: the terminal's default
	codes       ansi.Style
	before      string // escape sequence of codes, built once because styles are used by the thousand
}

// Render returns the text between the escape sequences that begin and end the style.
func (s Style) Render(text string) string {
	if s.before == "" || text == "" {
		return text
	}
	return s.before + text + ansi.ResetStyle
}

// Fit returns a text in the style, made safe, cut with … or padded to width cells.
func (s Style) Fit(text string, width int) string { return s.Render(Fit(text, width)) }

// Wrapped returns a text in the style, wrapped to lines of at most width cells.
func (s Style) Wrapped(text string, width int) []string { return Wrapped(s.Render, text, width) }

// Append appends a text in the style to lines, wrapped to at most width cells.
func (s Style) Append(lines []string, text string, width int) []string {
	return append(lines, s.Wrapped(text, width)...)
}

// Indented is the function Indented in the style.
func (s Style) Indented(text string, indent, width int) []string {
	return Indented(s.Render, text, indent, width)
}

// inked returns the style with a text colour.
func (s Style) inked(ink color.Color) Style {
	s.ink = ink
	return s.with(ansi.Style{}.ForegroundColor(ink))
}

// on returns the style with a background colour.
func (s Style) on(ground color.Color) Style {
	s.ground = ground
	return s.with(ansi.Style{}.BackgroundColor(ground))
}

// bold returns the style in bold.
func (s Style) bold() Style {
	codes := s.codes
	s.codes = ansi.Style{}.Bold()
	return s.with(codes)
}

func (s Style) with(codes ansi.Style) Style {
	s.codes = append(slices.Clip(s.codes), codes...)
	s.before = s.codes.String()
	return s
}
