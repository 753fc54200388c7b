package views

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
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

func keyViewBefore() key.Binding { return bind("←", "view before", "left", "h") }
func keyViewNext() key.Binding   { return bind("→", "next view", "right", "l") }

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
	if now == nil || before == nil || now == before || now.Codes.Len() != before.Codes.Len() {
		return nil
	}
	became, unknown := fates(now, before)
	if became == nil {
		return nil
	}
	originals := countFates(before, became, unknown)
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

// lostMemo keeps the walk over the records while nothing changes.
type lostMemo struct {
	now, before *microdata.Categories
	levels      []lostLevel
}

func (m *lostMemo) of(s State, variable string) []lostLevel {
	now, before := categoriesOf(s.Current, variable), categoriesOf(s.Original, variable)
	if m.now != now || m.before != before {
		*m = lostMemo{now, before, lostLevels(s, variable)}
	}
	return m.levels
}

// viewCategories draws the share of each category that lost its value.
func (p *Suppressions) viewCategories(s State, width, height int, focused bool) string {
	levels := p.lost.of(s, s.Selected.Variable)
	if levels == nil {
		return sentence(s, "Where the cells fall cannot be told: the categories of this variable are not those of the original, nor made of them as a whole.", width, height)
	}
	longest, largest := 8, 0.0
	for _, level := range levels {
		longest = max(longest, min(24, Width(Safe(shortened(level.label)))))
		if level.had > 0 {
			largest = max(largest, float64(level.lost)/float64(level.had))
		}
	}
	fields := []field{{head: "category", size: longest, least: 6}, {head: "had", right: true, size: 9, least: 6, rank: 2},
		{head: "cells", right: true, size: 8, least: 5}, {head: "% of it", right: true, size: 7}, {size: 0}}
	widenBar(fields, width)
	lines := []string{headings(s, fields, 1, width)}
	first, last := p.list.window(len(levels), max(1, height-1))
	for i := first; i < last; i++ {
		level := levels[i]
		chosen := i == p.list.at
		l := newLine(width, cursor(s.Theme, chosen && focused, focused))
		l.mark(&s.Theme.Strong, chosen)
		l.field(&s.Theme.Plain, fields[0], shortened(level.label))
		if level.had < 0 {
			l.field(&s.Theme.Faint, fields[1], "–")
			l.field(&s.Theme.Faint, fields[2], "–")
			l.field(&s.Theme.Faint, fields[3], "–")
		} else {
			l.field(fresh(s, &s.Theme.Plain), fields[1], Count(level.had))
			l.field(fresh(s, &s.Theme.Plain), fields[2], Count(level.lost))
			l.field(fresh(s, &s.Theme.Plain), fields[3], strings.TrimSuffix(Share(level.lost, level.had), " %"))
			if level.had > 0 && l.next(fields[4]) && largest > 0 {
				l.bar(s.Theme, fresh(s, &s.Theme.Suppressed), float64(level.lost)/float64(level.had)/largest, 0, fields[4].size)
			}
		}
		lines = append(lines, l.String())
	}
	return Exactly(strings.Join(lines, "\n"), width, height)
}

// viewStrata draws what each stratum lost by the last step.
func (p *Suppressions) viewStrata(s State, width, height int, focused bool) string {
	strata := lastSuppression(s).Report.Strata
	longest, largest := 8, 0.0
	for _, it := range strata {
		longest = max(longest, min(28, Width(Safe(shortened(it.Stratum)))))
		largest = max(largest, shareOf(it))
	}
	fields := []field{{head: "stratum", size: longest, least: 6}, {head: "records", right: true, size: 9, least: 7, rank: 2},
		{head: "cells", right: true, size: 8, least: 5}, {head: "per 100", right: true, size: 7}, {size: 0}}
	widenBar(fields, width)
	lines := []string{headings(s, fields, 1, width)}
	first, last := p.list.window(len(strata), max(1, height-2))
	for i := first; i < last; i++ {
		it := strata[i]
		chosen := i == p.list.at
		l := newLine(width, cursor(s.Theme, chosen && focused, focused))
		l.mark(&s.Theme.Strong, chosen)
		l.field(&s.Theme.Plain, fields[0], shortened(it.Stratum))
		l.field(&s.Theme.Plain, fields[1], Count(it.Records))
		l.field(&s.Theme.Plain, fields[2], Count(it.Cells.Sum()))
		l.field(&s.Theme.Plain, fields[3], fmt.Sprintf("%.1f", 100*shareOf(it)))
		if l.next(fields[4]) && largest > 0 {
			l.bar(s.Theme, &s.Theme.Suppressed, shareOf(it)/largest, 0, fields[4].size)
		}
		lines = append(lines, l.String())
	}
	if height > 2 {
		lines = append(lines, s.Theme.Faint.Render(Fit(" "+cellsOf(strata[min(p.list.at, len(strata)-1)]), width)))
	}
	return Exactly(strings.Join(lines, "\n"), width, height)
}

// shareOf returns the cells that a stratum lost per record.
func shareOf(it method.StratumCells) float64 {
	if it.Records == 0 {
		return 0
	}
	return float64(it.Cells.Sum()) / float64(it.Records)
}

// cellsOf lists what a stratum lost by variable.
func cellsOf(it method.StratumCells) string {
	var parts []string
	for _, cells := range it.Cells {
		if cells.Count > 0 {
			parts = append(parts, Safe(shortened(cells.Variable))+" "+Count(cells.Count))
		}
	}
	if len(parts) == 0 {
		return "nothing suppressed"
	}
	return strings.Join(parts, "  ")
}

// widenBar gives the last field, a bar, what the others leave.
func widenBar(fields []field, width int) {
	last := len(fields) - 1
	arrange(fields, width-2)
	if bar := width - 2 - taken(fields, func(f field) int { return f.size }) - 1; bar >= 3 {
		fields[last].size = bar
	}
}

// rowsOf returns the number of rows of the view that is shown.
func (p *Suppressions) rowsOf(s State) int {
	switch p.shown {
	case byCategory:
		return len(p.lost.of(s, s.Selected.Variable))
	case byStratum:
		return len(lastSuppression(s).Report.Strata)
	default:
		return len(s.keys())
	}
}
