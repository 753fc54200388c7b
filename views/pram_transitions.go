package views

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// NewPRAMTransitions returns the pane of what became of the values of the selected
// variable: the number of records that went from category to category in the last
// application of PRAM.
func NewPRAMTransitions() Pane {
	return newPRAMPane(pramPane{tablePane: tablePane{id: "pram-transitions", title: "Transitions that happened", move: keyCells()}, latest: true,
		title: transitionTitle, draw: transitionTable, explained: transitionFigures})
}

// transitionTitle names the step whose transitions are shown.
func transitionTitle(look *perturbed, _ State, stratum *method.PRAMStratum) string {
	title := " · step " + Count(look.last)
	if stratum != nil {
		title += " · " + Share(stratum.Changed, stratum.Records) + " changed"
	}
	return title
}

// transitionMap is the heat map of counts, shaded by their share of the row.
func transitionMap(stratum *method.PRAMStratum) *heatMap {
	most := 0
	for _, row := range stratum.Transitions {
		most = max(most, slices.Max(row))
	}
	return &heatMap{
		labels: stratum.Levels,
		size:   Width(Count(most)),
		text: func(row, column int) string {
			if stratum.Transitions[row][column] == 0 {
				return "·"
			}
			return Count(stratum.Transitions[row][column])
		},
		shade: func(row, column int) float64 {
			return float64(stratum.Transitions[row][column]) / float64(max(1, stratum.Before[row]))
		},
	}
}

// transitionTable is the counts, with what happened to the cell under the cursor,
// beside what was expected, below them.
func transitionTable(p *pramPane, s State, stratum *method.PRAMStratum, width int) Table {
	t := transitionMap(stratum).table(s.Look, &p.cursor, width)
	t.Status = func(width int) []string {
		row, column := p.cursor.At, p.cursor.Column
		return []string{cellStatus(s.Theme, Count(stratum.Transitions[row][column])+" of "+Count(stratum.Before[row]), transitionName(stratum, row, column),
			"expected "+wording.Amount(float64(stratum.Before[row])*stratum.Matrix[row][column]), width)}
	}
	return t
}

// transitionFigures explains the transition under the cursor.
func transitionFigures(p *pramPane, stratum *method.PRAMStratum) []Figure {
	row, column := p.cursor.At, p.cursor.Column
	from, to := Safe(shortened(stratum.Levels[row])), Safe(shortened(stratum.Levels[column]))
	return []Figure{
		{Name: "Records that went from " + from + " to " + to, Value: Count(stratum.Transitions[row][column]),
			Definition: "How many records had the one value before the step and have the other after it. Only those who protect the file see this.",
			Formula:    "binomial: T_k trials with probability p_kl",
			Values:     []string{"T_k = " + Count(stratum.Before[row]), "p_kl = " + exactly(stratum.Matrix[row][column]), "expected " + wording.Amount(float64(stratum.Before[row])*stratum.Matrix[row][column])},
			Source:     measure.SourcePRAM},
		{Name: "Values that changed", Value: Count(stratum.Changed) + " of " + Count(stratum.Records) + " (" + Share(stratum.Changed, stratum.Records) + ")",
			Definition: "Records whose value after the step differs from the one before it, among those that have a value and may change.",
			Formula:    "sum of the transitions off the diagonal",
			Source:     measure.SourcePRAM},
	}
}
