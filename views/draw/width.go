package draw

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Width returns the number of cells a text takes; escape sequences of styles
// take none.
func Width(s string) int {
	if plain(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// Joined joins the first of some texts that fit into so many cells; "…" stands for the others.
func Joined(cells int, between string, texts ...string) string {
	joined := strings.Join(texts, between)
	for n := len(texts) - 1; n > 0 && Width(joined) > cells; n-- {
		joined = strings.Join(texts[:n], between) + " …"
	}
	return joined
}

// Fitting returns the first of some texts, given from the longest to the shortest, that
// takes at most so many cells; the last where none does.
func Fitting(cells int, texts ...string) string {
	for _, text := range texts[:len(texts)-1] {
		if Width(text) <= cells {
			return text
		}
	}
	return texts[len(texts)-1]
}
