package tui

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/wording"
	"github.com/sdcdesk/sdcdesk/views"
)

// The what-if of a dialog stands on the right from this width on, else below.
const (
	wideDialog   = 92
	whatIfWidth  = 44
	whatIfHeight = 3 // below
)

// whatIf is the part of a dialog that shows the figures of its question.
type whatIf struct {
	needK  int
	answer Answer
}

// Answer takes what is known of the newest question.
func (w *whatIf) Answer(a Answer) { w.answer = a }

// figures returns what the answer tells, for drawing.
func (w *whatIf) figures(asked bool, hint string) views.WhatIfFigures {
	f := views.WhatIfFigures{Asked: asked, Hint: hint, Pending: w.answer.Pending, NeedOld: w.answer.Pending || w.answer.NeedPending, Err: w.answer.Err}
	if w.answer.Pending {
		f.Meter, f.Since = w.answer.Meter, w.answer.Since
	}
	if w.answer.WhatIf != nil {
		f.After, f.Elapsed = w.answer.WhatIf.Figures, w.answer.WhatIf.Elapsed
		f.NotApplicable, f.Sample, f.Before = w.answer.WhatIf.NotApplicable, w.answer.WhatIf.Sample, w.answer.WhatIf.Before
	}
	f.NeedK = w.needK
	if w.answer.Need != nil {
		f.Need = w.answer.Need.Suppression
	}
	return f
}

// beside draws the lines of a dialog with the what-if beside or below them,
// whichever fits. draw gets the size of the space for the dialog's own lines.
func (w *whatIf) beside(s views.State, f views.WhatIfFigures, width, height int, draw func(width, height int) []string) string {
	if width >= wideDialog {
		left := width - whatIfWidth - 3
		return sideBySide(s.Theme, fitLines(draw(left, height), left, height), strings.Split(views.WhatIfBlock(s, f, whatIfWidth, height), "\n"))
	}
	own := max(1, height-whatIfHeight-1)
	lines := draw(width, own)
	if len(lines) > own {
		lines = lines[:own]
	}
	lines = append(lines, s.Theme.Frame.Render(strings.Repeat("─", width)))
	below := min(whatIfHeight, max(1, height-len(lines)))
	return strings.Join(append(lines, strings.Split(views.WhatIfBlock(s, f, width, below), "\n")...), "\n")
}

// sideBySide joins the lines of two columns with a line between them.
func sideBySide(theme *views.Theme, left, right []string) string {
	for i := range left {
		left[i] += theme.Frame.Render(" │ ") + right[i]
	}
	return strings.Join(left, "\n")
}

// fitLines returns exactly height lines, each of width cells.
func fitLines(lines []string, width, height int) []string {
	for i := range lines {
		if gap := width - views.Width(lines[i]); gap > 0 {
			lines[i] += strings.Repeat(" ", gap)
		}
	}
	for len(lines) < height {
		lines = append(lines, strings.Repeat(" ", width))
	}
	return lines[:height]
}

// window returns the first row to show so that the chosen one is in sight.
func window(chosen, rows, height int) int {
	if rows <= height || height <= 0 {
		return 0
	}
	return max(0, min(chosen-height/2, rows-height))
}

// View draws the ends, the intervals with their records, and the what-if.
func (d *recodeIntervals) View(s views.State, width, height int) string {
	figures := d.figures(true, "")
	if d.typed != nil {
		figures.Pending, figures.NeedOld = true, true // they belong to the last ends that made sense
	}
	return d.beside(s, figures, width, height, func(width, height int) []string {
		lines := append([]string{d.viewEnds(s.Theme, width)}, d.remarks(s, width)...)
		labels := d.breaks.allLabels()
		largest := 1
		for i := range labels {
			largest = max(largest, d.breaks.count(i))
		}
		rows := max(1, height-len(lines))
		first := window(d.breaks.at, len(labels), rows)
		d.list = rowsShown{top: len(lines), first: first, rows: min(rows, len(labels)-first), width: width}
		for i := first; i < min(len(labels), first+rows); i++ {
			lines = append(lines, d.viewInterval(s, i, labels[i], largest, width))
		}
		return append(lines, viewHints(s.Theme, d.hints(), width, height-len(lines))...)
	})
}

