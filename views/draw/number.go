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

// FigureText formats a figure of a variable with six significant digits, without zeros at the end of its decimals.
func FigureText(x float64) string {
	text := Figure(x, Decimals(6, x))
	if strings.Contains(text, ".") && !strings.Contains(text, "e") {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// ShortFigures formats figures that stand together with the same decimals, for dense tables.
func ShortFigures(x ...float64) []string {
	decimals, texts := Decimals(5, x...), make([]string, len(x))
	for i, x := range x {
		texts[i] = Figure(x, decimals)
	}
	return texts
}

// Decimals returns the decimals with which the largest of figures that stand together has the significant digits, or
// 0 if all are integers.
func Decimals(digits int, figures ...float64) int {
	largest, integers := 0.0, true
	for _, x := range figures {
		if size := math.Abs(x); size < 1e15 {
			largest, integers = max(largest, size), integers && x == math.Trunc(x)
		}
	}
	if integers {
		return 0
	}
	return max(0, min(10, digits-1-int(math.Floor(math.Log10(largest)))))
}

// Figure formats a figure of a variable with the given decimals.
func Figure(x float64, decimals int) string {
	switch size := math.Abs(x); {
	case x != x:
		return "–"
	case math.IsInf(x, 0) || size >= 1e15 || size > 0 && size < 1e-6:
		return strconv.FormatFloat(x, 'g', 4, 64)
	default:
		return wording.Thousands(strconv.FormatFloat(x, 'f', decimals, 64))
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
