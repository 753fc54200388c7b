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
		figures.Pending = true // they belong to the last ends that made sense
	}
	return d.Beside(s, figures, width, height, func(width, height int) []string {
		lines := append([]string{d.viewEnds(s.Theme, width)}, d.remarks(s, width)...)
		labels, _ := d.breaks.allLabels()
		largest := 1
		for i := range labels {
			largest = max(largest, d.breaks.count(i))
		}
		return viewList(s.Theme, lines, d.ends != nil, width, height, &d.list, len(labels), d.breaks.at, d.hints(),
			func(i int) string { return d.viewInterval(s, i, labels[i], largest, width) })
	})
}

// viewEnds draws the line of upper ends with the chosen one marked.
func (d *recodeIntervals) viewEnds(theme *draw.Theme, width int) string {
	const head = "upper ends  "
	if d.ends != nil {
		return theme.Heading.Render(head) + d.ends.View(theme, max(1, width-len(head)))
	}
	if len(d.breaks.upper) == 0 {
		return theme.Faint.Fit("one interval holds everything; a adds an end", width)
	}
	space := width - len(head)
	first := d.firstEnd(space)
	line, used := "", 0
	for i := first; i < len(d.breaks.upper); i++ {
		text, style := " "+method.FormatNumber(d.breaks.upper[i])+" ", theme.Plain
		if i == d.breaks.at {
			text, style = "▸"+method.FormatNumber(d.breaks.upper[i])+"◂", theme.Selected
		}
		if used+draw.Width(text)+1 > space {
			break
		}
		line += style.Render(text) + theme.Frame.Render("│")
		used += draw.Width(text) + 1
	}
	if first > 0 {
		line = theme.Faint.Render("… ") + line
	}
	return theme.Heading.Render(head) + line
}

// firstEnd returns the first end to show so that the chosen one is in sight.
func (d *recodeIntervals) firstEnd(space int) int {
	upper := d.breaks.upper
	size := func(i int) int { return len(method.FormatNumber(upper[i])) + 3 }
	first, used := min(d.breaks.at, len(upper)-1), 0
	for i := first; i < len(upper); i++ {
		used += size(i) // those behind it, as far as they fit
	}
	for ; first > 0 && used+size(first-1)+2 <= space; first-- {
		used += size(first - 1)
	}
	return first
}

// remarks are the lines below the ends: what is wrong with typed ends, or what
// a recode of the source values would undo.
func (d *recodeIntervals) remarks(s views.State, width int) []string {
	switch {
	case d.typed != nil:
		return append(s.Theme.Error.Wrapped(d.typed.Error(), width),
			s.Theme.Warning.Render(draw.StaleMark)+s.Theme.Faint.Fit(" the intervals before that:", max(1, width-1)))
	case d.message != "":
		return s.Theme.Warning.Wrapped(d.message, width)
	}
	if n := d.breaks.outside(); n > 0 {
		text := wording.Counted(n, "record") + " outside would become missing"
		return s.Theme.Warning.Wrapped(text, width)
	}
	if column := s.Current.Column(d.variable); column != nil && column.Recoded() {
		return s.Theme.Warning.Wrapped("starts from the source values: it replaces what recodes have made of "+
			""+d.variable, width)
	}
	return []string{""}
}

func (d *recodeIntervals) viewInterval(s views.State, i int, label string, largest, width int) string {
	theme, labelWidth := s.Theme, min(20, max(8, width/4))
	count := d.breaks.count(i)
	if d.breaks.out(i) {
		label += " → missing"
	}
	text := draw.Fit(label, labelWidth)
	switch {
	case d.typed != nil: // what stands here is not what is typed
		bar, records := dialogs.BarAndCount(count, largest, width-labelWidth-1)
		return theme.Faint.Render(text + " " + bar + records)
	case d.label != nil && i == d.breaks.at:
		text = d.label.View(theme, labelWidth)
	case i == d.breaks.at:
		text = theme.Selected.Render(text)
	default:
		text = theme.Plain.Render(text)
	}
	return text + " " + dialogs.Bar(theme, count, largest, width-labelWidth-1)
}

// Rows counts the line of ends, one per interval, and the keys below them.
func (d *recodeIntervals) Rows() int { return d.breaks.intervals() + 3 + hintLines + 1 }
