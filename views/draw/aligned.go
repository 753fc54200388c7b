package draw

import "strings"

// Aligned returns the lines of a table of texts in at most width cells; 0 is no limit. The first column is
// shortened if necessary. right lists the right-aligned columns; nil means all but the first. It returns no lines
// for no rows.
func Aligned(rows [][]string, right []bool, width int) []string {
	if len(rows) == 0 {
		return nil
	}
	sizes, all := make([]int, len(rows[0])), 0
	for column := range sizes {
		for _, row := range rows {
			sizes[column] = max(sizes[column], Width(Safe(row[column])))
		}
		all += sizes[column] + 2
	}
	if width > 0 {
		sizes[0] = max(4, min(sizes[0], width-all+2+sizes[0]))
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		for column, text := range row {
			fit := Fit
			if right == nil && column > 0 || right != nil && right[column] {
				fit = FitRight
			}
			lines[i] += fit(text, sizes[column]) + "  "
		}
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}
