package views

import (
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/suggest"
)

// recodeLines is the table of the recodes of one variable that would protect a
// record, the one that loses least detail first; nothing where none does.
func recodeLines(s State, recodes []suggest.Protection, width int) []string {
	if len(recodes) == 0 {
		return nil
	}
	theme := s.Theme
	fields := []field{
		{head: "recode", size: 8},
		{head: "group", size: 12, least: 8},
		{head: "f", right: true, size: 7},
		{head: "bits lost", right: true, size: 9, rank: 1},
	}
	for _, r := range recodes {
		fields[0].size = max(fields[0].size, min(widest, Width(Safe(shortened(r.Variable)))))
		fields[1].size = max(fields[1].size, min(widest, Width(Safe(groupText(r.Recode.Levels)))))
	}
	fields[0].least = 8
	arrange(fields, width-4)
	lines := []string{headings(State{Theme: theme}, fields, 3, width)}
	for _, r := range recodes {
		l := newLine(width, nil)
		l.gap(3)
		for i, text := range []string{r.Variable, groupText(r.Recode.Levels), Frequency(r.Frequency), fmt.Sprintf("%.4f", r.Lost)} {
			l.field(&theme.Low, fields[i], text)
		}
		lines = append(lines, l.String())
	}
	return append(lines, "")
}
