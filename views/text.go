package views

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Safe returns a text that cannot harm a terminal or a table: control and
// escape characters become visible signs, characters that turn the direction
// of writing or have no width are shown as a dot, line breaks as arrows. It is
// the one sanitiser; whatever comes from a file passes it before it is drawn.
func Safe(s string) string {
	for i := 0; i < len(s); i++ {
		if b := s[i]; b < 0x20 || b >= 0x7f {
			return makeSafe(s)
		}
	}
	return s // plain ASCII, the common case
}

func makeSafe(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		b.WriteRune(safeRune(r))
	}
	return b.String()
}

// safeRune returns the rune to draw for r.
func safeRune(r rune) rune {
	switch {
	case r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029':
		return '↵'
	case r == '\t':
		return '→'
	case r < 0x20:
		return '\u2400' + r // the picture of the control character
	case r == 0x7f:
		return '\u2421'
	case r == utf8.RuneError || r >= 0x80 && r < 0xa0:
		return '\ufffd'
	case hidden(r):
		return '·'
	default:
		return r
	}
}

// hidden reports characters that are not seen themselves but change how others
// are: directional marks, joiners, variation selectors, tags.
func hidden(r rune) bool {
	return unicode.Is(unicode.Cf, r) || r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef || r == 0x034f ||
		r == 0x115f || r == 0x1160 || r == 0x3164 || r == 0xffa0
}

// Width returns the number of cells a text takes; escape sequences of styles
// take none.
func Width(s string) int { return ansi.StringWidth(s) }

// longest is the number of bytes of a text that Fit looks at: enough for any
// screen, whatever the length of a label.
const longest = 4096

func shortened(s string) string {
	if len(s) <= longest {
		return s
	}
	cut := longest
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// Fit returns a text made safe, cut with … or padded to exactly width cells.
func Fit(s string, width int) string {
	text, gap := fit(s, width)
	return text + strings.Repeat(" ", gap)
}

// FitRight is Fit with the text on the right.
func FitRight(s string, width int) string {
	text, gap := fit(s, width)
	return strings.Repeat(" ", gap) + text
}

// fit returns the text cut to at most width cells and the cells that are left.
func fit(s string, width int) (text string, gap int) {
	if width <= 0 {
		return "", 0
	}
	text = Safe(shortened(s))
	size := ansi.StringWidth(text)
	if size > width {
		text = ansi.Truncate(text, width, "…")
		size = ansi.StringWidth(text)
	}
	return text, width - size
}

// Count spells a whole number with commas: "4,127".
func Count(n int) string {
	if n < 0 {
		return "-" + Count(-n)
	}
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Percent spells a share in percent with three decimals: "2.467 %"; "–" of
// nothing.
func Percent(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	return strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 3, 64) + " %"
}

// Share spells a share in percent with one decimal, for narrow columns.
func Share(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	return strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64) + " %"
}

// Amount spells an expected number with four significant digits at most:
// "84.84", "384.8", "12,345", "0.0031".
func Amount(x float64) string {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return "–"
	case math.Abs(x) >= 1000:
		return Count(int(math.Round(x)))
	case math.Abs(x) >= 100:
		return strconv.FormatFloat(x, 'f', 1, 64)
	case math.Abs(x) >= 1 || x == 0:
		return strconv.FormatFloat(x, 'f', 2, 64)
	default:
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
}

// Probability spells a probability with three decimals and no zero before the point:
// ".068".
func Probability(p float64) string {
	if math.IsNaN(p) {
		return "–"
	}
	return strings.TrimPrefix(strconv.FormatFloat(p, 'f', 3, 64), "0")
}

// Duration spells a time as short as it can be read: "4 ms", "1.2 s", "2:07".
func Duration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return "< 1 ms"
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	case d < time.Minute:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	default:
		return fmt.Sprintf("%d:%02d", int(d.Minutes()), int(d.Seconds())%60)
	}
}
