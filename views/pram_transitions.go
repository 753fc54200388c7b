package views

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// PRAMTransitions is the pane of what became of the values of the selected
// variable: the number of records that went from category to category in the
// last application of PRAM.
type PRAMTransitions struct{ pramPane }

var (
	_ Explained = (*PRAMTransitions)(nil)
	_ Named     = (*PRAMTransitions)(nil)
)

// NewPRAMTransitions returns the pane of what became of the values.
func NewPRAMTransitions() *PRAMTransitions {
	p := &PRAMTransitions{pramPane{tablePane: tablePane{id: "pram-transitions", title: "Transitions that happened", cells: true}}}
	p.content = p.table
	return p
}

// TitleFor names the step whose transitions are shown.
func (p *PRAMTransitions) TitleFor(s State) string {
	if look := p.shown.look(s); look.times > 0 {
		title := p.Title() + " · step " + Count(look.last)
		if stratum := p.last(s); stratum != nil {
			title += " · " + Share(stratum.Changed, stratum.Records) + " changed"
		}
		return title
	}
	return p.Title()
}

// last returns the stratum as the last application left it.
func (p *PRAMTransitions) last(s State) *method.PRAMStratum {
	look := p.shown.look(s)
	if look.times == 0 {
		return nil
	}
	for _, v := range s.Steps[look.last-1].Report.PRAM {
		if v.Variable == look.variable && len(v.Strata) > 0 {
			return &v.Strata[max(0, min(s.Selected.Stratum, len(v.Strata)-1))]
		}
	}
	return nil
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

// table is the counts, with what happened to the cell under the cursor, beside
// what was expected, below them.
func (p *PRAMTransitions) table(s State, width int) Table {
	stratum := p.last(s)
	if stratum == nil || stratum.Transitions == nil {
		return Table{Instead: p.shown.look(s).nothing()}
	}
	t := transitionMap(stratum).table(s, &p.cursor, width)
	t.Status = func(width int) []string {
		row, column := p.cursor.At, p.cursor.Column
		return []string{cellStatus(s.Theme, Count(stratum.Transitions[row][column])+" of "+Count(stratum.Before[row]), transitionName(stratum, row, column),
			"expected "+Amount(float64(stratum.Before[row])*stratum.Matrix[row][column]), width)}
	}
	return t
}

// Figures explains the transition under the cursor.
func (p *PRAMTransitions) Figures(s State) []Figure {
	stratum := p.last(s)
	if stratum == nil || stratum.Transitions == nil {
		return nil
	}
	p.cursor.clampCells(len(stratum.Levels))
	row, column := p.cursor.At, p.cursor.Column
	from, to := Safe(shortened(stratum.Levels[row])), Safe(shortened(stratum.Levels[column]))
	return []Figure{
		{Name: "Records that went from " + from + " to " + to, Value: Count(stratum.Transitions[row][column]),
			Definition: "How many records had the one value before the step and have the other after it. Only those who protect the file see this.",
			Formula:    "binomial: T_k trials with probability p_kl",
			Values:     []string{"T_k = " + Count(stratum.Before[row]), "p_kl = " + exactly(stratum.Matrix[row][column]), "expected " + Amount(float64(stratum.Before[row])*stratum.Matrix[row][column])},
			Source:     sourcePRAM},
		{Name: "Values that changed", Value: Count(stratum.Changed) + " of " + Count(stratum.Records) + " (" + Share(stratum.Changed, stratum.Records) + ")",
			Definition: "Records whose value after the step differs from the one before it, among those that have a value and may change.",
			Formula:    "sum of the transitions off the diagonal",
			Source:     sourcePRAM},
	}
}
