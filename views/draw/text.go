package draw

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Safe returns a text that cannot harm a terminal or a table: control and escape characters become visible signs,
// line breaks become arrows, and characters that change the direction of writing or have no width become dots. It
// is the only sanitiser: everything that comes from a file passes it before it is drawn.
func Safe(s string) string {
	if plain(s) {
		return s
	}
	return makeSafe(s)
}

// plain reports whether a text is printable ASCII, the common case, which is as wide as it has bytes and harmless.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if b := s[i]; b < 0x20 || b >= 0x7f {
			return false
		}
	}
	return true
}

func makeSafe(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 4)
	marks := mostMarks // none may combine with what precedes the text
	for i, r := range s {
		if first, last := i == 0, i+utf8.RuneLen(r) == len(s); r > unicode.MaxLatin1 &&
			(first && !apart(" ", r, "") || last && !apart("", r, " ")) {
			r = '·'
		}
		if unicode.In(r, unicode.Mn, unicode.Me) && !Hidden(r) {
			if marks++; marks > mostMarks+1 {
				continue // one · replaces all excess marks
			} else if marks > mostMarks {
				r = '·'
			}
		} else {
			marks = 0
		}
		b.WriteRune(safeRune(r))
	}
	return b.String()
}

// apart reports whether a character does not combine with the spaces before or after it.
func apart(before string, r rune, behind string) bool {
	alone := string(r)
	return Width(before+alone+behind) == len(before)+Width(alone)+len(behind)
}

// mostMarks is the number of combining marks kept per character: more than any language uses, too few to paint
// over other lines.
const mostMarks = 4

// safeRune returns the rune to draw for r.
func safeRune(r rune) rune {
	switch {
	case r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029':
		return '↵'
	case r == '\t':
		return '→'
	case r < 0x20:
		return '\u2400' + r // the symbol of the control character
	case r == 0x7f:
		return '\u2421'
	case r == utf8.RuneError || r >= 0x80 && r < 0xa0:
		return '\ufffd'
	case Hidden(r):
		return '·'
	default:
		return r
	}
}

// Hidden reports characters that are invisible but change others: directional marks, joiners, variation selectors,
// tags, skin tones.
func Hidden(r rune) bool {
	return r >= 0x1f3fb && r <= 0x1f3ff || unicode.Is(unicode.Cf, r) || r >= 0xfe00 && r <= 0xfe0f ||
		r >= 0xe0100 && r <= 0xe01ef || r == 0x034f ||
		r == 0x115f || r == 0x1160 || r == 0x3164 || r == 0xffa0
}

// longest is the number of bytes of a text that Fit examines: enough for any screen, whatever the length of a
// label.
const longest = 4096

// Shortened returns the part of a text that can fit on a screen.
func Shortened(s string) string {
	if len(s) <= longest {
		return s
	}
	cut := longest
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// Label returns the part of a text that can fit on a screen, made safe.
func Label(s string) string { return Safe(Shortened(s)) }

// Fit returns a text made safe, cut with … or padded to exactly width cells.
func Fit(s string, width int) string {
	text, gap := fit(s, width)
	return text + strings.Repeat(" ", gap)
}

// FitRight is Fit with right alignment.
func FitRight(s string, width int) string {
	text, gap := fit(s, width)
	return strings.Repeat(" ", gap) + text
}

// fit returns the text cut to at most width cells, and the number of cells left.
func fit(s string, width int) (text string, gap int) {
	if width <= 0 {
		return "", 0
	}
	if plain(s) {
		if len(s) > width {
			return s[:width-1] + "…", 0
		}
		return s, width - len(s)
	}
	text = Label(s)
	size := Width(text)
	if size > width {
		text = ansi.Truncate(text, width, "…")
		size = Width(text)
	}
	return text, width - size
}

// Widest is the width at which every table cuts values.
const Widest = 24
