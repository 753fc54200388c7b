package pram

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// NewPRAMMatrix returns the pane of the transition matrix of the selected variable: that of all applications of
// PRAM together, per stratum if there are strata.
func NewPRAMMatrix() views.Pane {
	return newPRAMPane(pramPane{TablePane: views.TablePane{PaneID: "pram-matrix", Heading: "Transition matrix",
		Move: views.KeyCells()}, purpose: whatPRAMIs,
		title: (*pramEffect).title, draw: matrixTable, explained: matrixFigures})
}

// matrixMap returns the heat map of a matrix. Impossible transitions are dots.
func matrixMap(stratum *method.PRAMStratum) *draw.HeatMap {
	return &draw.HeatMap{
		Labels: stratum.Levels,
		Size:   len("1.000"),
		Text: func(row, column int) string {
			switch p := stratum.Matrix[row][column]; {
			case p == 0:
				return "·"
			case p < 0.0005:
				return "<.001" // not zero, so it is possible
			default:
				return wording.ShortProbability(p)
			}
		},
		Shade: func(row, column int) float64 { return stratum.Matrix[row][column] },
	}
}

// matrixTable is the matrix, with the exact value of the cell under the cursor below it. If there is no matrix for
// all applications, the reason is above it.
func matrixTable(p *pramPane, s views.State, stratum *method.PRAMStratum, width int) draw.Table {
	look := &p.shown
	t := matrixMap(stratum).Table(s.Look, &p.Cursor, width)
	t.Status = func(width int) []string { return []string{matrixStatus(s, stratum, &p.Cursor, width)} }
	if look.problem != nil {
		reason := strings.TrimPrefix(look.problem.Error(), "the matrices cannot be composed: ")
		text := "Applied " + draw.Count(look.times) + " times; no single matrix applies to all records, because " + reason +
			". This is the matrix of step " + draw.Count(look.last) + " alone."
		t.Above = func(width, height int) []string {
			lines := s.Warning.Indented(text, 1, width)
			return lines[:min(len(lines), max(1, height/3))]
		}
	}
	return t
}

// matrixStatus shows the value of the cell under the cursor with four decimals.
func matrixStatus(s views.State, stratum *method.PRAMStratum, c *draw.Cursor, width int) string {
	return cellStatus(s.Theme, wording.Probability(stratum.Matrix[c.At][c.Column]), transitionName(stratum, c.At, c.Column),
		"mean diagonal "+wording.Probability(meanDiagonal(stratum.Matrix)), width)
}

// cellStatus describes a cell: its figure, its name, and more.
func cellStatus(theme *draw.Theme, figure, name, more string, width int) string {
	l := draw.NewLine(width, nil)
	l.Text(&theme.Strong, " "+figure)
	l.Text(&theme.Plain, "  "+name)
	l.Text(&theme.Faint, "  · "+more)
	return l.String()
}

// transitionName names a transition: "Arden → Brisk", "Arden unchanged".
func transitionName(stratum *method.PRAMStratum, row, column int) string {
	if row == column {
		return stratum.Levels[row] + " unchanged"
	}
	return stratum.Levels[row] + " → " + stratum.Levels[column]
}

// exactly formats a probability with at most six decimals.
func exactly(p float64) string {
	text := strings.TrimRight(strconv.FormatFloat(p, 'f', 6, 64), "0")
	return strings.TrimSuffix(text, ".")
}

func meanDiagonal(matrix [][]float64) float64 {
	sum := 0.0
	for i := range matrix {
		sum += matrix[i][i]
	}
	return sum / float64(max(1, len(matrix)))
}

// matrixFigures explains the probability under the cursor.
func matrixFigures(p *pramPane, stratum *method.PRAMStratum) []views.Figure {
	look, row, column := &p.shown, p.Cursor.At, p.Cursor.Column
	from, to := stratum.Levels[row], stratum.Levels[column]
	values := []string{wording.CountedAs(stratum.Before[row], "record was ", "records were ") + from,
		fmt.Sprintf("expected to become %s: %s × %s = %s", to, draw.Count(stratum.Before[row]),
			exactly(stratum.Matrix[row][column]),
			wording.Amount(float64(stratum.Before[row])*stratum.Matrix[row][column]))}
	if stratum.Transitions != nil {
		values = append(values, "became it: "+draw.Count(stratum.Transitions[row][column]))
	}
	if look.times > 1 && look.problem == nil {
		values = append(values, "PRAM was applied "+draw.Count(look.times)+" times: the matrix is the product of the matrices")
	}
	return []views.Figure{
		{Name: "Transition from " + from + " to " + to, Value: exactly(stratum.Matrix[row][column]),
			Definition: "The probability that a value that was " + from + " is now " + to +
				", drawn separately for each record. Missing values stay missing. Users need the matrix to correct their " +
				"tables; the seed must stay secret.",
			Formula: "invariant: alpha R + (1 - alpha) I with R = P Q, Q_kj = P_jk t_j / sum_i P_ik t_i; rows sum to 1",
			Values:  values,
			Source:  measure.SourcePRAM},
		{Name: "Mean of the diagonal", Value: exactly(meanDiagonal(stratum.Matrix)),
			Definition: "Mean probability that a category does not change. If it is lower, more values change: more protection and " +
				"less exact tables.",
			Formula: "sum of p_kk / number of categories",
			Source:  measure.SourcePRAM},
	}
}
