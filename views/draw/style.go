package draw

import (
	"image/color"
	"slices"

	"github.com/charmbracelet/x/ansi"
)

// Style is how a text of one line looks. The text is drawable already; the zero
// value leaves it as it is.
type Style struct {
	ink, ground color.Color // nil: those of the terminal
	codes       ansi.Style
	before      string // the sequence of the codes, made once: styles are drawn with by the thousand
}

// Render returns the text between the sequence that begins the style and the one
// that ends it.
func (s Style) Render(text string) string {
	if s.before == "" || text == "" {
		return text
	}
	return s.before + text + ansi.ResetStyle
}

// Fit returns a text in the style, made safe, cut with … or padded to width cells.
func (s Style) Fit(text string, width int) string { return s.Render(Fit(text, width)) }

// Wrapped returns a text in the style, broken into lines of width cells at most.
func (s Style) Wrapped(text string, width int) []string { return Wrapped(s.Render, text, width) }

// Append appends a text in the style to lines, broken into such of width cells at most.
func (s Style) Append(lines []string, text string, width int) []string {
	return append(lines, s.Wrapped(text, width)...)
}

// Indented returns a text in the style as Indented does.
func (s Style) Indented(text string, indent, width int) []string {
	return Indented(s.Render, text, indent, width)
}

// inked returns the style in a colour.
func (s Style) inked(ink color.Color) Style {
	s.ink = ink
	return s.with(ansi.Style{}.ForegroundColor(ink))
}

// on returns the style before a ground.
func (s Style) on(ground color.Color) Style {
	s.ground = ground
	return s.with(ansi.Style{}.BackgroundColor(ground))
}

// bold returns the style in bold letters.
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
