package planning

import (
	"fmt"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// View draws the frontier as a table, beside it where there is room as a picture and
// the steps of the plan under the cursor, else one of them below.
func (d *Plans) View(s views.State, width, height int) string {
	r := d.now()
	lines := []string{d.status(s, width)}
	if len(r.points) == 0 {
		return strings.Join(append(lines, d.nothing(s, width)...), "\n")
	}
	d.telling.For(r.points[r.at]) // ends the count for a plan that the cursor has left
	height = max(1, height-1)
	d.top = 1
	if d.both = width >= dialogs.WideDialog && height >= 16; width >= dialogs.WideDialog {
		right := max(46, width*2/5)
		left := width - right - 3
		return strings.Join(append(lines, dialogs.SideBySide(s.Theme,
			dialogs.FitLines(d.list(s, left, height), left, height), dialogs.FitLines(d.beside(s, right, height), right,
				height))), "\n")
	}
	share := 2
	if d.picture {
		share = 4 // a picture needs more lines than the steps
	}
	rows := min(len(r.points)+1, max(3, height/share))
	lines = append(lines, d.list(s, width, rows)...)
	lines = append(lines, s.Theme.Frame.Render(strings.Repeat("─", width)))
	below := height - rows - 1
	if picture := PlanPicture(s, r.points, r.at, r.detail, width, below); d.picture && picture != nil {
		return strings.Join(append(lines, picture...), "\n")
	}
	figures := d.figures(s, width, min(2, below-4))
	if below -= len(figures); below > 0 {
		lines = append(append(lines, PlanStory(s, r.points[r.at], d.told[r.points[r.at]], r.detail, width, below)...), figures...)
	}
	return strings.Join(lines, "\n")
}

// figures draws those after the plan under the cursor in so many lines; nil where there
// is no room for them.
func (d *Plans) figures(s views.State, width, height int) []string {
	if height < 1 {
		return nil
	}
	s.K = d.k
	return strings.Split(views.WhatIfBlock(s, d.Figures(true, ""), width, height), "\n")
}

// list draws the table of plans.
func (d *Plans) list(s views.State, width, height int) []string {
	r := d.now()
	d.cursor.At = r.at
	table := PlanTable(s, r.points, r.detail)
	return table.Lines(s.Look, &d.cursor, width, height, true)
}

// beside draws the picture and below it the steps of the plan under the cursor; with
// room for one of them that which was asked for.
func (d *Plans) beside(s views.State, width, height int) []string {
	r := d.now()
	var lines []string
	if high := min(20, height*3/5); d.both {
		if lines = PlanPicture(s, r.points, r.at, r.detail, width, high); lines != nil {
			lines = append(lines, "")
		}
	} else if picture := PlanPicture(s, r.points, r.at, r.detail, width, height); d.picture && picture != nil {
		return picture
	}
	const block = 12 // lines of the figures as a table
	figures := d.figures(s, width, min(3, height-len(lines)-8))
	if height-len(lines) >= block+12 {
		figures = d.figures(s, width, block)
	}
	room := height - len(lines) - len(figures)
	story := dialogs.FitLines(dialogs.Shortened(s.Theme, PlanStory(s, r.points[r.at], d.told[r.points[r.at]], r.detail, width,
		room), width, room), width, max(0, room))
	return append(append(lines, story...), figures...)
}

// status says how far the search has come.
func (d *Plans) status(s views.State, width int) string {
	r, theme := d.now(), s.Theme
	tried := wording.Counted(r.tried, "combination") + " of recodes tried"
	if r.running == nil {
		text := fmt.Sprintf(" %s in %s, %s", tried, wording.Counted(r.rounds, "round"), draw.Duration(r.elapsed))
		switch {
		case r.exhausted:
			text += "; nothing is left to be tried"
		case r.stopped:
			text = " stopped: " + strings.TrimSpace(text)
		}
		return theme.Faint.Fit(text, width)
	}
	text := fmt.Sprintf(" searching, round %d, %s ", r.rounds+1, draw.Duration(r.elapsed+s.Now().Sub(r.running.since)))
	if r.rounds > 0 {
		text += "· " + tried + " "
	}
	return underway(theme, text, r.running.meter.Fraction(), width)
}

// nothing says why there is no plan.
func (d *Plans) nothing(s views.State, width int) []string {
	r := d.now()
	if r.err != nil {
		return append([]string{""}, s.Theme.Error.Wrapped(r.err.Error(), width)...)
	}
	text := "The first plans stand here after the first round: recodes of the key variables with the suppression that is left after them, in order of the detail that the recodes lose."
	if r.stopped {
		text = "The search was stopped before its first round had ended."
	}
	return append([]string{""}, s.Theme.Faint.Wrapped(text, width)...)
}
