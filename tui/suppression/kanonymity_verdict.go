package suppression

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Under draws how good the suppression is: the number of cells with the lower bound, and the remaining violators.
func (d *kAnonymity) Under(s views.State, width, height int) []string {
	theme := s.Theme
	report := d.Known.Suppression()
	if d.Known.Err != nil {
		return theme.Error.Wrapped(d.Known.Err.Error(), width)
	}
	underway := views.Underway(s, d.meter(), d.Known.Since, width)
	if report == nil {
		return []string{cmp.Or(underway, theme.Faint.Fit("counting …", width))}
	}
	lines := d.verdict(s, report, width, height)
	if d.Known.Pending && d.Known.Search == nil { // of an earlier question
		for i := range lines {
			lines[i] = theme.Faint.Render(ansi.Strip(lines[i]))
		}
		last := strings.TrimRight(ansi.Strip(lines[len(lines)-1]), " ")
		lines[len(lines)-1] = theme.Faint.Fit(last, min(draw.Width(last), width-2)) + theme.Warning.Render(" "+draw.StaleMark)
		if underway != "" {
			lines = append(lines, underway)
		}
	}
	return draw.Under(lines, d.budgets(s, report, width, height-len(lines)-1))
}

// budgets draws the remaining violators by number of cells, with the budget, or returns nil if there is none or no
// room.
func (d *kAnonymity) budgets(s views.State, report *method.Suppression, width, height int) []string {
	const least = 4
	budget, ok := d.charted()
	if !ok || len(report.Budgets) == 0 || height < least {
		return nil
	}
	return BudgetPicture(s.Theme, report.Budgets, budget, width, height)
}

// meter returns the meter of the figures being computed, or nil if they are ready.
func (d *kAnonymity) meter() *progress.Meter {
	if !d.Known.Pending {
		return nil
	}
	return d.Known.Meter
}

// verdict describes the account of a suppression.
func (d *kAnonymity) verdict(s views.State, report *method.Suppression, width, height int) []string {
	theme := s.Theme
	cost := fmt.Sprintf("%s (%s of the key-variable cells) in %s", wording.Counted(report.Total, "cell"),
		wording.PercentOf(report.Total, s.Current.Data.Records()*max(1, len(s.Scenario.Keys))),
		wording.Counted(report.Touched, "record"))
	if height < leastVerdict && width < narrowVerdict && report.Bound != nil && s.NotApplicable == "" &&
		len(report.Strata)+len(report.Subsets) == 0 {
		return d.briefly(s, report, width)
	}
	lines := theme.Suppressed.Wrapped(cost, width)
	if d.method.Budget == nil || report.Bound != nil {
		lines = theme.Plain.Append(lines, boundSentence(report, d.ordered), width)
	}
	if s.NotApplicable != "" {
		lines = theme.Warning.Append(lines, "violators: not applicable, because "+s.NotApplicable, width)
		return append(lines, d.Searched(s, width)...)
	}
	style := theme.Good
	left := report.Left
	if left.Conservative > 0 {
		style = theme.Middle
	}
	goal := fmt.Sprintf("k = %d", report.K)
	if len(report.Subsets) > 0 {
		goal = "k in some combination"
	}
	counts := fmt.Sprintf("default %s · conservative %s · own category %s", draw.Count(left.Default),
		draw.Count(left.Conservative), draw.Count(left.OwnCategory))
	text := "remaining violators of " + goal + ": " + counts
	if len(report.Strata) > 0 {
		text = "remaining violators of " + goal
		for _, place := range [...]struct{ name, counts string }{{"within strata", counts},
			{"in the whole file", d.inWholeFile(report)}} {
			if place.counts != "" {
				text += "\n" + draw.Fit(place.name, 19) + place.counts
			}
		}
	}
	if len(report.Subsets) > 0 {
		text += "; the figures of the file count all key variables together"
	}
	for line := range strings.SplitSeq(text, "\n") {
		lines = style.Append(lines, line, width)
	}
	if left.Conservative > 0 && d.method.Rule == string(microdata.RuleDefault) && d.Field() != d.Named("rule") {
		lines = theme.Middle.Append(lines, ruleHelp[d.method.Rule], width)
	}
	means := theme.Faint.Wrapped("conservative: a missing value protects no complete record · own category: a missing value counts as a category", width)
	if d.method.Budget == nil && len(lines)+len(means) < height {
		lines = append(lines, means...)
	}
	return append(lines, d.Searched(s, width)...)
}

// leastVerdict and narrowVerdict are the height and width below which a verdict is brief, so that the lower bound
// stays visible.
const (
	leastVerdict  = 4
	narrowVerdict = 64
)

// briefly returns cells, lower bound and remaining violators in at most two lines.
func (d *kAnonymity) briefly(s views.State, report *method.Suppression, width int) []string {
	cells := fmt.Sprintf("%s, lower bound %s", wording.Counted(report.Total, "cell"), draw.Count(*report.Bound))
	if d.ordered {
		cells = fmt.Sprintf("%s, weighted cost %s, lower bound %s", wording.Counted(report.Total, "cell"), draw.Count(report.Price),
			draw.Count(*report.Bound))
	}
	left, style := report.Left, s.Good
	if left.Conservative > 0 {
		style = s.Middle
	}
	return []string{s.Suppressed.Fit(cells, width),
		style.Fit(fmt.Sprintf("remaining: default %s · conservative %s · own category %s", draw.Count(left.Default),
			draw.Count(left.Conservative), draw.Count(left.OwnCategory)), width)}
}

// inWholeFile returns the remaining violators without strata, like the figures next to the fields, or "" if they
// are not known.
func (d *kAnonymity) inWholeFile(report *method.Suppression) string {
	if d.Known.WhatIf == nil {
		return ""
	}
	var parts []string
	for _, count := range [...]struct{ name, words string }{
		{"violators", string(d.scenario.Rule)}, {"conservative_violators", "conservative"},
		{"own_category_violators", "own category"},
	} {
		v := d.Known.WhatIf.Figures.Value("kanonymity", count.name, report.K)
		if v == nil {
			return ""
		}
		if !slices.ContainsFunc(parts, func(part string) bool { return strings.HasPrefix(part, count.words+" ") }) {
			parts = append(parts, count.words+" "+v.Text())
		}
	}
	return strings.Join(parts, " · ")
}

// boundSentence compares the number of cells, or their weighted cost, with the lower bound.
func boundSentence(report *method.Suppression, priced bool) string {
	if report.Bound == nil {
		return "lower bound unknown"
	}
	bound := *report.Bound
	unit := ""
	if priced {
		unit = "weighted cost " + draw.Count(report.Price) + "; "
	}
	switch {
	case report.Price <= bound:
		return unit + "optimal (proven)"
	case bound == 0:
		return unit + "lower bound unknown"
	case report.Price > 2*bound:
		return fmt.Sprintf("%slower bound %s", unit, draw.Count(bound))
	default:
		return fmt.Sprintf("%slower bound %s: this solution is at most %s above the optimum",
			unit, draw.Count(bound), wording.PercentOf(report.Price-bound, bound))
	}
}
