package views

import (
	"math"
	"strings"
)

// Sparkline draws a row of figures, one cell each, as blocks whose height goes
// from nothing to the largest of them. Infinite and missing figures are blank.
func Sparkline(figures []float64) string {
	blocks := []rune(" ▁▂▃▄▅▆▇█")
	largest := 0.0
	for _, x := range figures {
		if !math.IsInf(x, 0) {
			largest = math.Max(largest, x) // NaN stays out: see below
		}
		if math.IsNaN(largest) {
			largest = 0
		}
	}
	var line strings.Builder
	for _, x := range figures {
		step := 0
		if largest > 0 && x > 0 && !math.IsInf(x, 0) {
			step = max(1, min(8, int(math.Round(8*x/largest))))
		}
		line.WriteRune(blocks[step])
	}
	return line.String()
}
