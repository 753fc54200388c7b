package dialogs

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// NewComparison shows two states of the data side by side: their figures, the number of records that differ, the
// variables in which they differ, and the first of these records.
func NewComparison(c *session.Comparison) *Text {
	figures, variables, records := c.Tables()
	var both [][]string
	if c.Union != nil {
		both = c.Union.Table()
	}
	listed := make([]ListLine, len(records))
	for i, record := range records {
		listed[i] = ListLine{Key: record[0], Text: record[1]}
	}
	d := newPage("Comparison", func(s views.State, width int) []string {
		var lines []string
		table := func(rows [][]string) {
			for i, line := range draw.Aligned(rows, nil, width) {
				if i == 0 {
					line = s.Heading.Render(line)
				}
				lines = append(lines, line)
			}
		}
		table(narrowed(figures, width))
		lines = append(lines, "", s.Faint.Fit(session.Mark, width), "")
		if c.Union != nil {
			lines = s.Strong.Append(lines, c.Union.Sentence(), width)
			lines = append(lines, "")
			table(both)
			lines = append(lines, "")
		}
		lines = s.Strong.Append(lines, c.Sentence(), width)
		if len(variables) > 1 {
			lines = append(lines, "")
			table(variables)
		}
		if len(records) > 0 {
			lines = append(lines, "", s.Heading.Fit(c.RecordsSentence(), width))
			lines = append(lines, viewListed(s.Theme, listed, width)...)
		}
		return lines
	})
	d.width, d.height = 110, len(figures)+len(both)+len(variables)+len(records)+12
	d.acts = []views.KeyAction{d.scrolling(), closing("close", "q", "enter")}
	return d
}

// narrowed returns the figures with shorter headings for a narrow screen.
func narrowed(figures [][]string, width int) [][]string {
	const narrow, most = 76, 13
	if width >= narrow {
		return figures
	}
	short := slices.Clone(figures)
	short[0] = slices.Clone(figures[0])
	for i, head := range short[0] {
		short[0][i] = strings.TrimRight(draw.Fit(head, most), " ")
	}
	return short
}
