package views

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Count spells a whole number with commas: "4,127".
func Count(n int) string { return wording.Number(n) }

// Share spells a share in percent with one decimal, for narrow columns.
func Share(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	return strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64) + " %"
}

// percent is Share under a heading that says %.
func percent(part, whole int) string { return strings.TrimSuffix(Share(part, whole), " %") }

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
