package views

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Suppressions is the pane of cells that steps made missing: per variable by
// the last step and by all that stand, per category of the selected variable,
// and per stratum.
type Suppressions struct {
	tablePane
	shown suppressionView
	lost  lostMemo
}

// NewSuppressions returns the pane of suppressed cells.
func NewSuppressions() *Suppressions {
	p := &Suppressions{tablePane: tablePane{id: "suppressions", title: "Suppressions"}}
	p.content = p.table
	return p
}

// TitleFor names what the pane counts by.
func (p *Suppressions) TitleFor(s State) string { return p.view(s).title(s) }

// view returns the view that is shown: another than the chosen one where that
// has nothing to show.
func (p *Suppressions) view(s State) suppressionView {
	if !p.shown.available(s) {
		p.shown, p.cursor = byVariable, Cursor{}
	}
	return p.shown
}

// Keys returns the keys of the pane.
func (p *Suppressions) Keys() []key.Binding {
	return append(p.tablePane.Keys(), bind("←→", "by variable, category, stratum", "left", "right", "h", "l"))
}

// HandleKey moves through the rows and between the views.
func (p *Suppressions) HandleKey(msg tea.KeyPressMsg, s State) Action {
	by := 0
	switch {
	case key.Matches(msg, bind("", "", "left", "h")):
		by = -1
	case key.Matches(msg, bind("", "", "right", "l")):
		by = 1
	default:
		return p.tablePane.HandleKey(msg, s)
	}
	p.shown, p.cursor = p.view(s).turned(s, by), Cursor{}
	return Handled{}
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

// table is that of the view that is shown.
func (p *Suppressions) table(s State, _ int) Table {
	shown, c := p.view(s), countSuppressions(s)
	switch {
	case len(s.keys()) == 0:
		return Table{Instead: "Cells are suppressed in key variables, and none is chosen. Press v to choose some."}
	case c.allSum == 0:
		return Table{Instead: "No cell has been suppressed. Press K: the k-anonymity dialog shows how many cells would have to go, before any goes."}
	case shown == byCategory:
		return p.byCategory(s)
	case shown == byStratum:
		return p.byStratum(s)
	}
	return c.byVariable(s)
}

// byVariable has one row per key variable and the sum.
func (c *suppressionCounts) byVariable(s State) Table {
	names := s.keys()
	row := func(style *lipgloss.Style, name string, last, all, cells int, bar float64) []Cell {
		if all == 0 {
			style = &s.Theme.Faint
		}
		return []Cell{{Text: name, Style: style}, {Text: Count(last), Style: style}, {Text: Count(all), Style: style},
			{Text: strings.TrimSuffix(Share(all, cells), " %"), Style: style}, {Share: bar, Style: &s.Theme.Suppressed}}
	}
	return Table{
		Columns: []Column{
			{Head: "variable", Least: 6},
			{Head: "last step", Short: "last", Kind: Counts, Rank: 2},
			{Head: "cells", Kind: Counts},
			{Head: "%", Kind: Counts, Size: 6, Rank: 1},
			{Kind: Bars},
		},
		Rows: len(names),
		Row: func(i int) []Cell {
			return row(&s.Theme.Plain, names[i], c.last[i], c.all[i], s.records(), float64(c.all[i])/float64(c.largest))
		},
		Sum: row(&s.Theme.Strong, "all", c.lastSum, c.allSum, s.records()*len(names), 0),
		Foot: func(width, height int) []string {
			if account := accountOf(s); account != "" && height > 1 {
				return append([]string{""}, indented(s.Theme.Faint.Render, account, 1, width)...)
			}
			return nil
		},
		Follows: true, Selected: slices.Index(names, s.Selected.Variable),
		Choose: func(row int) Action { return SelectVariable{names[row]} },
	}
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
	return column.SuppressedCount()
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
		if cells.Name == variable {
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
		figures = append(figures, Figure{Name: "Suppressed cells of " + Safe(shortened(name)), Value: Count(cells) + ", " + wording.Percent(cells, s.records()) + " of the records",
			Definition: "Cells that suppressions made missing. Those that a recode left out or that were set to missing are not among them. In the column beside it those of the last step.",
			Formula:    "number of cells that are marked as suppressed",
			Values:     []string{"last step: " + Count(lastCells(s, name))},
			Source:     measure.SourceTempl + ", section 4.2.2"})
	}
	return figures
}
