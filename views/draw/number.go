package draw

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Count formats an integer with commas: "4,127".
func Count(n int) string { return wording.Number(n) }

// Duration formats a duration briefly: "4 ms", "1.2 s", "2:07".
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

// FigureText formats a figure of a variable with six significant digits.
func FigureText(x float64) string { return digits(x, 6, false) }

// ShortFigure formats a figure with five significant digits, for dense tables; an integer has no decimals.
func ShortFigure(x float64) string { return digits(x, 5, x != math.Trunc(x)) }

// digits formats a number with count significant digits, without zeros at the end of its decimals unless zeros is set.
func digits(x float64, count int, zeros bool) string {
	switch size := math.Abs(x); {
	case x != x:
		return "–"
	case math.IsInf(x, 0) || size >= 1e15 || size > 0 && size < 1e-6:
		return strconv.FormatFloat(x, 'g', 4, 64)
	default:
		decimals := count - 1
		if size > 0 {
			decimals = max(0, min(10, count-1-int(math.Floor(math.Log10(size)))))
		}
		text := strconv.FormatFloat(x, 'f', decimals, 64)
		if !zeros && strings.Contains(text, ".") {
			text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
		}
		return wording.Thousands(text)
	}
}

// Short formats a number in at most four characters: 3702, 12k, 1.2M.
func Short(n int) string {
	switch {
	case n < 10_000:
		return fmt.Sprint(n)
	case n < 999_500:
		return fmt.Sprintf("%.0fk", float64(n)/1e3)
	case n < 9_950_000:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	default:
		return fmt.Sprintf("%.0fM", float64(n)/1e6)
	}
}

// Signed spells a change with its sign.
func Signed(n int) string {
	if n > 0 {
		return "+" + Count(n)
	}
	return Count(n)
}

// NoFigure is shown if a figure does not apply.
const NoFigure = "n/a"
