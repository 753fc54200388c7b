package recoding

import (
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// View draws the ends, the intervals with their records, and the what-if.
func (d *recodeIntervals) View(s views.State, width, height int) string {
	figures := d.Figures(true, "")
	if d.typed != nil {
		figures.Pending = true // they belong to the last valid ends
	}
	return d.NextTo(s, figures, width, height, func(width, height int) []string {
		lines := append([]string{d.viewEnds(s.Theme, width)}, d.remarks(s, width)...)
		labels, _ := d.breaks.allLabels()
		largest := 1
		for i := range labels {
			largest = max(largest, d.breaks.count(i))
		}
		known := []string{"↑↓", "←→", "shift+←→", "a", "d", "0-9", "0-9 -"}
		return d.viewList(s.Theme, lines, width, height, len(labels), d.breaks.at, known,
			func(i int) string { return d.viewInterval(s, i, labels[i], largest, width) })
	})
}

// viewEnds draws the line of upper ends with a mark at the selected one.
func (d *recodeIntervals) viewEnds(theme *draw.Theme, width int) string {
	const head = "breaks  "
	upper := d.breaks.upper
	switch {
	case d.Typing() && d.ends:
		return theme.Heading.Render(head) + d.input.View(theme, max(1, width-len(head)))
	case len(upper) == 0:
		return theme.Faint.Fit("one interval contains everything; a adds a bound", width)
	}
	space := width - len(head)
	first := d.firstEnd(space)
	line := ""
	for i := first; i < len(upper); i++ {
		text, style := " "+method.FormatNumber(upper[i])+" ", theme.Plain
		if i == d.breaks.at {
			text, style = "▸"+method.FormatNumber(upper[i])+"◂", theme.Selected
		}
		if space -= draw.Width(text) + 1; space < 0 {
			break
		}
		line += style.Render(text) + theme.Frame.Render("│")
	}
	if first > 0 {
		line = theme.Faint.Render("… ") + line
	}
	return theme.Heading.Render(head) + line
}

// firstEnd returns the first end to show so that the selected one is visible.
func (d *recodeIntervals) firstEnd(space int) int {
	upper := d.breaks.upper
	size := func(i int) int { return len(method.FormatNumber(upper[i])) + 3 }
	first, used := min(d.breaks.at, len(upper)-1), 0
	for i := first; i < len(upper); i++ {
		used += size(i) // those after it, as far as they fit
	}
	for ; first > 0 && used+size(first-1)+2 <= space; first-- {
		used += size(first - 1)
	}
	return first
}

// remarks returns the lines below the ends: the error of typed ends, or what a recode of the original values would
// undo.
func (d *recodeIntervals) remarks(s views.State, width int) []string {
	text := d.message
	switch column, n := s.Current.Column(d.column.Name()), d.breaks.outside(); {
	case d.typed != nil:
		return append(s.Theme.Error.Wrapped(d.typed.Error(), width),
			s.Theme.Warning.Render(draw.StaleMark)+s.Theme.Faint.Fit(" the intervals before that:", max(1, width-1)))
	case text != "":
	case n > 0:
		text = wording.Counted(n, "record") + " outside " + wording.Verb(n, "become") + " missing"
	case column != nil && column.Recoded():
		text = "starts from the original values and replaces earlier recodes of " + column.Name()
	default:
		return []string{""}
	}
	return s.Theme.Warning.Wrapped(text, width)
}

func (d *recodeIntervals) viewInterval(s views.State, i int, label string, largest, width int) string {
	theme, size, count := s.Theme, min(20, max(8, width/4)), d.breaks.count(i)
	if d.breaks.out(i) {
		label += " → missing"
	}
	style := &theme.Plain
	switch {
	case d.typed != nil: // the ends differ from the typed ones
		bar, records := dialogs.BarAndCount(count, largest, width-size-1)
		return theme.Faint.Render(draw.Fit(label, size) + " " + bar + records)
	case d.Typing() && !d.ends && i == d.breaks.at:
		return d.input.View(theme, size) + " " + dialogs.Bar(theme, count, largest, width-size-1)
	case i == d.breaks.at:
		style = &theme.Selected
	}
	return viewRow(theme, style, label, size, count, largest, width)
}

// Rows returns the number of lines of the ends, the intervals, and the keys below them.
func (d *recodeIntervals) Rows() int { return d.breaks.intervals() + 3 + hintLines + 1 }
