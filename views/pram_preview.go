package views

import (
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// PRAMPreview draws what PRAM would do, in a dialog: the matrix, with a cursor,
// and the frequencies. It keeps the cursor and nothing else.
type PRAMPreview struct {
	cursor heatCursor
	list   list
}

// Move takes the keys that move the cursor in a matrix of n categories; taken is
// false for others.
func (p *PRAMPreview) Move(msg tea.KeyPressMsg, n int) (taken bool) {
	taken = p.cursor.move(msg, n)
	p.list.at = p.cursor.rows.at
	return taken
}

// Cell returns the cell under the cursor in a matrix of n categories.
func (p *PRAMPreview) Cell(n int) (row, column int) {
	p.cursor.clamp(n)
	return p.cursor.rows.at, p.cursor.columns.at
}

// Marks are what a matrix that is being made shows beside its figures.
type Marks struct {
	Forbidden func(row, column int) bool // nil: none
	Wrong     func(row int) bool         // rows that do not sum to 1; nil: none
}

// Matrix draws the matrix of a stratum in at most height lines.
func (p *PRAMPreview) Matrix(s State, stratum *method.PRAMStratum, marks Marks, width, height int, focused bool) []string {
	h := matrixMap(stratum)
	h.wrong = marks.Wrong
	if marks.Forbidden != nil {
		h.mark = func(row, column int) string { return more(marks.Forbidden(row, column), "×") }
	}
	p.cursor.clamp(len(stratum.Levels))
	return h.draw(s, &p.cursor, width, height, focused)
}

// Status tells the cell under the cursor exactly.
func (p *PRAMPreview) Status(s State, stratum *method.PRAMStratum, width int) string {
	row, column := p.Cell(len(stratum.Levels))
	l := newLine(width, nil)
	l.gap(1)
	l.text(&s.Theme.Strong, exactly(stratum.Matrix[row][column]))
	l.text(&s.Theme.Plain, "  "+transitionName(stratum, row, column))
	l.text(&s.Theme.Faint, "  · mean diagonal "+Probability(meanDiagonal(stratum.Matrix)))
	return l.String()
}

// Frequencies draws the frequencies before, expected, after and estimated in at
// most height lines, those of the row under the cursor in sight.
func (p *PRAMPreview) Frequencies(s State, stratum *method.PRAMStratum, width, height int) []string {
	p.list.at = p.cursor.rows.at
	return frequencyLines(s, stratum, &p.list, width, max(2, height), false)
}
