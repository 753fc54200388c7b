package views

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// PRAMTransitions is the pane of what became of the values of the selected
// variable: the number of records that went from category to category in the
// last application of PRAM.
type PRAMTransitions struct {
	cursor heatCursor
	shown  perturbed
	width  int
}

var (
	_ MousePane = (*PRAMTransitions)(nil)
	_ Explained = (*PRAMTransitions)(nil)
	_ Named     = (*PRAMTransitions)(nil)
)

// ID returns "pram-transitions".
func (*PRAMTransitions) ID() string { return "pram-transitions" }

// Title returns what stands in the frame while nothing was drawn.
func (*PRAMTransitions) Title() string { return "Transitions that happened" }

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

// Keys returns the keys of the pane.
func (p *PRAMTransitions) Keys() []key.Binding {
	if p.shown.times == 0 {
		return nil
	}
	keys := []key.Binding{heatKeys()}
	if len(p.shown.composed.Strata) > 1 {
		keys = append(keys, keyStratum())
	}
	return keys
}

// HandleKey moves the cursor and walks through strata.
func (p *PRAMTransitions) HandleKey(msg tea.KeyPressMsg, s State) Action {
	stratum := p.last(s)
	switch {
	case stratum == nil:
		return nil
	case key.Matches(msg, keyStratum()):
		return p.shown.nextStratum(s, direction(msg))
	case p.cursor.move(msg, len(stratum.Levels)):
		return Handled{}
	}
	return nil
}

// Click puts the cursor on a cell.
func (p *PRAMTransitions) Click(x, y int, s State) Action {
	stratum := p.last(s)
	if stratum == nil || !transitionMap(stratum).click(&p.cursor, x, y, p.width) {
		return nil
	}
	return Handled{}
}

// Wheel scrolls.
func (p *PRAMTransitions) Wheel(lines int, s State) Action {
	if stratum := p.last(s); stratum != nil {
		p.cursor.rows.at += lines
		p.cursor.clamp(len(stratum.Levels))
	}
	return Handled{}
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

// View draws the counts, and says what happened to the cell under the cursor.
func (p *PRAMTransitions) View(s State, width, height int, focused bool) string {
	stratum := p.last(s)
	if stratum == nil || stratum.Transitions == nil {
		return nothingDrawn(s, p.shown.look(s), width, height)
	}
	p.width = width
	p.cursor.clamp(len(stratum.Levels))
	lines := transitionMap(stratum).draw(s, &p.cursor, width, height-1, focused)
	return below(lines, p.status(s, stratum, width), width, height)
}

// status tells the cell under the cursor beside what was expected.
func (p *PRAMTransitions) status(s State, stratum *method.PRAMStratum, width int) string {
	row, column := p.cursor.rows.at, p.cursor.columns.at
	l := newLine(width, nil)
	l.gap(1)
	l.text(&s.Theme.Strong, Count(stratum.Transitions[row][column])+" of "+Count(stratum.Before[row]))
	l.text(&s.Theme.Plain, "  "+transitionName(stratum, row, column))
	l.text(&s.Theme.Faint, "  · expected "+Amount(float64(stratum.Before[row])*stratum.Matrix[row][column]))
	return l.String()
}

// Figures explains the transition under the cursor.
func (p *PRAMTransitions) Figures(s State) []Figure {
	stratum := p.last(s)
	if stratum == nil || stratum.Transitions == nil {
		return nil
	}
	p.cursor.clamp(len(stratum.Levels))
	row, column := p.cursor.rows.at, p.cursor.columns.at
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
