package views

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Suppressions is the pane of cells that steps made missing: per variable by
// the last step and by all that stand, per category of the selected variable,
// and per stratum.
type Suppressions struct {
	tablePane
	shown suppressionView
	lost  memo[nowAndBefore, []suppressionRow]
}

// NewSuppressions returns the pane of suppressed cells.
func NewSuppressions() *Suppressions {
	p := &Suppressions{tablePane: tablePane{id: "suppressions", title: "Suppressions"}}
	p.content = p.table
	p.acts = func() []act {
		return []act{{bind("←→", "by variable, category, stratum", "left", "right", "h", "l"), p.turn}}
	}
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

// turn goes to the next view, or to the one before.
func (p *Suppressions) turn(msg tea.KeyPressMsg, s State) Action {
	by := 1
	if key.Matches(msg, bind("", "", "left", "h")) {
		by = -1
	}
	p.shown, p.cursor = p.view(s).turned(s, by), Cursor{}
	return Handled{}
}

// table is that of the view that is shown.
func (p *Suppressions) table(s State, _ int) Table {
	shown := p.view(s)
	t, all := byVariables(s)
	switch {
	case len(s.keys()) == 0:
		return Table{Instead: "Cells are suppressed in key variables, and none is chosen. Press v to choose some."}
	case all == 0:
		return Table{Instead: "No cell has been suppressed. Press K: the k-anonymity dialog shows how many cells would have to go, before any goes."}
	case shown == byCategory:
		return p.byCategory(s)
	case shown == byStratum:
		return p.byStratum(s)
	}
	return t
}

// suppressionRow is what a table of suppressed cells shows of a variable, a category
// or a stratum.
type suppressionRow struct {
	name         string
	first, cells int // the figure before that of the cells; below 0: nothing is known
	share        string
	bar          float64
	style        *Style
}

func (r *suppressionRow) draw(s State) []Cell {
	if r.first < 0 {
		unknown := Cell{Text: "–", Style: &s.Theme.Faint}
		return []Cell{{Text: r.name}, unknown, unknown, unknown, {}}
	}
	return []Cell{{Text: r.name, Style: r.style}, {Text: Count(r.first), Style: r.style}, {Text: Count(r.cells), Style: r.style},
		{Text: r.share, Style: r.style}, {Share: r.bar, Style: &s.Theme.Suppressed}}
}

// suppressionTable has the columns name, another count, cells, share and a bar,
// which is longest for the largest.
func suppressionTable(s State, rows []suppressionRow, columns ...Column) Table {
	largest := 0.0
	for i := range rows {
		if rows[i].first >= 0 {
			largest = max(largest, rows[i].bar)
		}
	}
	return Table{Columns: append(columns, Column{Kind: Bars}), Rows: len(rows), Row: func(row int) []Cell {
		r := rows[row]
		r.bar /= max(largest, 1e-300)
		return r.draw(s)
	}}
}

// byVariables has one row per key variable and the sum, all.
func byVariables(s State) (t Table, all int) {
	names, sum := s.keys(), suppressionRow{name: "all", style: &s.Theme.Strong}
	rows := make([]suppressionRow, len(names))
	for i, name := range names {
		cells := suppressedCells(s, name)
		rows[i] = suppressionRow{s.marked(name), lastCells(s, name), cells, percent(cells, s.records()), float64(cells), nil}
		if cells == 0 {
			rows[i].style = &s.Theme.Faint
		}
		sum.first += rows[i].first
		sum.cells += cells
	}
	sum.share = percent(sum.cells, s.records()*len(names))
	t = suppressionTable(s, rows, Column{Head: "variable", Least: 6}, Column{Head: "last step", Short: "last", Kind: Counts, Rank: 2},
		Column{Head: "cells", Kind: Counts}, Column{Head: "%", Kind: Counts, Size: 6, Rank: 1})
	t.Sum = sum.draw(s)
	t.Foot = func(width, height int) []string {
		if account := accountOf(s); account != "" && height > 1 {
			return append([]string{""}, indented(s.Theme.Faint.Render, account, 1, width)...)
		}
		return nil
	}
	t = s.withVariableLabels(t, names)
	t.Follows, t.Selected = true, slices.Index(names, s.Selected.Variable)
	t.Choose = func(row int) Action { return SelectVariable{names[row]} }
	t.Open = func(row int) Action { return ShowVariable{names[row]} }
	return t, sum.cells
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

// accountOf says how the last suppression compares with the least possible,
// and what it leaves.
func accountOf(s State) string {
	step := lastSuppression(s)
	if step == nil {
		return ""
	}
	r := step.Report
	text := fmt.Sprintf("Last step: %s in %s.", wording.Counted(r.Total, "cell"), wording.Counted(r.Touched, "record"))
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

// Method returns the method that suppresses for k-anonymity.
func (*Suppressions) Method(State) string { return "suppress-kanonymity" }

// suppressionView is what the pane of suppressions counts by.
type suppressionView int

const (
	byVariable suppressionView = iota
	byCategory                 // of the selected variable: where its cells fall
	byStratum                  // of the last step, where it had strata
	suppressionViews
)

// title names the view in the frame of the pane.
func (v suppressionView) title(s State) string {
	switch v {
	case byCategory:
		return "Suppressions: where they fall in " + Safe(shortened(s.Selected.Variable))
	case byStratum:
		return "Suppressions by stratum, last step"
	default:
		return "Suppressions"
	}
}

// available reports whether there is something to show.
func (v suppressionView) available(s State) bool {
	switch v {
	case byCategory:
		return slices.Contains(s.keys(), s.Selected.Variable) && suppressedCells(s, s.Selected.Variable) > 0
	case byStratum:
		step := lastSuppression(s)
		return step != nil && len(step.Report.Strata) > 0
	default:
		return true
	}
}

// turned returns the next view, or the one before, that has something to show.
func (v suppressionView) turned(s State, by int) suppressionView {
	for range suppressionViews {
		if v = (v + suppressionView(by) + suppressionViews) % suppressionViews; v.available(s) {
			return v
		}
	}
	return byVariable
}

// lostLevels returns the categories of a variable with what they lost, in the
// order of the levels: their records in the original, -1 where that is not known,
// and those of them whose cell was suppressed; none where categories did not go over
// into categories as a whole.
func lostLevels(s State, variable string) []suppressionRow {
	now, before := categoriesOf(s.Current, variable), categoriesOf(s.Original, variable)
	became, originals := fates(now, before)
	if became == nil {
		return nil
	}
	levels := make([]suppressionRow, len(now.Levels))
	for i := range levels {
		levels[i] = suppressionRow{name: s.withCode(variable, now.Levels[i].Label), first: originals[i+1]}
	}
	column, _ := s.Current.Data.Column(variable)
	column.Suppressed().Each(func(record int) {
		if from := before.Codes.At(record); from != 0 && became[from] != 0 {
			levels[became[from]-1].cells++
		}
	})
	for i := range levels {
		level := &levels[i]
		level.share, level.bar = percent(level.cells, level.first), float64(level.cells)/max(1, float64(level.first))
	}
	return levels
}

// byCategory has one row per category, with the share that lost its value.
func (p *Suppressions) byCategory(s State) Table {
	levels := *p.lost.look(s.categories(s.Selected.Variable), func() []suppressionRow { return lostLevels(s, s.Selected.Variable) })
	if levels == nil {
		return Table{Instead: "Where the cells fall cannot be told: the categories of this variable are not those of the original, nor made of them as a whole."}
	}
	return suppressionTable(s, levels, Column{Head: "category", Least: 6}, Column{Head: "had", Kind: Counts, Size: 9, Least: 6, Rank: 2},
		Column{Head: "cells", Kind: Counts, Size: 8, Least: 5}, Column{Head: "% of it", Kind: Counts})
}

// byStratum has one row per stratum, with what it lost by the last step.
func (p *Suppressions) byStratum(s State) Table {
	strata := lastSuppression(s).Report.Strata
	rows := make([]suppressionRow, len(strata))
	for i, it := range strata {
		cells := it.Cells.Sum()
		perRecord := float64(cells) / float64(max(1, it.Records))
		rows[i] = suppressionRow{s.WithMeanings(it.Stratum), it.Records, cells, fmt.Sprintf("%.1f", 100*perRecord), perRecord, nil}
	}
	t := suppressionTable(s, rows, Column{Head: "stratum", Size: 8, Most: 28, Least: 6}, Column{Head: "records", Kind: Counts, Size: 9, Least: 7, Rank: 2},
		Column{Head: "cells", Kind: Counts, Size: 8, Least: 5}, Column{Head: "per 100", Kind: Counts})
	t.Status = func(width int) []string {
		return []string{s.Theme.Faint.Render(Fit(" "+cellsOf(strata[p.cursor.At]), width))}
	}
	return t
}

// cellsOf lists what a stratum lost by variable.
func cellsOf(it method.StratumCells) string {
	var parts []string
	for _, cells := range it.Cells {
		if cells.Count > 0 {
			parts = append(parts, Safe(shortened(cells.Name))+" "+Count(cells.Count))
		}
	}
	if len(parts) == 0 {
		return "nothing suppressed"
	}
	return strings.Join(parts, "  ")
}
