package views

import (
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Theme is one set of styles, named by what they mean. Every meaning can also
// be read without colour: by a mark, a word, or its place.
type Theme struct {
	Name string

	Plain, Faint, Strong   lipgloss.Style
	Title, Heading         lipgloss.Style
	Selected, SelectedIdle lipgloss.Style // the cursor in the focused pane and in others
	Marked                 lipgloss.Style // chosen for a merge
	Low, Middle, High      lipgloss.Style // risk
	Changed                lipgloss.Style // differs from the original
	Suppressed             lipgloss.Style // made missing by a step
	Frame, FrameFocused    lipgloss.Style
	Key, KeyText           lipgloss.Style // a key of the bottom line and what it does
	Tab, TabActive         lipgloss.Style
	Heat                   [6]lipgloss.Style // shares from none to more than half
	Bar, BarOriginal       lipgloss.Style
	Error, Warning, Good   lipgloss.Style
}

// palette is the colours of a theme.
type palette struct {
	name                                 string
	text, faint, strong, title, accent   color.Color
	selected, selectedText, idle         color.Color
	low, middle, high, changed, suppress color.Color
	frame, bar, original                 color.Color
	heat                                 [4]color.Color
}

func darkPalette() palette {
	c := lipgloss.Color
	return palette{
		name: "dark", text: c("#d8dee9"), faint: c("#7b8598"), strong: c("#ffffff"), title: c("#8fbcff"), accent: c("#8fbcff"),
		selected: c("#3b5b92"), selectedText: c("#ffffff"), idle: c("#3d4350"),
		low: c("#8fce6e"), middle: c("#e8c34c"), high: c("#f2726f"), changed: c("#6fb3ff"), suppress: c("#d889e8"),
		frame: c("#4c566a"), bar: c("#6f9bd8"), original: c("#7b8598"),
		heat: [4]color.Color{c("#1f3350"), c("#274670"), c("#2f5a92"), c("#3a70b8")},
	}
}

func lightPalette() palette {
	c := lipgloss.Color
	return palette{
		name: "light", text: c("#222222"), faint: c("#5f6672"), strong: c("#000000"), title: c("#1d4f9c"), accent: c("#1d4f9c"),
		selected: c("#bcd4f7"), selectedText: c("#000000"), idle: c("#d4d7dc"),
		low: c("#2d7a1f"), middle: c("#8a7a00"), high: c("#b8231f"), changed: c("#0b5cc0"), suppress: c("#87268f"),
		frame: c("#a3abba"), bar: c("#5b86c4"), original: c("#8a8a8a"),
		heat: [4]color.Color{c("#e6eefb"), c("#cfe0f7"), c("#b1cdf2"), c("#8fb8ec")},
	}
}

// NewTheme returns the theme for a dark or a light background. Without colour
// the styles differ by weight, underline and reversal only.
func NewTheme(dark, colour bool) *Theme {
	if !colour {
		return monochrome()
	}
	p := lightPalette()
	if dark {
		p = darkPalette()
	}
	ink := func(c color.Color) lipgloss.Style { return lipgloss.NewStyle().Foreground(c) }
	return &Theme{
		Name:  p.name,
		Plain: ink(p.text), Faint: ink(p.faint), Strong: ink(p.strong).Bold(true),
		Title: ink(p.title).Bold(true), Heading: ink(p.faint),
		Selected:     ink(p.selectedText).Background(p.selected).Bold(true),
		SelectedIdle: ink(p.text).Background(p.idle),
		Marked:       ink(p.changed).Bold(true),
		Low:          ink(p.low), Middle: ink(p.middle), High: ink(p.high),
		Changed: ink(p.changed), Suppressed: ink(p.suppress),
		Frame: ink(p.frame), FrameFocused: ink(p.accent),
		Key: ink(p.accent).Bold(true), KeyText: ink(p.faint),
		Tab: ink(p.faint), TabActive: ink(p.selectedText).Background(p.selected).Bold(true),
		Heat: [6]lipgloss.Style{ink(p.faint), ink(p.text), ink(p.text).Background(p.heat[0]), ink(p.text).Background(p.heat[1]),
			ink(p.strong).Background(p.heat[2]), ink(p.strong).Background(p.heat[3])},
		Bar: ink(p.bar), BarOriginal: ink(p.original),
		Error: ink(p.high).Bold(true), Warning: ink(p.middle), Good: ink(p.low),
	}
}

// underlined marks a line as a whole: a style with Underline marks each character
// by itself, which takes letters apart from the signs that join them.
func underlined(text string) string { return ansi.Style{}.Underline(true).Styled(text) }

func monochrome() *Theme {
	plain, bold := lipgloss.NewStyle(), lipgloss.NewStyle().Bold(true)
	reversed := lipgloss.NewStyle().Reverse(true)
	under := lipgloss.NewStyle().Transform(underlined)
	return &Theme{
		Name:  "none",
		Plain: plain, Faint: plain, Strong: bold, Title: bold, Heading: under,
		Selected: reversed, SelectedIdle: bold, Marked: bold,
		Low: plain, Middle: plain, High: bold, Changed: under, Suppressed: plain,
		Frame: plain, FrameFocused: bold, Key: bold, KeyText: plain,
		Heat: [6]lipgloss.Style{plain, plain, plain, plain, bold, bold},
		Tab:  plain, TabActive: reversed, Bar: plain, BarOriginal: plain,
		Error: bold, Warning: bold, Good: plain,
	}
}
