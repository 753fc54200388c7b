package views

import "strings"

// wrapped breaks a text at blanks into lines of width cells at most. Runs of
// blanks stay where they do not stand at the end of a line.
func wrapped(render func(...string) string, text string, width int) []string {
	var lines []string
	line := ""
	gap := ""
	for _, word := range strings.Split(shortened(text), " ") {
		if word == "" {
			gap += " "
			continue
		}
		if line != "" && Width(line)+Width(gap)+1+Width(word) > width {
			lines = append(lines, render(Fit(line, width)))
			line, gap = "", ""
		}
		if line != "" {
			line += gap + " "
		}
		line, gap = line+word, ""
	}
	if line != "" {
		lines = append(lines, render(Fit(line, width)))
	}
	return lines
}
