package dialogs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/utility/tradeoff"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// From this width on, the what-if of a dialog is on the right, otherwise below.
const (
	WideDialog   = 92
	whatIfWidth  = 44
	WhatIfHeight = 3 // if it is below
)

// WhatIf is the part of a dialog that shows the figures of its question.
type WhatIf struct {
	NeedK int
	Known Answer
}

// Answer takes the answer to the latest question, or a part of it.
func (w *WhatIf) Answer(a Answer) { w.Known = a }

// Figures returns the answer in the form used for drawing.
func (w *WhatIf) Figures(asked bool, hint string) views.WhatIf {
	if asked {
		hint = ""
	}
	return views.WhatIf{Answer: w.Known.Answer, NeedK: w.NeedK, Hint: hint}
}

// Explained explains the figures of the what-if, or returns nil if there are none.
func (w *WhatIf) Explained(s views.State) []views.Figure {
	if w.Known.WhatIf == nil {
		return nil
	}
	masking := w.Known.WhatIf.Masking
	if masking == nil {
		return views.ExplainShown(s, w.Known.WhatIf.Figures, measure.WhatIf)
	}
	figures := views.ExplainShown(s, masking.Then.Set, measure.WhatIf)
	if masking.Keys {
		figures = append(figures, views.ExplainShown(s, w.Known.WhatIf.Figures, measure.WhatIf)...)
	}
	return figures
}

// NextTo draws the lines of a dialog with the what-if next to or below them, whichever fits. draw gets the size
// for the dialog's own lines.
func (w *WhatIf) NextTo(s views.State, f views.WhatIf, width, height int,
	draw func(width, height int) []string) string {
	return NextToFigures(s, func(width, height int) string { return views.WhatIfFigures(s, f, width, height) }, width,
		height, draw)
}

// NextToFigures is NextTo with figures drawn by a function.
func NextToFigures(s views.State, figures func(width, height int) string, width, height int,
	draw func(width, height int) []string) string {
	if width >= WideDialog {
		left := width - whatIfWidth - 3
		return SideBySide(s.Theme, FitLines(draw(left, height), left, height),
			strings.Split(figures(whatIfWidth, height), "\n"))
	}
	own, rule := max(1, height-WhatIfHeight-1), []string{s.Frame.Render(strings.Repeat("─", width))}
	switch {
	case height < 6: // the dialog's own lines are more important than the rest of the figures
		own, rule = max(1, height-1), nil
	case height < 8:
		own = height - 3
	}
	lines := draw(width, own)
	lines = append(Shortened(s.Theme, lines, width, own), rule...)
	if len(lines) == height {
		return strings.Join(lines, "\n")
	}
	below := min(WhatIfHeight, max(1, height-len(lines)))
	return strings.Join(append(lines, strings.Split(figures(width, below), "\n")...), "\n")
}

// SideBySide joins the lines of two columns with a vertical line between them.
func SideBySide(theme *draw.Theme, left, right []string) string {
	for i := range left {
		left[i] += theme.Frame.Render(" │ ") + right[i]
	}
	return strings.Join(left, "\n")
}

// FitLines returns exactly height lines, each of width cells.
func FitLines(lines []string, width, height int) []string {
	return strings.Split(draw.Exactly(strings.Join(lines, "\n"), width, height), "\n")
}

// Suppression returns the account of the suppression in the answer, for a search that of the best result so far,
// or nil if it is not known.
func (a Answer) Suppression() *method.Suppression {
	switch {
	case a.Search != nil:
		return a.Search.Account.Suppression
	case a.WhatIf == nil:
		return nil
	}
	return a.WhatIf.Report.Suppression
}

