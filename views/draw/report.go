package draw

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
)

// Report returns the lines of a page of sections in a width: numbers on the right, the
// words of a last column over as many lines as they take.
func Report(theme *Theme, p *report.Page, width int) []string {
	lines := []string{theme.Title.Fit(Safe(p.Title), width)}
	p.Each(func(s *report.Section, _ int, _, heading string) {
		lines = append(lines, Fit("", width), theme.Heading.Fit(Safe(heading), width))
		for _, text := range s.Lines {
			lines = append(lines, theme.Plain.Wrapped(Safe(text), width)...)
		}
		lines = append(lines, reportTable(theme, s.Table, width)...)
	})
	return lines
}

// reportColumns are the columns of a table of a page.
type reportColumns struct {
	right []bool // they have numbers
	sizes []int
	room  int  // for words of the last column
	below bool // these stand below the others
}

// reportLayout lays a table out. Where it is too wide, words of the last column go below
// the others, and those of the first take more lines.
func reportLayout(table [][]string, width int) reportColumns {
	const narrowest, indent = 20, 2
	c := reportColumns{right: report.Numbers(table), sizes: make([]int, len(table[0]))}
	for _, row := range table {
		for i, text := range row {
			c.sizes[i] = max(c.sizes[i], Width(Safe(text)))
		}
	}
	last := len(c.sizes) - 1
	needed := c.sizes[last]
	if !c.right[last] {
		needed = min(needed, narrowest)
	}
	before := 0
	for _, size := range c.sizes[:last] {
		before += size + 2
	}
	if c.room = width - before; c.room >= needed || last == 0 {
		c.room = max(1, c.room)
		return c
	}
	if c.below = !c.right[last]; c.below {
		c.room, needed = max(1, width-indent), -2
	}
	c.sizes[0] -= max(0, min(before+needed-width, c.sizes[0]-10))
	return c
}

// reportTable draws a table, its heads faintly.
func reportTable(theme *Theme, table [][]string, width int) []string {
	if len(table) == 0 {
		return nil
	}
	c := reportLayout(table, width)
	var lines []string
	for r, row := range table {
		render := theme.Plain.Render
		if r == 0 {
			render = theme.Faint.Render
		}
		for _, line := range c.lines(row) {
			lines = append(lines, render(Fit(strings.TrimRight(line, " "), width)))
		}
	}
	return lines
}

// lines returns those of a row.
func (c *reportColumns) lines(row []string) []string {
	words := func(text string, width int) []string {
		return append(Wrapped(func(text string) string { return text }, Safe(text), width), "")
	}
	last := len(c.sizes) - 1
	first, start := []string{""}, ""
	for i, text := range row[:last] {
		if text = Safe(text); i == 0 {
			first = words(text, c.sizes[0])
			text = first[0]
		}
		if c.right[i] {
			start += FitRight(text, c.sizes[i]) + "  "
		} else {
			start += Fit(text, c.sizes[i]) + "  "
		}
	}
	end := []string{""}
	switch {
	case c.right[last]:
		start += FitRight(Safe(row[last]), c.sizes[last])
	case !c.below:
		end = words(row[last], c.room)
	}
	lines := []string{start + end[0]}
	for i := 1; i < max(len(first), len(end))-1; i++ {
		line := ""
		if i < len(first) {
			line = first[i]
		}
		if i < len(end)-1 {
			line = Fit(line, Width(start)) + end[i]
		}
		lines = append(lines, line)
	}
	if c.below {
		for _, line := range words(row[last], c.room) {
			if line != "" {
				lines = append(lines, "  "+line)
			}
		}
	}
	return lines
}
