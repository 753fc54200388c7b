package views

import "strings"

// Wrapped breaks a text at blanks into lines of width cells at most; a word that
// is wider, such as a path, goes over several. Runs of blanks stay where they do
// not stand at the end of a line.
func Wrapped(render func(...string) string, text string, width int) []string {
	var lines []string
	line, gap := "", ""
	end := func() {
		if line != "" {
			lines = append(lines, render(Fit(line, width)))
		}
		line, gap = "", ""
	}
	text = strings.NewReplacer("\r\n", " ", "\n", " ", "\t", " ").Replace(shortened(text))
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
