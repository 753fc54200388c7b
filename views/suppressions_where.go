package views

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

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

// lostLevel is a category with the cells of it that were suppressed.
type lostLevel struct {
	label     string
	had, lost int // records in the original, and those of them whose cell was suppressed; had -1: not known
}

// lostLevels returns the categories of a variable with what they lost, in the
// order of the levels; none where categories did not go over into categories as
// a whole.
func lostLevels(s State, variable string) []lostLevel {
	now, before := categoriesOf(s.Current, variable), categoriesOf(s.Original, variable)
	became, originals := fates(now, before)
	if became == nil {
		return nil
	}
	levels := make([]lostLevel, len(now.Levels))
	for i := range levels {
		levels[i] = lostLevel{label: now.Levels[i].Label, had: originals[i+1]}
	}
	column, _ := s.Current.Data.Column(variable)
	column.Suppressed().Each(func(record int) {
		if from := before.Codes.At(record); from != 0 && became[from] != 0 {
			levels[became[from]-1].lost++
		}
	})
	return levels
}

// byCategory has one row per category, with the share that lost its value.
func (p *Suppressions) byCategory(s State) Table {
	levels := *p.lost.look(s.categories(s.Selected.Variable), func() []lostLevel { return lostLevels(s, s.Selected.Variable) })
	if levels == nil {
		return Table{Instead: "Where the cells fall cannot be told: the categories of this variable are not those of the original, nor made of them as a whole."}
	}
	rows := make([]suppressionRow, len(levels))
	for i, level := range levels {
		rows[i] = suppressionRow{level.label, level.had, level.lost, percent(level.lost, level.had), float64(level.lost) / max(1, float64(level.had)), nil}
	}
	return suppressionTable(s, rows, Column{Head: "category", Least: 6}, Column{Head: "had", Kind: Counts, Size: 9, Least: 6, Rank: 2},
		Column{Head: "cells", Kind: Counts, Size: 8, Least: 5}, Column{Head: "% of it", Kind: Counts})
}

// byStratum has one row per stratum, with what it lost by the last step.
func (p *Suppressions) byStratum(s State) Table {
	strata := lastSuppression(s).Report.Strata
	rows := make([]suppressionRow, len(strata))
	for i, it := range strata {
		cells := it.Cells.Sum()
		perRecord := float64(cells) / float64(max(1, it.Records))
		rows[i] = suppressionRow{it.Stratum, it.Records, cells, fmt.Sprintf("%.1f", 100*perRecord), perRecord, nil}
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
