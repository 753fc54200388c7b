package pram

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// NewPRAMTransitions returns the pane of the actual transitions of the selected variable: the number of records
// that changed from category to category in the last application of PRAM.
func NewPRAMTransitions() views.Pane {
	return newPRAMPane(pramPane{TablePane: views.TablePane{PaneID: "pram-transitions",
		Heading: "Actual transitions", Move: views.KeyCells()}, latest: true,
		purpose: "Number of records that PRAM moved from one category to another.",
		title:   transitionTitle, draw: transitionTable, explained: transitionFigures})
}

// transitionTitle names the step whose transitions are shown.
func transitionTitle(look *pramEffect, _ views.State, stratum *method.PRAMStratum) string {
	title := " · step " + draw.Count(look.last)
	if stratum != nil {
		title += " · " + wording.PercentOf(stratum.Changed, stratum.Records) + " changed"
	}
	return title
}

// transitionMap returns the heat map of counts, shaded by their share of the row.
func transitionMap(stratum *method.PRAMStratum) *draw.HeatMap {
	most := 0
	for _, row := range stratum.Transitions {
		most = max(most, slices.Max(row))
	}
	return &draw.HeatMap{
		Labels: stratum.Levels,
		Size:   draw.Width(draw.Count(most)),
		Text: func(row, column int) string {
			if stratum.Transitions[row][column] == 0 {
				return "·"
			}
			return draw.Count(stratum.Transitions[row][column])
		},
		Shade: func(row, column int) float64 {
			return float64(stratum.Transitions[row][column]) / float64(max(1, stratum.Before[row]))
		},
	}
}

// transitionTable is the counts; below them is the transition under the cursor with its expected count.
func transitionTable(p *pramPane, s views.State, stratum *method.PRAMStratum, width int) draw.Table {
	t := transitionMap(stratum).Table(s.Look, &p.Cursor, width)
	t.Status = func(width int) []string {
		row, column := p.Cursor.At, p.Cursor.Column
		return []string{cellStatus(s.Theme,
			draw.Count(stratum.Transitions[row][column])+" of "+draw.Count(stratum.Before[row]),
			transitionName(stratum, row, column),
			"expected "+wording.Amount(float64(stratum.Before[row])*stratum.Matrix[row][column]), width)}
	}
	return t
}

// transitionFigures explains the transition under the cursor.
func transitionFigures(p *pramPane, stratum *method.PRAMStratum) []views.Figure {
	row, column := p.Cursor.At, p.Cursor.Column
	from, to := stratum.Levels[row], stratum.Levels[column]
	return []views.Figure{
		{Name: "Records that went from " + from + " to " + to, Value: draw.Count(stratum.Transitions[row][column]),
			Definition: "Number of records with the one value before the step and the other after it. Users of the file do not get " +
				"this figure.",
			Formula: "binomial: T_k trials with probability p_kl",
			Values: []string{"T_k = " + draw.Count(stratum.Before[row]), "p_kl = " + exactly(stratum.Matrix[row][column]),
				"expected " + wording.Amount(float64(stratum.Before[row])*stratum.Matrix[row][column])},
			Source: measure.SourcePRAM},
		{Name: "Values that changed",
			Value: draw.Count(stratum.Changed) + " of " + draw.Count(stratum.Records) + " (" +
				wording.PercentOf(stratum.Changed, stratum.Records) + ")",
			Definition: "Records whose value changed in the step, among those that have a value and could change.",
			Formula:    "sum of the transitions off the diagonal",
			Source:     measure.SourcePRAM},
	}
}
