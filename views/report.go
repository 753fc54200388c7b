package views

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/report"
)

// Report returns the lines of a page of sections in a width: numbers on the right, the
// words of a last column over as many lines as they take.
func Report(theme *Theme, p *report.Page, width int) []string {
	lines := []string{theme.Title.Render(Fit(Safe(p.Title), width))}
	for _, s := range p.Sections {
		lines = append(lines, Fit("", width), theme.Heading.Render(Fit(Safe(s.Heading), width)))
		for _, text := range s.Lines {
			lines = append(lines, Wrapped(theme.Plain.Render, Safe(text), width)...)
		}
		lines = append(lines, reportTable(theme, s.Table, width)...)
	}
	return lines
}

// reportTable draws a table, its heads faintly.
func reportTable(theme *Theme, table [][]string, width int) []string {
	if len(table) == 0 {
		return nil
	}
	right, sizes := report.Numbers(table), make([]int, len(table[0]))
	for _, row := range table {
		for i, text := range row {
			sizes[i] = max(sizes[i], Width(Safe(text)))
		}
	}
	last, before := len(sizes)-1, 0
	for _, size := range sizes[:last] {
		before += size + 2
	}
	room := max(10, width-before)
	var lines []string
	for r, row := range table {
		render := theme.Plain.Render
		if r == 0 {
			render = theme.Faint.Render
		}
		start := ""
		for i, text := range row[:last] {
			if right[i] {
				start += FitRight(Safe(text), sizes[i]) + "  "
			} else {
				start += Fit(Safe(text), sizes[i]) + "  "
			}
		}
		if right[last] {
			lines = append(lines, render(Fit(start+FitRight(Safe(row[last]), min(sizes[last], room)), width)))
			continue
		}
		words := Wrapped(func(text string) string { return text }, Safe(row[last]), room)
		for _, text := range append(words, "")[:max(1, len(words))] {
			lines = append(lines, render(Fit(start+text, width)))
			start = strings.Repeat(" ", Width(start))
		}
	}
	return lines
}
