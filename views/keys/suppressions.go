package keys

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Suppressions is the pane of suppressed cells: per key variable by the last step and in total, per category of
// the selected variable, and per stratum.
type Suppressions struct {
	views.TablePane
	shown suppressionKind
	alone bool // the last frame had one way of counting
	lost  views.Cache[views.NowAndBefore, []suppressionRow]
}

// NewSuppressions returns the pane of suppressed cells.
func NewSuppressions() *Suppressions {
	p := &Suppressions{TablePane: views.TablePane{PaneID: "suppressions", Heading: "Suppressions"}}
	p.Content = p.table
	p.Actions = func() []views.KeyAction {
		if p.alone {
			return nil
		}
		return []views.KeyAction{views.Presses("←→", "by variable, category, stratum", p.turn, "left", "right", "h", "l")}
	}
	return p
}

// suppressionKind is what suppressed cells are counted by.
type suppressionKind int

const (
	byVariable suppressionKind = iota
	byCategory                 // of the selected variable
	byStratum                  // of the last step, if it had strata
)

// suppressionView is a way of counting that has something to show.
type suppressionView struct {
	kind  suppressionKind
	title string
	table func(s views.State) draw.Table
}

// views lists the ways of counting and the index of the one to show: the chosen one, or the first if that has
// nothing to show.
func (p *Suppressions) views(s views.State) (all []suppressionView, at int) {
	all = []suppressionView{{byVariable, p.Heading, byVariables}}
	if name := s.Selected.Variable; slices.Contains(s.Keys(), name) && views.SuppressedCells(s, name) > 0 {
		all = append(all, suppressionView{byCategory, p.Heading + ": distribution over " + name, p.byCategory})
	}
	if step := lastSuppression(s); step != nil && len(step.Report.Strata) > 0 {
		all = append(all, suppressionView{byStratum, p.Heading + " by stratum, last step", p.byStratum})
	}
	if at = slices.IndexFunc(all, func(v suppressionView) bool { return v.kind == p.shown }); at < 0 {
		p.shown, p.Cursor, at = byVariable, draw.Cursor{}, 0
	}
	return all, at
}

// TitleFor names what the pane counts by.
func (p *Suppressions) TitleFor(s views.State) string {
	all, at := p.views(s)
	return all[at].title
}

// turn goes to the next or to the previous view.
func (p *Suppressions) turn(msg tea.KeyPressMsg, s views.State) draw.Action {
	all, at := p.views(s)
	if by, back := draw.Stepped(msg, []int{len(all) - 1}, []string{"left", "h"}); back {
		at += by
	} else {
		at++
	}
	p.shown, p.Cursor = all[at%len(all)].kind, draw.Cursor{}
	return draw.Handled{}
}

// table returns the table of the view to show.
func (p *Suppressions) table(s views.State, _ int) draw.Table {
	shown, at := p.views(s)
	p.alone = len(shown) == 1
	all := 0
	for _, name := range s.Keys() {
		all += views.SuppressedCells(s, name)
	}
	switch {
	case len(s.Keys()) == 0:
		return draw.Table{Instead: "Cells are suppressed in key variables, and none is chosen. Press v to choose key variables."}
	case all == 0:
		return draw.Table{Instead: "No cell has been suppressed. Press K to preview how many cells k-anonymity would suppress."}
	}
	return shown[at].table(s)
}

// suppressionRow is the row of a variable, a category or a stratum.
type suppressionRow struct {
	name         string
	first, cells int       // first is shown before the cells; negative if unknown
	share        draw.Cell // of the cells that there could be
	bar          float64
	style        *draw.Style
}

func (r *suppressionRow) draw(s views.State) []draw.Cell {
	if r.first < 0 {
		unknown := draw.Cell{Text: "–", Style: &s.Faint}
		return []draw.Cell{{Text: r.name}, unknown, unknown, unknown, {}}
	}
	r.share.Style = r.style
	return []draw.Cell{{Text: r.name, Style: r.style}, {Text: draw.Count(r.first), Style: r.style},
		{Text: draw.Count(r.cells), Style: r.style},
		r.share, {Share: r.bar, Style: &s.Suppressed}}
}

