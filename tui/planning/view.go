package planning

import (
	"fmt"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// View draws the frontier.
func (d *Plans) View(s views.State, width, height int) string {
	r := d.now()
	head := []string{d.status(s, width)}
	if len(r.Frontier) == 0 {
		return strings.Join(append(head, d.nothing(s, width)...), "\n")
	}
	d.outcome.For(d.unjudged()) // cancels the computation for a plan that the cursor has left
	return d.lines(s, d, head, height/2-1, width, height)
}

// figures draws the figures after the plan under the cursor in so many lines, or returns nil if there is no room.
func (d *Plans) figures(s views.State, width, height int) []string {
	if height < 1 {
		return nil
	}
	s.K = d.k
	return strings.Split(views.WhatIfBlock(s, d.Figures(true, ""), width, height), "\n")
}

func (d *Plans) picture(s views.State, width, height int) []string {
	return planPicture(s, d.now().Frontier, d.now().at, d.now().Detail, d.single, width, height)
}

// story describes the steps of the plan under the cursor, with its figures below.
func (d *Plans) story(s views.State, width, height int) []string {
	r := d.now()
	const block = 12 // lines of the figures as a table
	most := 2
	if d.both {
		most = 3
	}
	if height >= block+12 {
		most = block
	}
	figures := d.figures(s, width, min(most, height-4))
	room := height - len(figures)
	story := d.planStory(s, r.Frontier[r.at], width, room)
	return append(dialogs.FitLines(story, width, max(0, room)), figures...)
}

// status shows the progress of the search.
func (d *Plans) status(s views.State, width int) string {
	r, theme := d.now(), s.Theme
	noun := "combination"
	if d.single {
		noun = "recode"
	}
	tried := wording.Counted(r.Tried, noun) + " searched"
	if r.running == nil {
		text := fmt.Sprintf(" %s in %s", tried, draw.Duration(r.elapsed))
		switch {
		case r.Exhausted:
			text += "; search complete"
		case r.stopped:
			text = " stopped: " + strings.TrimSpace(text)
		}
		return theme.Faint.Fit(text, width)
	}
	text := fmt.Sprintf(" searching, round %d, %s ", r.Rounds+1, draw.Duration(r.elapsed+s.Now().Sub(r.running.since)))
	if r.Rounds > 0 {
		text += "· " + tried + " "
	}
	return underway(theme, text, r.running.meter.Fraction(), width)
}

// nothing returns the reason why there is no plan.
func (d *Plans) nothing(s views.State, width int) []string {
	r := d.now()
	if r.err != nil {
		return append([]string{""}, s.Theme.Error.Wrapped(r.err.Error(), width)...)
	}
	text := "The first plans appear after the first round: recodes of the key variables with the remaining suppression, " +
		"by information loss of the recodes."
	if r.stopped {
		text = "The search was stopped during its first round."
	}
	return append([]string{""}, s.Theme.Faint.Wrapped(text, width)...)
}
