package draw

import (
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Theme is a set of styles named by their meaning. Every meaning is also visible without colour: by a mark, a
// word, or its position.
type Theme struct {
	Name string

	Plain, Faint, Strong   Style
	Title, Heading         Style
	Selected, SelectedIdle Style // the row under the cursor in the focused pane and in others
	Marked                 Style // selected for merging
	Low, Middle, High      Style // risk
	Changed                Style // differs from the original
	Suppressed             Style // suppressed cell
	Frame, FrameFocused    Style
	Key, KeyText           Style // a key in the bottom line and what it does
	Tab, TabActive         Style
	Heat                   [6]Style // shares from none to more than half
	Bar, BarOriginal       Style
	Error, Warning, Good   Style
}

// NewTheme returns the theme for a dark or a light background. Without colour
// the styles differ by weight, underline and reversal only.
func NewTheme(dark, colour bool) *Theme {
	if !colour {
		return monochrome()
	}
	name := "light"
	if dark {
		name = "dark"
	}
	choose := lipgloss.LightDark(dark)
	pick := func(light, dark string) color.Color { return choose(lipgloss.Color(light), lipgloss.Color(dark)) }
	ink := func(light, dark string) Style { return Style{}.inked(pick(light, dark)) }
	plain, faint, strong := ink("#222222", "#d8dee9"), ink("#5f6672", "#7b8598"), ink("#000000", "#ffffff")
	accent, changed, frame := ink("#1d4f9c", "#8fbcff"), ink("#0b5cc0", "#6fb3ff"), ink("#a3abba", "#4c566a")
	low, middle, high := ink("#2d7a1f", "#8fce6e"), ink("#8a7a00", "#e8c34c"), ink("#b8231f", "#f2726f")
	selected := strong.on(pick("#bcd4f7", "#3b5b92")).bold()
	return &Theme{
		Name:  name,
		Plain: plain, Faint: faint, Strong: strong.bold(), Title: accent.bold(), Heading: faint,
		Selected: selected, SelectedIdle: plain.on(pick("#d4d7dc", "#3d4350")), Marked: changed.bold(),
		Low: low, Middle: middle, High: high, Changed: changed, Suppressed: ink("#87268f", "#d889e8"),
		Frame: frame, FrameFocused: accent, Key: accent.bold(), KeyText: faint, Tab: faint, TabActive: selected,
		Heat: [6]Style{faint, plain, plain.on(pick("#e6eefb", "#1f3350")), plain.on(pick("#cfe0f7", "#274670")),
			strong.on(pick("#b1cdf2", "#2f5a92")), strong.on(pick("#8fb8ec", "#3a70b8"))},
		Bar: ink("#5b86c4", "#6f9bd8"), BarOriginal: ink("#8a8a8a", "#7b8598"),
		Error: high.bold(), Warning: middle, Good: low,
	}
}

func monochrome() *Theme {
	plain, bold := Style{}, Style{}.bold()
	reversed, under := Style{}.with(ansi.Style{}.Reverse(true)), Style{}.with(ansi.Style{}.Underline(true))
	return &Theme{
		Name:  "none",
		Plain: plain, Faint: plain, Strong: bold, Title: bold, Heading: under,
		Selected: reversed, SelectedIdle: bold, Marked: bold,
		Low: plain, Middle: plain, High: bold, Changed: under, Suppressed: plain,
		Frame: plain, FrameFocused: bold, Key: bold, KeyText: plain,
		Heat: [6]Style{plain, plain, plain, plain, bold, bold},
		Tab:  plain, TabActive: reversed, Bar: plain, BarOriginal: plain,
		Error: bold, Warning: bold, Good: plain,
	}
}

// Look is the theme and whether figures are stale.
type Look struct {
	*Theme
	Stale bool // the current figures are being recomputed and drawn faint
}
