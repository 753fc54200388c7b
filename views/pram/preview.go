package pram

import (
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// PRAMPreview draws what PRAM would do, in a dialog: the matrix, with a cursor, and the frequencies. It holds only
// the cursor.
type PRAMPreview struct{ cursor, list draw.Cursor }

// Move handles the keys that move the cursor in a matrix of n categories; taken is false for other keys.
func (p *PRAMPreview) Move(msg tea.KeyPressMsg, n int) (taken bool) {
	return p.cursor.MoveSideways(msg, n) || p.cursor.Move(msg, n)
}

// Cell returns the cell under the cursor in a matrix of n categories.
func (p *PRAMPreview) Cell(n int) (row, column int) {
	p.cursor.ClampCells(n)
	return p.cursor.At, p.cursor.Column
}

// Matrix draws the matrix of a stratum in at most height lines.
func (p *PRAMPreview) Matrix(s views.State, stratum *method.PRAMStratum, marks draw.Marks, width, height int,
	focused bool) []string {
	h := matrixMap(stratum)
	h.Marks = marks
	t := h.Table(s.Look, &p.cursor, width)
	return t.Lines(s.Look, &p.cursor, width, height, focused)
}

// Status shows the exact value of the cell under the cursor.
func (p *PRAMPreview) Status(s views.State, stratum *method.PRAMStratum, width int) string {
	p.Cell(len(stratum.Levels))
	return matrixStatus(s, stratum, &p.cursor, width)
}

// Frequencies draws the frequencies before, expected, after and estimated in at most height lines, including the
// row under the cursor.
func (p *PRAMPreview) Frequencies(s views.State, stratum *method.PRAMStratum, width, height int) []string {
	p.list.At = p.cursor.At
	t := frequencyTable(s.Theme, stratum)
	return t.Lines(s.Look, &p.list, width, max(2, height), false)
}