// Warnings draws the warnings of the step.
func (w *WhatIf) Warnings(s views.State, width int) []string {
	if w.Known.WhatIf == nil || w.Known.Pending {
		return nil
	}
	warnings := w.Known.WhatIf.Report.Warnings
	if m := w.Known.WhatIf.Masking; m != nil {
		if warning := m.Then.Worth().StillClose(tradeoff.LowLinkage); warning != "" {
			warnings = append(slices.Clone(warnings), warning)
		}
	}
	var lines []string
	for _, warning := range warnings {
		lines = s.Warning.Append(lines, warning, width)
	}
	return lines
}

// Clickable is a dialog that handles clicks. x and y are cells from the upper left corner inside the window.
type Clickable interface {
	Dialog
	Click(x, y int, s views.State) draw.Action
}

// RowsShown remembers where a list was last drawn, for clicks.
type RowsShown struct {
	Top, First, Rows, Width int
}

// At returns the index of the row at a cell; ok is false if there is none.
func (r RowsShown) At(x, y int) (place int, ok bool) {
	return r.First + y - r.Top, y >= r.Top && y < r.Top+r.Rows && x < r.Width
}

// Window returns the first row to show so that the chosen one is visible.
func Window(chosen, rows, height int) int {
	if rows <= height || height <= 0 {
		return 0
	}
	return max(0, min(chosen-height/2, rows-height))
}

// InSight draws the rows around at in at most height lines of width cells. Rows that do not fit are counted in a
// line above and below, drawn by hidden, or by default as their number. If there is no line for that, the last one
// ends with an arrow.
func InSight(theme *draw.Theme, n, at, width, height int, row func(i int) string,
	hidden func(arrow string, from, to int) string) ([]string, RowsShown) {
	const least = 3 // with fewer lines there is none for a mark
	height = max(1, height)
	if hidden == nil {
		hidden = func(arrow string, from, to int) string {
			return theme.Key.Fit("  "+arrow+" "+draw.Count(to-from)+" more", width)
		}
	}
	first := Window(at, n, height)
	last := min(n, first+height)
	shown := RowsShown{First: first, Rows: last - first, Width: width}
	above, below := first > 0 && height >= least, last < n && height >= least
	if above && at == first {
		first, last, below = first-1, last-1, true
	}
	var lines []string
	for i := first; i < last; i++ {
		lines = append(lines, row(i))
	}
	if above {
		lines[0] = hidden("↑", 0, first+1)
		shown.Top, shown.First, shown.Rows = 1, first+1, shown.Rows-1
	}
	if below {
		lines[len(lines)-1] = hidden("↓", last-1, n)
		shown.Rows--
	}
	if height < least && n > height {
		arrow := "↓"
		if last == n {
			arrow = "↑"
		}
		lines[len(lines)-1] = draw.Ending(lines[len(lines)-1], &theme.Key, arrow, width)
	}
	return lines, shown
}

// Moved returns the index in a list of n after a key.
func Moved(at, n int, pressed string) int {
	switch pressed {
	case "up", "k":
		at--
	case "down", "j":
		at++
	case "pgup":
		at -= 10
	case "pgdown":
		at += 10
	case "home":
		at = 0
	case "end":
		at = n - 1
	}
	return max(0, min(n-1, at))
}

// Bar draws a count as a bar relative to the largest one, and as a number.
func Bar(theme *draw.Theme, count, largest, width int) string {
	bar, records := BarAndCount(count, largest, width)
	return theme.Bar.Render(bar) + theme.Plain.Render(records)
}

// BarAndCount returns the texts of Bar without colours.
func BarAndCount(count, largest, width int) (bar, records string) {
	size := max(9, draw.Width(draw.Count(largest))+1)
	return draw.Bar(float64(count)/float64(max(1, largest)), max(1, width-size)), draw.FitRight(draw.Count(count), size)
}

// Weighted says how many of the population records stand for: "; weighted 384.8, 0.4 %"; "" without a weight.
func Weighted(s views.State, people, all float64) string {
	if s.Scenario.Weight == "" || !(all > 0) {
		return ""
	}
	return fmt.Sprintf("; weighted %s, %s", wording.Amount(people), wording.Percent(people/all))
}
