package draw

import (
	"math"
	"slices"
	"strings"
)

// Upright draws numbers as vertical bars, height lines high. If not all fit into width cells, it draws the last
// ones. The largest number has full height, 0 is a thin line.
func Upright(numbers []int, width, height int) []string {
	blocks := [...]string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}
	numbers = numbers[max(0, len(numbers)-width):]
	// cells for each bar, with a space in between if there is room
	wide, gap := max(1, min(HistoryColumn, width/max(1, len(numbers)))), ""
	if wide > 1 {
		wide, gap = wide-1, " "
	}
	largest := slices.Max(append([]int{1}, numbers...))
	lines := make([]string, height)
	for i := range lines {
		for _, n := range numbers {
			steps := max(1, int(math.Round(float64(8*height)*(float64(n)/float64(largest)))))
			lines[i] += strings.Repeat(blocks[max(0, min(8, steps-8*(height-1-i)))], wide) + gap
		}
	}
	return lines
}

// HistoryColumn is the width of a column of the history: a number and a space.
const HistoryColumn = 6
