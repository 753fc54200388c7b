package views

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Suppressions is the pane of cells that steps made missing: per variable by
// the last step and by all that stand, per category of the selected variable,
// and per stratum.
type Suppressions struct {
	list  list
	shown suppressionView
	lost  lostMemo
}

var (
	_ MousePane = (*Suppressions)(nil)
	_ Explained = (*Suppressions)(nil)
	_ Named     = (*Suppressions)(nil)
)

// ID returns "suppressions".
func (*Suppressions) ID() string { return "suppressions" }

// Title returns what stands in the frame.
func (*Suppressions) Title() string { return "Suppressions" }

// TitleFor names what the pane counts by.
func (p *Suppressions) TitleFor(s State) string { return p.view(s).title(s) }

// view returns the view that is shown: another than the chosen one where that
// has nothing to show.
func (p *Suppressions) view(s State) suppressionView {
	if !p.shown.available(s) {
		p.shown, p.list = byVariable, list{}
	}
	return p.shown
}

// Keys returns the keys of the pane.
func (*Suppressions) Keys() []key.Binding {
	return append(listKeys(), bind("←→", "by variable, category, stratum", "left", "right", "h", "l"))
}

// HandleKey moves through the rows and between the views; moving through the
// variables selects them.
func (p *Suppressions) HandleKey(msg tea.KeyPressMsg, s State) Action {
	p.view(s)
	p.follow(s)
	switch {
	case key.Matches(msg, keyViewBefore()), key.Matches(msg, keyViewNext()):
		by := 1
		if key.Matches(msg, keyViewBefore()) {
			by = -1
		}
		p.shown, p.list = p.shown.turned(s, by), list{}
		return Handled{}
	case !p.list.move(msg, p.rowsOf(s)) || p.rowsOf(s) == 0:
		return nil
	case p.shown == byVariable:
		return SelectVariable{s.keys()[p.list.at]}
	}
	return Handled{}
}

// follow puts the cursor on the selected variable.
func (p *Suppressions) follow(s State) {
	if p.shown != byVariable {
		return
	}
	for i, name := range s.keys() {
		if name == s.Selected.Variable {
			p.list.at = i
		}
	}
}

// Click selects the variable of a line.
func (p *Suppressions) Click(_, y int, s State) Action {
	row := y - 1 + p.list.first
	p.view(s)
	if y < 1 || row >= p.rowsOf(s) {
		return nil
	}
	if p.shown != byVariable {
		p.list.at = row
		return Handled{}
	}
	return SelectVariable{s.keys()[row]}
}

// Wheel moves the selection.
func (p *Suppressions) Wheel(lines int, s State) Action {
	if len(s.keys()) == 0 {
		return nil
	}
	p.view(s)
	p.follow(s)
	p.list.at += lines
	p.list.clamp(p.rowsOf(s))
	if p.shown != byVariable {
		return Handled{}
	}
	return SelectVariable{s.keys()[p.list.at]}
}

// suppressionCounts are the cells of all key variables.
type suppressionCounts struct {
	last, all       []int // per key variable
	lastSum, allSum int
	largest         int
}

func countSuppressions(s State) suppressionCounts {
	names := s.keys()
	c := suppressionCounts{last: make([]int, len(names)), all: make([]int, len(names)), largest: 1}
	for i, name := range names {
		c.last[i], c.all[i] = lastCells(s, name), suppressedCells(s, name)
		c.lastSum += c.last[i]
		c.allSum += c.all[i]
		c.largest = max(c.largest, c.all[i])
	}
	return c
}

// View draws one line per key variable and the sum.
func (p *Suppressions) View(s State, width, height int, focused bool) string {
	names, shown := s.keys(), p.view(s)
	if len(names) == 0 {
		return sentence(s, "Cells are suppressed in key variables, and none is chosen. Press v to choose some.", width, height)
	}
	c := countSuppressions(s)
	if c.allSum == 0 {
		return sentence(s, "No cell has been suppressed. Press K: the k-anonymity dialog shows how many cells would have to go, before any goes.", width, height)
	}
	switch shown {
	case byCategory:
		return p.viewCategories(s, width, height, focused)
	case byStratum:
		return p.viewStrata(s, width, height, focused)
	}
	p.follow(s)
	fields := p.fields(s, c, width)
	lines := []string{headings(s, fields, 1, width)}
	first, last := p.list.window(len(names), max(1, height-2))
	for i := first; i < last; i++ {
		lines = append(lines, p.row(s, names[i], c.last[i], c.all[i], s.records(), c.largest, fields, focused, width))
	}
	lines = append(lines, p.row(s, "", c.lastSum, c.allSum, s.records()*len(names), 0, fields, focused, width))
	if account := accountOf(s); account != "" && height > len(lines)+1 {
		lines = append(lines, "")
		for _, text := range wrapped(s.Theme.Faint.Render, account, max(1, width-2)) {
			lines = append(lines, " "+text)
		}
	}
	return Exactly(strings.Join(lines, "\n"), width, height)
}

