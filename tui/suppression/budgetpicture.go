package suppression

import (
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// BudgetPicture draws the remaining violators by number of suppressed cells, with a line at the budget. It has at
// most height lines of width cells; if the points need more, every other one is left out.
func BudgetPicture(theme *draw.Theme, points []method.Budget, budget, width, height int) []string {
	for len(points) > 1 {
		p := &draw.CutPicture{Head: "cells", Unit: "violators", Danger: true}
		for i, point := range points {
			bar := draw.CutBar{Label: draw.Count(point.Cells), Count: point.Violators, Beyond: point.Cells < budget}
			line := "budget " + draw.Count(budget)
			if point.Cells >= budget && (i == 0 || points[i-1].Cells < budget) {
				bar.Cut = line
			} else if i == len(points)-1 && point.Cells < budget {
				bar.Under = line
			}
			p.Bars = append(p.Bars, bar)
		}
		if lines := p.Lines(theme, width, height); lines != nil {
			return lines
		}
		var fewer []method.Budget
		for i := range points {
			if i == len(points)-1 || i%2 == 0 && i+2 < len(points) {
				fewer = append(fewer, points[i])
			}
		}
		if len(fewer) == len(points) {
			return nil
		}
		points = fewer
	}
	return nil
}