// viewEnds draws the line of upper ends with the chosen one marked.
func (d *recodeIntervals) viewEnds(theme *views.Theme, width int) string {
	const head = "upper ends  "
	if d.ends != nil {
		return theme.Heading.Render(head) + d.ends.View(theme, max(1, width-len(head)))
	}
	if len(d.breaks.upper) == 0 {
		return theme.Faint.Render(views.Fit("one interval holds everything; a adds an end", width))
	}
	space := width - len(head)
	first := d.firstEnd(space)
	line, used := "", 0
	for i := first; i < len(d.breaks.upper); i++ {
		text, style := " "+method.FormatNumber(d.breaks.upper[i])+" ", theme.Plain
		if i == d.breaks.at {
			text, style = "▸"+method.FormatNumber(d.breaks.upper[i])+"◂", theme.Selected
		}
		if used+views.Width(text)+1 > space {
			break
		}
		line += style.Render(text) + theme.Frame.Render("│")
		used += views.Width(text) + 1
	}
	if first > 0 {
		line = theme.Faint.Render("… ") + line
	}
	return theme.Heading.Render(head) + line
}

// firstEnd returns the first end to show so that the chosen one is in sight.
func (d *recodeIntervals) firstEnd(space int) int {
	upper := d.breaks.upper
	first := min(d.breaks.at, len(upper)-1)
	used := len(method.FormatNumber(upper[first])) + 3
	for i := first + 1; i < len(upper); i++ {
		used += len(method.FormatNumber(upper[i])) + 3 // those behind it, as far as they fit
	}
	for first > 0 && used+len(method.FormatNumber(upper[first-1]))+5 <= space {
		first--
		used += len(method.FormatNumber(upper[first])) + 3
	}
	return first
}

// remarks are the lines below the ends: what is wrong with typed ends, or what
// a recode of the source values would undo.
func (d *recodeIntervals) remarks(s views.State, width int) []string {
	switch {
	case d.typed != nil:
		return append(views.Wrapped(s.Theme.Error.Render, d.typed.Error(), width),
			s.Theme.Warning.Render(views.StaleMark)+s.Theme.Faint.Render(views.Fit(" the intervals before that:", max(1, width-1))))
	case d.message != "":
		return views.Wrapped(s.Theme.Warning.Render, d.message, width)
	}
	if n := d.breaks.outside(); n > 0 {
		text := wording.Counted(n, "record") + " outside would become missing"
		return views.Wrapped(s.Theme.Warning.Render, text, width)
	}
	if column := currentColumn(s, d.variable); column != nil && column.Recoded() {
		return views.Wrapped(s.Theme.Warning.Render, "starts from the source values: it replaces what recodes have made of "+d.variable, width)
	}
	return []string{""}
}

func (d *recodeIntervals) viewInterval(s views.State, i int, label string, largest, width int) string {
	theme, labelWidth := s.Theme, min(20, max(8, width/4))
	count := d.breaks.count(i)
	if d.breaks.out(i) {
		label += " → missing"
	}
	text := views.Fit(label, labelWidth)
	switch {
	case d.typed != nil: // what stands here is not what is typed
		row := text + " " + views.Bar(float64(count)/float64(max(1, largest)), max(1, width-labelWidth-10)) + views.FitRight(views.Count(count), 9)
		return theme.Faint.Render(row)
	case d.label != nil && i == d.breaks.at:
		text = d.label.View(theme, labelWidth)
	case i == d.breaks.at:
		text = theme.Selected.Render(text)
	default:
		text = theme.Plain.Render(text)
	}
	return text + " " + bar(theme, count, largest, max(1, width-labelWidth-10)) + theme.Plain.Render(views.FitRight(views.Count(count), 9))
}

// bar draws a share of the largest count, padded to width.
func bar(theme *views.Theme, count, largest, width int) string {
	return theme.Bar.Render(views.Bar(float64(count)/float64(max(1, largest)), width))
}

// rows counts the line of ends, one per interval, and the keys below them.
func (d *recodeIntervals) rows() int { return d.breaks.intervals() + 3 + hintLines + 1 }
