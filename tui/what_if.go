package tui

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/method"
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

// suppression returns the account of the suppression that was asked for; nil
// where it is not known.
func (a Answer) suppression() *method.Suppression {
	if a.WhatIf == nil {
		return nil
	}
	return a.WhatIf.Report.Suppression
}

// warnings are those of the step as it stands.
func (w *whatIf) warnings(s views.State, width int) []string {
	if w.answer.WhatIf == nil || w.answer.Pending {
		return nil
	}
	var lines []string
	for _, warning := range w.answer.WhatIf.Report.Warnings {
		lines = append(lines, views.Wrapped(s.Theme.Warning.Render, warning, width)...)
	}
	return lines
}