// suppressionTable has the columns name, first count, cells, share and a bar relative to the largest.
func suppressionTable(s views.State, rows []suppressionRow, columns ...draw.Column) draw.Table {
	largest := 0.0
	for i := range rows {
		if rows[i].first >= 0 {
			largest = max(largest, rows[i].bar)
		}
	}
	return draw.Table{Columns: append(columns, draw.Column{Kind: draw.Bars}), Rows: len(rows),
		Row: func(row int) []draw.Cell {
			r := rows[row]
			r.bar /= max(largest, 1e-300)
			return r.draw(s)
		}}
}

// byVariables has one row per key variable, and the sum.
func byVariables(s views.State) draw.Table {
	names, sum := s.Keys(), suppressionRow{name: "all", style: &s.Strong}
	rows := make([]suppressionRow, len(names))
	for i, name := range names {
		cells := views.SuppressedCells(s, name)
		rows[i] = suppressionRow{s.Marked(name), lastCells(s, name), cells, draw.Cell{Share: float64(cells) / float64(s.Records())}, float64(cells),
			nil}
		if cells == 0 {
			rows[i].style = &s.Faint
		}
		sum.first += rows[i].first
		sum.cells += cells
	}
	sum.share.Share = float64(sum.cells) / float64(s.Records()*len(names))
	t := suppressionTable(s, rows, draw.Column{Head: "variable", Least: 6},
		draw.Column{Head: "last step", Kind: draw.Counts, Rank: 2},
		draw.Column{Head: "all steps", Kind: draw.Counts}, draw.Column{Head: "%", Kind: draw.Percents, Size: 6, Rank: 1})
	t.Sum = sum.draw(s)
	t.Foot = func(width, height int) []string {
		if account := accountOf(s); account != "" && height > 1 {
			return append([]string{""}, s.Faint.Indented(account, 1, width)...)
		}
		return nil
	}
	return s.OfVariables(t, names, s.Selected.Variable)
}

// lastSuppression returns the last applied step if it suppressed cells.
func lastSuppression(s views.State) *views.Step {
	steps := s.Standing()
	if n := len(steps); n > 0 && steps[n-1].Report != nil && steps[n-1].Report.Suppression != nil {
		return &steps[n-1]
	}
	return nil
}

func lastCells(s views.State, variable string) int {
	sum := 0
	if step := lastSuppression(s); step != nil {
		for _, cells := range step.Report.Cells {
			if cells.Name == variable {
				sum += cells.Count
			}
		}
	}
	return sum
}

// accountOf compares the number of cells of the last suppression with its lower bound, and reports what it leaves.
func accountOf(s views.State) string {
	step := lastSuppression(s)
	if step == nil {
		return ""
	}
	r := step.Report
	text := fmt.Sprintf("Last step: %s in %s.", wording.Counted(r.Total, "suppressed cell"), wording.Counted(r.Touched, "record"))
	if r.Bound != nil && *r.Bound > 0 {
		if r.Price <= *r.Bound {
			text += " This is optimal (proven)."
		} else {
			text += fmt.Sprintf(" Weighted cost %s; lower bound %s.", draw.Count(r.Price), draw.Count(*r.Bound))
		}
	}
	if s.NotApplicable != "" {
		return text + " Violators: not applicable."
	}
	return text + fmt.Sprintf(" Remaining violators: default %s; conservative %s (a missing value protects no complete record); own category %s "+
		"(a missing value counts as a category).",
		draw.Count(r.Left.Default), draw.Count(r.Left.Conservative), draw.Count(r.Left.OwnCategory))
}

