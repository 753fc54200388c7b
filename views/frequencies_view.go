package views

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// levelFigures are the figures of one line of categories.
type levelFigures struct {
	code  uint32
	label string
	count pair
	share string
}

// View draws the categories that are in sight.
func (p *Frequencies) View(s State, width, height int, focused bool) string {
	categories := categoriesOf(s.Current, s.Selected.Variable)
	if categories == nil {
		return sentence(s, "Select a variable to see its categories.", width, height)
	}
	shown := p.look(s, categories)
	first, last := p.list.window(len(shown.codes), height-1)
	figures := make([]levelFigures, last-first)
	var counts pairSize
	labels, meanings := 8, codeLabels(s, s.Selected.Variable)
	for i := range figures {
		figures[i] = p.figures(categories, shown, shown.codes[first+i])
		figures[i].label = withCodeLabel(figures[i].label, meanings)
		counts.grow(figures[i].count)
		labels = max(labels, min(40, Width(Safe(shortened(figures[i].label)))))
	}
	fields := levelFields(labels, &counts, width)
	lines := []string{p.head(s, fields, width)}
	for i := range figures {
		lines = append(lines, p.row(s, categories, shown, figures[i], fields, counts, first+i == p.list.at, focused, width))
	}
	if len(figures) == 0 {
		lines = append(lines, s.Theme.Faint.Render(Fit(" no category contains "+p.filter, width)))
	}
	return Exactly(strings.Join(lines, "\n"), width, height)
}

// levelFields returns the columns: category, bar, records, percent. Where it is
// narrow the records of the original give way to the bar.
func levelFields(labels int, counts *pairSize, width int) []field {
	head := "records"
	if width < 36 {
		head = "n"
	}
	if width < labels+counts.size()+16 {
		counts.original = 0
	}
	fields := []field{
		{head: "category", size: labels, least: min(labels, max(6, width/3))},
		{size: 0}, // the bar takes what is left
		{head: head, right: true, size: max(len(head), counts.size(), 3)},
		{head: "%", right: true, size: 5, rank: 2},
	}
	arrange(fields, width-2)
	if bar := width - 2 - taken(fields, func(f field) int { return f.size }) - 1; bar >= 3 {
		fields[1].size = bar
	}
	return fields
}

func (p *Frequencies) figures(categories *microdata.Categories, shown *shownLevels, code uint32) levelFigures {
	count := categories.Counts()[code]
	f := levelFigures{code: code, label: levelLabel(categories, code),
		count: pair{now: Count(count)}, share: strings.TrimSuffix(Share(count, categories.Codes.Len()), " %")}
	if before := shown.original(code); before >= 0 {
		f.count.original = Count(before)
	}
	return f
}

// head names the columns, or shows the filter.
func (p *Frequencies) head(s State, fields []field, width int) string {
	switch {
	case p.typed.active:
		return p.typed.draw(s.Theme, "/", width)
	case p.filter != "":
		return s.Theme.Warning.Render(Fit(" only with "+p.filter+" · esc shows all", width))
	}
	if p.byCount {
		fields[2].head += "↓"
	}
	return headings(s, fields, 1, width)
}

func (p *Frequencies) row(s State, categories *microdata.Categories, shown *shownLevels, f levelFigures, fields []field, counts pairSize, chosen, focused bool, width int) string {
	theme := s.Theme
	l := newLine(width, cursor(theme, chosen && focused, focused))
	style, bar := &theme.Plain, &theme.Bar
	count := categories.Counts()[f.code]
	switch before := shown.original(f.code); {
	case f.code == 0 && before >= 0 && count > before && suppressedCells(s, s.Selected.Variable) > 0:
		style, bar = &theme.Suppressed, &theme.Suppressed
	case f.code == 0 || count == 0:
		style, bar = &theme.Faint, &theme.BarOriginal
	}
	l.mark(&theme.Strong, chosen)
	l.field(style, fields[0], f.label)
	if l.next(fields[1]) {
		share := func(n int) float64 { return float64(n) / float64(shown.largest) }
		l.bar(theme, fresh(s, bar), share(count), share(max(0, shown.original(f.code))), fields[1].size)
	}
	l.pairField(theme, fresh(s, style), fields[2], f.count, counts)
	l.field(fresh(s, style), fields[3], f.share)
	return l.String()
}
