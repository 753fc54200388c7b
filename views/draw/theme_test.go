package draw

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// On terminals with 16 colours, risk, changed and suppressed cells have different colours, and nothing has the
// colour of its background.
func TestColoursOnSixteen(t *testing.T) {
	for _, dark := range []bool{true, false} {
		theme, meaning := NewTheme(dark, true), map[ansi.BasicColor]string{}
		for name, style := range map[string]Style{"text": theme.Plain, "faint": theme.Faint, "low": theme.Low,
			"middle": theme.Middle,
			"high":   theme.High, "changed": theme.Changed, "suppressed": theme.Suppressed} {
			basic := ansi.Convert16(style.ink)
			if other := meaning[basic]; other != "" {
				t.Errorf("%s: %s and %s are both colour %d", theme.Name, name, other, basic)
			}
			meaning[basic] = name
		}
		for _, style := range []Style{theme.Selected, theme.SelectedIdle} {
			if ansi.Convert16(style.ink) == ansi.Convert16(style.ground) {
				t.Errorf("%s: the row under the cursor cannot be read", theme.Name)
			}
		}
	}
}

var styleCodes = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// Without colour, styles use only bold, underline and reversal, and the cursor differs from other rows.
func TestNoColour(t *testing.T) {
	theme := NewTheme(true, false)
	for name, style := range map[string]Style{"low": theme.Low, "high": theme.High, "selected": theme.Selected,
		"changed":    theme.Changed,
		"suppressed": theme.Suppressed, "bar": theme.Bar, "heading": theme.Heading, "error": theme.Error} {
		for _, codes := range styleCodes.FindAllString(style.Render("x"), -1) {
			for code := range strings.FieldsFuncSeq(codes,
				func(r rune) bool { return r == ';' || r == '\x1b' || r == '[' || r == 'm' }) {
				if code != "0" && code != "1" && code != "4" && code != "7" {
					t.Errorf("%s has the code %s", name, code)
				}
			}
		}
	}
	if theme.Selected.Render("x") == theme.Plain.Render("x") || theme.SelectedIdle.Render("x") == theme.Plain.Render("x") {
		t.Error("the cursor looks like other rows")
	}
}
