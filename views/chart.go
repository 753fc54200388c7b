package views

import (
	"math"
	"strings"
)

// Columns draws a row of figures as upright blocks, height lines high, the last
// ones where not all fit into width cells. The largest is as high as there is
// room, 0 is a thin line on the ground; a figure that is no number, negative or
// infinite is blank. Every line has at most width cells.
func Columns(figures []float64, width, height int) []string {
	if width < 1 || height < 1 {
		return nil
	}
	figures = figures[max(0, len(figures)-width):]
	each := 1 // cells per figure, with a blank between where there is room
	if len(figures) > 0 {
		each = max(1, min(4, width/len(figures)))
	}
	largest := 0.0
	for _, x := range figures {
		if drawable(x) {
			largest = math.Max(largest, x)
		}
	}
	lines := make([]string, height)
	for i := range lines {
		var line strings.Builder
		for _, x := range figures {
			block := columnPart(x, largest, 8*(height-1-i), 8*height)
			if each == 1 {
				line.WriteString(block)
			} else {
				line.WriteString(strings.Repeat(block, each-1) + " ")
			}
		}
		lines[i] = line.String()
	}
	return lines
}

func drawable(x float64) bool { return x >= 0 && !math.IsInf(x, 0) }

// columnPart returns the block of a figure in the line that begins at the given
// eighth above the ground, of whole eighths for the largest.
func columnPart(x, largest float64, from, whole int) string {
	blocks := [...]string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}
	steps := 0
	if drawable(x) {
		steps = 1
		if largest > 0 {
			steps = max(1, int(math.Round(float64(whole)*(x/largest))))
		}
	}
	return blocks[max(0, min(8, steps-from))]
}
