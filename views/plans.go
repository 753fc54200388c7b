package views

import (
	"fmt"
	"math"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/plan"
	"github.com/sdcdesk/sdcdesk/engine/profile"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// PlanTable lists the plans of a frontier: the detail that the recodes lose, in
// percent of detail, that of all key variables, and in bits, the cells that
// suppression then blanks, how few any could do with, the records that lose one, and
// the recodes.
func PlanTable(s State, points []*plan.Point, detail float64) Table {
	return Table{
		Columns: []Column{
			{Head: "detail lost", Short: "lost", Kind: Counts, Size: 6},
			{Head: "bits", Kind: Counts, Rank: 3},
			{Head: "cells", Kind: Counts, Size: 6},
			{Head: "at least", Kind: Counts, Size: 6, Rank: 2},
			{Head: "records", Kind: Counts, Rank: 1},
			{Head: "recodes", Size: 20, Most: 90, Least: 12},
		},
		Rows: len(points),
		Row: func(i int) []Cell {
			p := points[i]
			bound := "–"
			if p.Bound != nil {
				bound = Count(*p.Bound)
			}
			return []Cell{{Text: lostShare(p.Lost, detail), Style: &s.Theme.Strong}, {Text: fmt.Sprintf("%.4f", p.Lost)},
				{Text: Count(p.Cells), Style: &s.Theme.Suppressed}, {Text: bound}, {Text: Count(p.Records)}, {Text: planText(p)}}
		},
	}
}

// lostShare returns detail lost in percent.
func lostShare(lost, detail float64) string {
	if !(detail > 0) {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*lost/detail)
}

// planText names the recodes of a plan in one line: the categories of each recoded
// variable before and after.
func planText(p *plan.Point) string {
	switch {
	case len(p.Steps) == 0:
		return "none is needed"
	case len(p.Variables) == 0:
		return "none: suppression alone"
	}
	var recoded []string
	for _, v := range p.Variables {
		recoded = append(recoded, fmt.Sprintf("%s %s→%s", Safe(v.Variable), Count(v.Before), Count(v.After)))
	}
	return strings.Join(recoded, ", ")
}

// PlanStory tells what a plan does, in at most height lines: its figures, the detail
// that each variable loses, the cells of each, and its steps one by one.
func PlanStory(s State, p *plan.Point, detail float64, width, height int) []string {
	theme := s.Theme
	var lines []string
	add := func(style *Style, text string) { lines = append(lines, Wrapped(style.Render, text, width)...) }
	lost := fmt.Sprintf("%s of the detail lost, %.4f of %.3f bits", lostShare(p.Lost, detail), p.Lost, detail)
	for i, v := range p.Variables {
		lost += [...]string{": ", ", "}[min(1, i)] + fmt.Sprintf("%s %s→%s (%.4f)", v.Variable, Count(v.Before), Count(v.After), v.Lost)
	}
	add(&theme.Plain, lost)
	blanked := "no cell blanked: recodes alone"
	if p.Cells > 0 {
		var cells []string
		for _, c := range p.Blanked {
			if c.Count > 0 {
				cells = append(cells, c.Name+" "+Count(c.Count))
			}
		}
		blanked = wording.Counted(p.Cells, "cell") + " blanked in " + wording.Counted(p.Records, "record") + ": " + strings.Join(cells, ", ")
	}
	add(&theme.Suppressed, blanked)
	lines = append(lines, "", theme.Heading.Render(Fit(wording.Counted(len(p.Steps), "step"), width)))
	for i, step := range p.Steps {
		add(&theme.Plain, fmt.Sprintf("%d  %s", i+1, step.Title))
	}
	if len(lines) > height && height > 0 {
		lines = append(lines[:height-1], theme.Key.Render(Fit("↓ "+Count(len(lines)-height+1)+" more lines", width)))
	}
	return lines
}

// PlanPicture draws the frontier in exactly height lines: the detail lost to the
// right, cells upwards, a mark for each plan and another for the chosen one, and
// dots from one to the next. It needs room for its axes: nil where there is none.
func PlanPicture(s State, points []*plan.Point, chosen int, detail float64, width, height int) []string {
	const axis = 8 // cells of the numbers of the left axis
	columns, rows := width-axis-2, height-3
	if len(points) == 0 || columns < 16 || rows < 3 {
		return nil
	}
	mostLost, mostCells := points[len(points)-1].Lost, float64(points[0].Cells)
	if !(mostLost > 0) {
		mostLost = 1
	}
	mostCells = max(1, mostCells)
	picture := make([][]rune, rows)
	for i := range picture {
		picture[i] = []rune(strings.Repeat(" ", columns))
	}
	at := func(lost, cells float64) (column, row int) {
		return int(math.Round(lost / mostLost * float64(columns-1))), rows - 1 - int(math.Round(cells/mostCells*float64(rows-1)))
	}
	for i := 1; i < len(points); i++ {
		from, to := points[i-1], points[i]
		first, _ := at(from.Lost, 0)
		last, _ := at(to.Lost, 0)
		for x := first; x <= last; x++ {
			share := float64(x-first) / float64(max(1, last-first))
			column, row := at(from.Lost+share*(to.Lost-from.Lost), float64(from.Cells)+share*float64(to.Cells-from.Cells))
			picture[row][column] = '·'
		}
	}
	for _, p := range points {
		column, row := at(p.Lost, float64(p.Cells))
		picture[row][column] = '●'
	}
	column, row := at(points[chosen].Lost, float64(points[chosen].Cells))
	picture[row][column] = '◆'
	return planAxes(s, picture, mostLost, mostCells, detail, axis)
}

// planAxes draws the lines of a picture with the axes.
func planAxes(s State, picture [][]rune, mostLost, mostCells, detail float64, axis int) []string {
	theme, rows, columns := s.Theme, len(picture), len(picture[0])
	labels := map[int]string{}
	bins := profile.RoundBins(0, mostCells, max(2, rows/3), true)
	for i := 0; bins.Lower(i) <= mostCells; i++ {
		labels[rows-1-int(math.Round(bins.Lower(i)/mostCells*float64(rows-1)))] = Count(int(bins.Lower(i)))
	}
	lines := []string{theme.Heading.Render(Fit(FitRight("cells", axis)+"   against the detail lost", axis+2+columns))}
	for i, row := range picture {
		label, tick := labels[i], "┤"
		if label == "" {
			tick = "│"
		}
		l := newLine(axis+2+columns, nil)
		l.put(&theme.Faint, FitRight(label, axis)+" "+tick, axis+2)
		for _, r := range row {
			style := &theme.Bar
			switch r {
			case '◆':
				style = &theme.Selected
			case '·':
				style = &theme.Faint
			}
			l.put(style, string(r), 1)
		}
		lines = append(lines, l.String())
	}
	return append(lines, lossAxis(theme, columns, mostLost, detail, axis)...)
}

// lossAxis draws the axis of detail lost, in percent.
func lossAxis(theme *Theme, columns int, mostLost, detail float64, axis int) []string {
	most := 100 * mostLost / max(detail, mostLost)
	bins := profile.RoundBins(0, most, max(2, columns/10), false)
	ticks, labels := []rune(strings.Repeat("─", columns)), []rune(strings.Repeat(" ", columns))
	for i := 0; bins.Lower(i) <= most*(1+1e-9); i++ {
		at := min(columns-1, int(math.Round(bins.Lower(i)/most*float64(columns-1))))
		ticks[at] = '┴'
		text := fmt.Sprintf("%g %%", math.Round(bins.Lower(i)*1000)/1000)
		if from := min(max(0, at-len(text)/2), columns-len(text)); from >= 0 {
			copy(labels[from:], []rune(text))
		}
	}
	return []string{theme.Faint.Render(strings.Repeat(" ", axis+1) + "└" + string(ticks)), theme.Faint.Render(strings.Repeat(" ", axis+2) + string(labels))}
}
