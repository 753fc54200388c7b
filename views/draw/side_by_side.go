package draw

import "strings"

// SideBySide returns the lines of a table of texts in at most width cells, 0: as wide
// as it is. The first column is on the left and gives way, the others on the right. No
// rows are no lines.
func SideBySide(rows [][]string, width int) []string {
	if len(rows) == 0 {
		return nil
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, text := range row {
			widths[i] = max(widths[i], Width(Safe(text)))
		}
	}
	others := 0
	for _, cells := range widths[1:] {
		others += 2 + cells
	}
	if width > 0 {
		widths[0] = max(4, min(widths[0], width-others))
	}
	lines := make([]string, len(rows))
	for r, row := range rows {
		var line strings.Builder
		for i, text := range row {
			text = Safe(text)
			if i == 0 {
				line.WriteString(Fit(text, widths[0]))
			} else {
				line.WriteString("  " + strings.Repeat(" ", widths[i]-Width(text)) + text)
			}
		}
		lines[r] = strings.TrimRight(line.String(), " ")
	}
	return lines
}
