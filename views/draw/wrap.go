package draw

import (
	"strings"
)

// Wrapped breaks a text at spaces into lines of at most width cells; a longer word, such as a path, is split. Runs
// of spaces are kept except at the end of a line.
func Wrapped(render func(string) string, text string, width int) []string {
	var lines []string
	line, gap := "", ""
	end := func() {
		if line != "" {
			lines = append(lines, render(Fit(line, width)))
		}
		line, gap = "", ""
	}
	text = strings.NewReplacer("\r\n", " ", "\n", " ", "\t", " ").Replace(Shortened(text))
	for _, word := range strings.Split(text, " ") {
		if word == "" {
			gap += " "
			continue
		}
		if line != "" && Width(line)+Width(gap)+1+Width(word) > width {
			end()
		}
		if line != "" {
			line += gap + " "
		}
		gap = ""
		if Width(word) <= width {
			line += word
			continue
		}
		for _, r := range Safe(word) {
			if line != "" && Width(line+string(r)) > width {
				end()
			}
			line += string(r)
		}
	}
	end()
	return lines
}

// Under appends others to lines after an empty line, if there are others.
func Under(lines, others []string) []string {
	if len(others) == 0 {
		return lines
	}
	return append(append(lines, ""), others...)
}

// Sentence fills a pane that has nothing to show with a sentence.
func (l Look) Sentence(text string, width, height int) string {
	lines := Indented(l.Faint.Render, text, 1, width)
	if len(lines) > height && height > 0 {
		lines[height-1] = Ending(lines[height-1], &l.Faint, "…", width)
	}
	return Exactly(strings.Join(lines, "\n"), width, height)
}

// Indented wraps a text to lines of width cells, with indent cells free on the left and one on the right.
func Indented(render func(string) string, text string, indent, width int) []string {
	lines := Wrapped(render, text, max(1, width-indent-1))
	for i := range lines {
		lines[i] = strings.Repeat(" ", indent) + lines[i]
	}
	return lines
}

// Fresh returns the style of a figure, faint while it is being recomputed.
func (l Look) Fresh(style *Style) *Style {
	if l.Stale {
		return &l.Faint
	}
	return style
}
