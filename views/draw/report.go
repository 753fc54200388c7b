package draw

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
)

// Report returns the lines of a report page in a width: numbers are right-aligned, headings of tables faint, and
// the rest of a row that is too wide is below it.
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

// reportTable draws a table. If it is too wide, the words of the last column wrap; if that has numbers, the first
// column is shortened.
func reportTable(theme *Theme, table [][]string, width int) (lines []string) {
	const indent = 2 // of wrapped text
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
