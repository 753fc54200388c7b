package draw

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
)

// Report returns the lines of a page of sections in a width: numbers on the right, the heads
// of tables faint, the rest of rows that are too wide below them.
func Report(theme *Theme, p *report.Page, width int) []string {
	lines := []string{theme.Title.Fit(Safe(p.Title), width)}
	p.Each(func(s *report.Section, _ int, _, heading string) {
		lines = append(lines, Fit("", width), theme.Heading.Fit(Safe(heading), width))
		for _, text := range s.Lines {
			lines = append(lines, theme.Plain.Wrapped(Safe(text), width)...)
		}
		lines = append(lines, reportTable(theme, report.Rounded(s.Table), width)...)
	})
	return lines
}

// reportTable draws a table. Where it is too wide, the words of a last column go on below;
// before numbers the first column gives way.
func reportTable(theme *Theme, table [][]string, width int) (lines []string) {
	const indent = 2 // of what goes on below
	right, most := report.Numbers(table), 0
	if len(right) > 0 && right[len(right)-1] {
		most = width
	}
	for r, row := range Aligned(table, right, most) {
		parts := []string{row}
		if Width(row) > width {
			parts = Wrapped(strings.Clone, row, max(1, width-indent))
		}
		style := &theme.Plain
		if r == 0 {
			style = &theme.Faint
		}
		for i, part := range parts {
			lines = append(lines, style.Fit(strings.Repeat(" ", indent*min(i, 1))+part, width))
		}
	}
	return lines
}
