package views

import (
	"math"
	"strings"
)

var eighths = [...]string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// Bar draws a share in [0,1] as a bar of blocks, exact to an eighth of a cell
// and padded to width cells. A share above 0 shows at least an eighth.
func Bar(share float64, width int) string {
	if width <= 0 {
		return ""
	}
	if !(share > 0) {
		return strings.Repeat(" ", width)
	}
	steps := max(1, min(8*width, int(math.Round(share*8*float64(width)))))
	bar := strings.Repeat("█", steps/8) + eighths[steps%8]
	return bar + strings.Repeat(" ", width-(steps+7)/8)
}