func (p *Suppressions) fields(s State, c suppressionCounts, width int) []field {
	longest := 8
	for _, name := range s.keys() {
		longest = max(longest, min(24, Width(Safe(shortened(name)))))
	}
	last := "last step"
	if width < 44 {
		last = "last"
	}
	fields := []field{
		{head: "variable", size: longest, least: 6},
		{head: last, right: true, size: max(len(last), Width(Count(c.lastSum))), rank: 2},
		{head: "cells", right: true, size: max(5, Width(Count(c.allSum)))},
		{head: "%", right: true, size: 6, rank: 1},
		{size: 0}, // the bar takes what is left
	}
	arrange(fields, width-2)
	if bar := width - 2 - taken(fields, func(f field) int { return f.size }) - 1; bar >= 3 {
		fields[4].size = bar
	}
	return fields
}

// row draws the cells of a variable; of all where its name is "".
func (p *Suppressions) row(s State, name string, last, all, cells, largest int, fields []field, focused bool, width int) string {
	theme := s.Theme
	style, sum := &theme.Plain, name == ""
	switch {
	case sum:
		style = &theme.Strong
	case all == 0:
		style = &theme.Faint
	}
	chosen := name == s.Selected.Variable && !sum
	l := newLine(width, cursor(theme, chosen && focused, focused))
	l.mark(&theme.Strong, chosen)
	if sum {
		name = "all"
	}
	l.field(style, fields[0], name)
	for i, text := range []string{Count(last), Count(all), strings.TrimSuffix(Share(all, cells), " %")} {
		l.field(fresh(s, style), fields[i+1], text)
	}
	if !sum && l.next(fields[4]) {
		l.bar(theme, fresh(s, &theme.Suppressed), float64(all)/float64(largest), 0, fields[4].size)
	}
	return l.String()
}

// suppressedCells returns the number of cells of a variable that suppressions
// made missing.
func suppressedCells(s State, variable string) int {
	if s.Current.Data == nil {
		return 0
	}
	column, ok := s.Current.Data.Column(variable)
	if !ok {
		return 0
	}
	return column.Suppressed().Count()
}

// lastSuppression returns the last step that stands, where it suppressed.
func lastSuppression(s State) *Step {
	if s.Position <= 0 || s.Position > len(s.Steps) {
		return nil
	}
	step := &s.Steps[s.Position-1]
	if step.Report == nil || step.Report.Suppression == nil {
		return nil
	}
	return step
}

func lastCells(s State, variable string) int {
	step := lastSuppression(s)
	if step == nil {
		return 0
	}
	for _, cells := range step.Report.Cells {
		if cells.Variable == variable {
			return cells.Count
		}
	}
	return 0
}

// accountOf says how the last suppression compares with the least possible,
// and what it leaves.
func accountOf(s State) string {
	step := lastSuppression(s)
	if step == nil {
		return ""
	}
	r := step.Report
	text := fmt.Sprintf("Last step: %s in %s records.", wording.Counted(r.Total, "cell"), Count(r.Touched))
	if r.Bound != nil && *r.Bound > 0 {
		if r.Price <= *r.Bound {
			text += " No method can do with less."
		} else {
			text += fmt.Sprintf(" Price %s; no method can do with less than %s.", Count(r.Price), Count(*r.Bound))
		}
	}
	if s.NotApplicable != "" {
		return text + " Violators: not applicable."
	}
	return text + fmt.Sprintf(" Violators left: default %s, conservative %s, own category %s.",
		Count(r.Left.Default), Count(r.Left.Conservative), Count(r.Left.OwnCategory))
}

// Figures explains the counts.
func (*Suppressions) Figures(s State) []Figure {
	var figures []Figure
	for _, name := range s.keys() {
		cells := suppressedCells(s, name)
		if cells == 0 {
			continue
		}
		figures = append(figures, Figure{Name: "Suppressed cells of " + Safe(shortened(name)), Value: Count(cells) + ", " + Percent(cells, s.records()) + " of the records",
			Definition: "Cells that suppressions made missing. Those that a recode left out or that were set to missing are not among them. In the column beside it those of the last step.",
			Formula:    "number of cells that are marked as suppressed",
			Values:     []string{"last step: " + Count(lastCells(s, name))},
			Source:     sourceTempl + ", section 4.2.2"})
	}
	return figures
}
