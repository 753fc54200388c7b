package dialogs

import "github.com/sdcdesk/sdcdesk/views"

// NewComparison shows two states of the data side by side: tables of texts, heads in
// the first row, and a sentence between them.
func NewComparison(figures, variables [][]string, sentence string) *Text {
	d := newPage("Compare", func(s views.State, width int) []string {
		var lines []string
		table := func(rows [][]string) {
			for i, line := range views.SideBySide(rows, width) {
				if i == 0 {
					line = s.Theme.Heading.Render(line)
				}
				lines = append(lines, line)
			}
		}
		table(figures)
		lines = append(lines, "", s.Theme.Faint.Render(views.Fit("* is better", width)), "")
		lines = append(lines, views.Wrapped(s.Theme.Strong.Render, sentence, width)...)
		if len(variables) > 1 {
			lines = append(lines, "")
			table(variables)
		}
		return lines
	})
	d.width, d.height = 100, len(figures)+len(variables)+5
	d.acts = []Act{d.scrolling(), closing("close", "q", "enter")}
	return d
}
