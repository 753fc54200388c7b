package views

import (
	"fmt"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// PRAMMatrix is the pane of the transition matrix of the selected variable, that
// of all applications of PRAM together, per stratum where there are some.
type PRAMMatrix struct {
	cursor heatCursor
	shown  perturbed
	width  int // drawn last
	above  int // lines above the map, drawn last
}

var (
	_ MousePane = (*PRAMMatrix)(nil)
	_ Explained = (*PRAMMatrix)(nil)
	_ Named     = (*PRAMMatrix)(nil)
)

// ID returns "pram-matrix".
func (*PRAMMatrix) ID() string { return "pram-matrix" }

// Title returns what stands in the frame while there is no matrix.
func (*PRAMMatrix) Title() string { return "Transition matrix" }

// TitleFor names the variable, how often PRAM was applied, and the stratum.
func (p *PRAMMatrix) TitleFor(s State) string {
	if look := p.shown.look(s); look.times > 0 {
		return p.Title() + " · " + look.variable + look.of(s)
	}
	return p.Title()
}

func keyStratum() key.Binding { return bind("</>", "stratum", "<", ">", ",", ".") }
func keySave() key.Binding    { return bind("x", "export the matrix", "x") }

// Keys returns the keys of the pane.
func (p *PRAMMatrix) Keys() []key.Binding {
	if p.shown.times == 0 {
		return nil
	}
	keys := []key.Binding{heatKeys(), keySave()}
	if len(p.shown.composed.Strata) > 1 {
		keys = append(keys, keyStratum())
	}
	return keys
}

// HandleKey moves the cursor, walks through strata and exports the matrix.
func (p *PRAMMatrix) HandleKey(msg tea.KeyPressMsg, s State) Action {
	look := p.shown.look(s)
	stratum := look.stratum(s)
	switch {
	case stratum == nil:
		return nil
	case key.Matches(msg, keyStratum()):
		return look.nextStratum(s, direction(msg))
	case key.Matches(msg, keySave()):
		return ExportMatrix{look.composed, look.problem}
	case p.cursor.move(msg, len(stratum.Levels)):
		return Handled{}
	}
	return nil
}

// direction is 1 for the keys that go on and -1 for those that go back.
func direction(msg tea.KeyPressMsg) int {
	if key.Matches(msg, bind("", "", "<", ",")) {
		return -1
	}
	return 1
}

// Click puts the cursor on a cell.
func (p *PRAMMatrix) Click(x, y int, s State) Action {
	stratum := p.shown.look(s).stratum(s)
	if stratum == nil {
		return nil
	}
	h := matrixMap(stratum)
	if h.click(&p.cursor, x, y-p.above, p.width) {
		return Handled{}
	}
	return nil
}

// Wheel scrolls.
func (p *PRAMMatrix) Wheel(lines int, s State) Action {
	if stratum := p.shown.look(s).stratum(s); stratum != nil {
		p.cursor.rows.at += lines
		p.cursor.clamp(len(stratum.Levels))
	}
	return Handled{}
}

// matrixMap is the heat map of a matrix. A transition that cannot happen is a
// dot.
func matrixMap(stratum *method.PRAMStratum) *heatMap {
	return &heatMap{
		labels: stratum.Levels,
		size:   len("1.000"),
		text: func(row, column int) string {
			switch p := stratum.Matrix[row][column]; {
			case p == 0:
				return "·"
			case p < 0.0005:
				return "<.001" // it can happen
			default:
				return Probability(p)
			}
		},
		shade: func(row, column int) float64 { return stratum.Matrix[row][column] },
	}
}

// View draws the matrix, and the exact value of the cell under the cursor.
func (p *PRAMMatrix) View(s State, width, height int, focused bool) string {
	look := p.shown.look(s)
	stratum := look.stratum(s)
	if stratum == nil {
		return nothingDrawn(s, look, width, height)
	}
	p.width = width
	p.cursor.clamp(len(stratum.Levels))
	var lines []string
	if look.problem != nil {
		reason := strings.TrimPrefix(look.problem.Error(), "the matrices cannot be composed: ")
		text := "Applied " + Count(look.times) + " times, without one matrix for all: " + reason + ". This is that of step " + Count(look.last) + " alone."
		lines = wrapped(s.Theme.Warning.Render, text, max(1, width-1))
		lines = lines[:min(len(lines), max(1, height/3))]
		for i := range lines {
			lines[i] = Exactly(" "+lines[i], width, 1)
		}
	}
	p.above = len(lines)
	lines = append(lines, matrixMap(stratum).draw(s, &p.cursor, width, height-1-len(lines), focused)...)
	return below(lines, p.status(s, stratum, width), width, height)
}

// nothingDrawn says how PRAM is applied to the selected variable.
func nothingDrawn(s State, look *perturbed, width, height int) string {
	switch {
	case look.variable == "":
		return sentence(s, "Select a variable.", width, height)
	case look.times > 0:
		return sentence(s, "counting …", width, height)
	default:
		return sentence(s, "PRAM has not been applied to "+Safe(shortened(look.variable))+". P opens the dialog, with a preview of everything.", width, height)
	}
}

// status tells the cell under the cursor exactly.
func (p *PRAMMatrix) status(s State, stratum *method.PRAMStratum, width int) string {
	row, column := p.cursor.rows.at, p.cursor.columns.at
	l := newLine(width, nil)
	l.gap(1)
	l.text(&s.Theme.Strong, exactly(stratum.Matrix[row][column]))
	l.text(&s.Theme.Plain, "  "+transitionName(stratum, row, column))
	l.text(&s.Theme.Faint, "  · mean diagonal "+Probability(meanDiagonal(stratum.Matrix)))
	return l.String()
}

// transitionName says what a cell stands for: "Arden → Brisk", "Arden stays".
func transitionName(stratum *method.PRAMStratum, row, column int) string {
	if row == column {
		return stratum.Levels[row] + " stays"
	}
	return stratum.Levels[row] + " → " + stratum.Levels[column]
}

// exactly spells a probability with six decimals.
func exactly(p float64) string { return strconv.FormatFloat(p, 'f', 6, 64) }

func meanDiagonal(matrix [][]float64) float64 {
	sum := 0.0
	for i := range matrix {
		sum += matrix[i][i]
	}
	return sum / float64(max(1, len(matrix)))
}

// Figures explains the probability under the cursor.
func (p *PRAMMatrix) Figures(s State) []Figure {
	look := p.shown.look(s)
	stratum := look.stratum(s)
	if stratum == nil {
		return nil
	}
	p.cursor.clamp(len(stratum.Levels))
	return matrixFigures(look, stratum, p.cursor.rows.at, p.cursor.columns.at)
}

func matrixFigures(look *perturbed, stratum *method.PRAMStratum, row, column int) []Figure {
	from, to := Safe(shortened(stratum.Levels[row])), Safe(shortened(stratum.Levels[column]))
	values := []string{Count(stratum.Before[row]) + " records were " + from,
		fmt.Sprintf("expected to become %s: %s × %s = %s", to, Count(stratum.Before[row]), exactly(stratum.Matrix[row][column]),
			Amount(float64(stratum.Before[row])*stratum.Matrix[row][column]))}
	if stratum.Transitions != nil {
		values = append(values, "became it: "+Count(stratum.Transitions[row][column]))
	}
	if look.times > 1 && look.problem == nil {
		values = append(values, "PRAM was applied "+Count(look.times)+" times: the matrix is the product of theirs")
	}
	return []Figure{
		{Name: "Transition from " + from + " to " + to, Value: exactly(stratum.Matrix[row][column]),
			Definition: "The probability that a value that was " + from + " is now " + to + ", each record drawn by itself. Missing values stay missing. " +
				"The matrix is no secret: users need it to correct their tables. The seed is.",
			Formula: "invariant: alpha R + (1 - alpha) I with R = P Q, Q_kj = P_jk t_j / sum_i P_ik t_i; rows sum to 1",
			Values:  values,
			Source:  sourcePRAM},
		{Name: "Mean of the diagonal", Value: exactly(meanDiagonal(stratum.Matrix)),
			Definition: "The mean probability that a category stays as it is. The lower it is, the more values change: more protection, and tables that are less exact.",
			Formula:    "sum of p_kk / number of categories",
			Source:     sourcePRAM},
	}
}
