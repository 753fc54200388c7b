package statfile

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Clock formats a time of day or a duration in seconds: "08:30:15", "-30:00:00.5". Hours have as many digits as
// needed; fractions are rounded to microseconds. ok is false for more seconds than float64 represents exactly.
func Clock(seconds float64) (text string, ok bool) {
	const exact = 1 << 52
	seconds = math.Round(seconds*1e6) / 1e6
	size := math.Abs(seconds)
	if !(size < exact) {
		return "", false
	}
	whole := math.Floor(size)
	n := int64(whole)
	text = fmt.Sprintf("%02d:%02d:%02d", n/3600, n/60%60, n%60)
	if size != whole {
		text += strings.TrimPrefix(strconv.FormatFloat(math.Round((size-whole)*1e6)/1e6, 'f', -1, 64), "0")
	}
	if seconds < 0 {
		text = "-" + text
	}
	return text, true
}

// ClockSeconds parses the format of Clock.
func ClockSeconds(text string) (seconds float64, ok bool) {
	positive, negative := strings.CutPrefix(text, "-")
	parts := strings.Split(positive, ":")
	for _, part := range parts {
		n, err := strconv.ParseFloat(part, 64)
		if err != nil || !(n >= 0) {
			return 0, false
		}
		seconds = float64(seconds*60) + n
	}
	if negative {
		seconds = -seconds
	}
	return seconds, len(parts) == 3
}
