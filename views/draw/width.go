package draw

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width returns the width of a text in cells; escape sequences of styles have no width.
func Width(s string) int {
	if cells, ok := simpleWidth(s); ok {
		return cells
	}
	return ansi.StringWidth(s)
}

// simpleWidth returns the width of a text of styles and of characters that always take one cell, as nearly all of
// a screen is; ok is false for other texts.
func simpleWidth(s string) (cells int, ok bool) {
	for i := 0; i < len(s); {
		switch b := s[i]; {
		case b >= 0x20 && b < 0x7f:
			i++
			cells++
		case b == 0x1b:
			size := styleSize(s[i:])
			if size == 0 {
				return 0, false
			}
			i += size
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			if !oneCell(r) {
				return 0, false
			}
			i += size
			cells++
		}
	}
	return cells, true
}

// styleSize returns the length of the style sequence at the start of a text, or 0.
func styleSize(s string) int {
	if len(s) < 3 || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		if b := s[i]; b == 'm' {
			return i + 1
		} else if b != ';' && b != ':' && (b < '0' || b > '9') {
			return 0
		}
	}
	return 0
}

// oneCell reports whether a character beyond ASCII takes one cell and never combines: the characters of frames,
// bars and marks, and Latin letters.
func oneCell(r rune) bool {
	switch {
	case r >= 0x00a1 && r <= 0x017f:
		return r != 0x00ad
	case r >= 0x2500 && r <= 0x25ff: // lines, blocks, shapes
		return r < 0x25fd
	// dashes, quotes, …; arrows, mathematical signs
	case r >= 0x2010 && r <= 0x2027, r == '‹', r == '›', r >= 0x2190 && r <= 0x22ff:
		return true
	default:
		return false
	}
}

// Joined joins as many of the first texts as fit into cells; "…" replaces the others.
func Joined(cells int, between string, texts ...string) string {
	joined := strings.Join(texts, between)
	for n := len(texts) - 1; n > 0 && Width(joined) > cells; n-- {
		joined = strings.Join(texts[:n], between) + " …"
	}
	return joined
}

// Fitting returns the first of some texts, from the longest to the shortest, that takes at most cells cells, or
// the last if none does.
func Fitting(cells int, texts ...string) string {
	for _, text := range texts[:len(texts)-1] {
		if Width(text) <= cells {
			return text
		}
	}
	return texts[len(texts)-1]
}
