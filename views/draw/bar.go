package draw

import (
	"math"
	"strings"
)

var eighths = [...]string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// barSteps returns the length of a bar in eighths of a cell, at least one for a share above 0.
func barSteps(share float64, width int) int {
	if !(share > 0) || width <= 0 {
		return 0
	}
	return max(1, min(8*width, int(math.Round(math.Min(share, 1)*8*float64(width)))))
}

// Bar draws a share in [0,1] as a bar of blocks, exact to an eighth of a cell
// and padded to width cells. A share above 0 shows at least an eighth.
func Bar(share float64, width int) string {
	if width <= 0 {
		return ""
	}
	steps := barSteps(share, width)
	return strings.Repeat("█", steps/8) + eighths[steps%8] + strings.Repeat(" ", width-(steps+7)/8)
}

// bar appends a bar and, hatched behind its end, the excess of the original.
func (l *Line) bar(theme *Theme, style *Style, now, original float64, width int) {
	if width = l.room(width); width <= 0 {
		return
	}
	steps, whole := barSteps(now, width), barSteps(original, width)
	if over := l.over; over != nil && over.ground != nil && style.ink != nil {
		colour := Style{}.inked(style.ink).on(over.ground)
		style, l.over = &colour, nil // under the cursor a bar keeps its colour
		defer func() { l.over = over }()
	}
	cells := (steps + 7) / 8
	if cells > 0 {
		l.Put(style, strings.Repeat("█", steps/8)+eighths[steps%8], cells)
	}
	if more := (whole+4)/8 - cells; more > 0 {
		l.Put(&theme.BarOriginal, strings.Repeat("░", more), more)
		cells += more
	}
	if cells < width {
		l.Put(style, strings.Repeat(" ", width-cells), width-cells)
	}
}
