package suppression

import (
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/wording"
	"github.com/sdcdesk/sdcdesk/views"
)

// Under draws the lines that say how good the suppression is: its cells
// beside the fewest that any method needs, and the violators it leaves.
func (d *kAnonymity) Under(s views.State, width, _ int) []string {
	theme := s.Theme
	report := d.Known.Suppression()
	if d.Known.Err != nil {
		return views.Wrapped(theme.Error.Render, d.Known.Err.Error(), width)
	}
	if report == nil {
		return []string{theme.Faint.Render(views.Fit("counting …", width))}
	}
	cost := fmt.Sprintf("%s (%s of the cells of the keys) in %s", wording.Counted(report.Total, "cell"),
		wording.Percent(report.Total, s.Current.Data.Records()*max(1, len(s.Scenario.Keys))), wording.Counted(report.Touched, "record"))
	lines := views.Wrapped(theme.Suppressed.Render, cost, width)
	lines = append(lines, views.Wrapped(theme.Plain.Render, boundSentence(report, d.ordered), width)...)
	if s.NotApplicable != "" {
		lines = append(lines, views.Wrapped(theme.Warning.Render, "violators: not applicable, since "+s.NotApplicable, width)...)
		return append(lines, d.progress(s, width)...)
	}
	style := theme.Good
	left := report.Left
	if left.Conservative > 0 {
		style = theme.Middle
	}
	goal := fmt.Sprintf("k = %d", d.method.K)
	if len(report.Subsets) > 0 {
		goal = "k in some combination"
	}
	text := fmt.Sprintf("violators of %s left: default %s · conservative %s · own category %s",
		goal, views.Count(left.Default), views.Count(left.Conservative), views.Count(left.OwnCategory))
	if len(report.Subsets) > 0 {
		text += "; the figures of the file count all key variables together"
	}
	lines = append(lines, views.Wrapped(style.Render, text, width)...)
	if left.Conservative > 0 && d.method.Rule == string(microdata.RuleDefault) {
		lines = append(lines, views.Wrapped(theme.Middle.Render, ruleHelp[d.method.Rule], width)...)
	}
	return append(lines, d.progress(s, width)...)
}

// boundSentence says how far the cells, or their price, are from the least.
func boundSentence(report *method.Suppression, priced bool) string {
	if report.Bound == nil {
		return "how few cells would do is known for the conservative and the own-category rule"
	}
	bound := *report.Bound
	unit := ""
	if priced {
		unit = "price " + views.Count(report.Price) + "; "
	}
	switch {
	case report.Price <= bound:
		return unit + "proven: no method can do with less"
	case bound == 0:
		return unit + "no bound is known"
	default:
		return fmt.Sprintf("%sno method can do with fewer than %s (at most %.1f %% above the least)",
			unit, views.Count(bound), 100*float64(report.Price-bound)/float64(bound))
	}
}