// Figures explains the counts.
func (*Suppressions) Figures(s views.State) []views.Figure {
	var figures []views.Figure
	for _, name := range s.Keys() {
		cells := views.SuppressedCells(s, name)
		if cells == 0 {
			continue
		}
		figures = append(figures, views.Figure{Name: "Suppressed cells of " + name,
			Value: draw.Count(cells) + ", " + wording.PercentOf(cells, s.Records()) + " of the records",
			Definition: "Suppressed cells, excluding cells that a recode or a missing-value code made missing. The next column has " +
				"the cells of the last step.",
			Formula: "number of suppressed cells",
			Values:  []string{"last step: " + draw.Count(lastCells(s, name))},
			Source:  measure.SourceTempl + ", section 4.2.2"})
	}
	return figures
}

// Method returns the method that suppresses for k-anonymity.
func (*Suppressions) Method(views.State) string { return "suppress-kanonymity" }

// lostLevels returns the categories of a variable in the order of the levels, with their records in the original
// and how many of them have a suppressed cell. It returns none if the original categories did not become whole
// categories.
func lostLevels(s views.State, variable string) []suppressionRow {
	c := s.Categories(variable)
	now := c.Now
	originals := now.OriginalCounts(c.Before)
	if originals == nil {
		return nil
	}
	became, _ := now.MadeOf(c.Before)
	levels := make([]suppressionRow, len(now.Levels))
	for i := range levels {
		levels[i] = suppressionRow{name: s.WithCode(variable, now.Levels[i].Label), first: originals[i+1]}
	}
	column, _ := s.Current.Data.Column(variable)
	for from, records := range column.SuppressedOf(c.Before) {
		if from != 0 && became[from] != 0 {
			levels[became[from]-1].cells += records
		}
	}
	for i := range levels {
		level := &levels[i]
		level.share.Share, level.bar = float64(level.cells)/float64(level.first), float64(level.cells)/max(1, float64(level.first))
	}
	return levels
}

// byCategory has one row per category, with the share of suppressed cells.
func (p *Suppressions) byCategory(s views.State) draw.Table {
	levels := *p.lost.Look(s.Categories(s.Selected.Variable),
		func() []suppressionRow { return lostLevels(s, s.Selected.Variable) })
	if levels == nil {
		return draw.Table{Instead: "Suppressed cells cannot be shown by category, because the categories of this variable are neither original " +
			"nor merged from original ones."}
	}
	return suppressionTable(s, levels, draw.Column{Head: "category", Least: 6},
		draw.Column{Head: "original", Kind: draw.Counts, Size: 9, Least: 6, Rank: 2},
		draw.Column{Head: "cells", Kind: draw.Counts, Size: 8, Least: 5}, draw.Column{Head: "% of it", Kind: draw.Percents})
}

// byStratum has one row per stratum, with the cells that the last step suppressed.
func (p *Suppressions) byStratum(s views.State) draw.Table {
	strata := lastSuppression(s).Report.Strata
	rows := make([]suppressionRow, len(strata))
	for i, it := range strata {
		cells := it.Cells.Sum()
		perRecord := float64(cells) / float64(max(1, it.Records))
		rows[i] = suppressionRow{s.WithMeanings(it.Stratum), it.Records, cells, draw.Cell{Text: fmt.Sprintf("%.1f", 100*perRecord)},
			perRecord, nil}
	}
	t := suppressionTable(s, rows, draw.Column{Head: "stratum", Size: 8, Most: 28, Least: 6},
		draw.Column{Head: "records", Kind: draw.Counts, Size: 9, Least: 7, Rank: 2},
		draw.Column{Head: "cells", Kind: draw.Counts, Size: 8, Least: 5}, draw.Column{Head: "per 100", Kind: draw.Counts})
	t.Status = func(width int) []string {
		return []string{s.Faint.Fit(" "+cellsOf(strata[p.Cursor.At]), width)}
	}
	return t
}

// cellsOf lists the suppressed cells of a stratum by variable.
func cellsOf(it method.StratumCells) string {
	var parts []string
	for _, cells := range it.Cells {
		if cells.Count > 0 {
			parts = append(parts, cells.Name+" "+draw.Count(cells.Count))
		}
	}
	if len(parts) == 0 {
		return "nothing suppressed"
	}
	return strings.Join(parts, "  ")
}
