package views

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Count spells a whole number with commas: "4,127".
func Count(n int) string { return wording.Number(n) }

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
	case math.Abs(x) >= 1e15:
		return strconv.FormatFloat(x, 'g', 4, 64)
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
	if math.IsNaN(p) || math.IsInf(p, 0) {
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

// Frequency spells a frequency: whole numbers without decimals, others with
// one while they are below a thousand.
func Frequency(f float64) string {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return "–"
	case math.Abs(f) >= 1e15:
		return strconv.FormatFloat(f, 'g', 4, 64)
	case f == math.Trunc(f) || math.Abs(f) >= 1000:
		return Count(int(math.Round(f)))
	default:
		return strconv.FormatFloat(f, 'f', 1, 64)
	}
}

// fractional reports whether Frequency spells decimals.
func fractional(f float64) bool { return math.Abs(f) < 1000 && f != math.Trunc(f) }

// aligned is Frequency for a column in which some figures have decimals: whole
// numbers get one too, so that the points stand below each other.
func aligned(f float64, decimals bool) string {
	text := Frequency(f)
	if !decimals || fractional(f) || math.IsNaN(f) || math.IsInf(f, 0) {
		return text
	}
	if math.Abs(f) >= 1000 {
		return text + "  "
	}
	return text + ".0"
}
