package views

import (
	"context"
	"strings"
	"time"
)

// finding is a search for the next cell of a table that holds a text, capitals or
// not, from a cell on, row by row, and on from the other end. A large table is
// looked through beside the screen.
type finding struct {
	text   string // in small letters; "": nothing is looked for
	place  any    // what the rows and columns belong to
	back   bool
	from   int // the cell where it began, counted row by row
	looked int // cells
	cells  int // of the table
	at     int // the cell that was found; -1: none
	holds  []func(row int) bool
}

// begin looks for a text in a table of so many rows and columns from the cell
// under a cursor on.
func (f *finding) begin(text string, back bool, place any, rows, columns int, c *Cursor) {
	*f = finding{text: strings.ToLower(text), back: back, place: place, cells: rows * columns, at: -1}
	f.from = c.At*columns + c.Column
	f.holds = make([]func(row int) bool, columns)
}

// runs reports whether the search goes on.
func (f *finding) runs() bool { return f.text != "" && f.at < 0 && f.looked < f.cells }

// cell returns the i-th cell that is looked at; the last one is that where the
// search began.
func (f *finding) cell(i int) int {
	if f.back {
		return (f.from - 1 - i + 2*f.cells) % f.cells
	}
	return (f.from + 1 + i) % f.cells
}

// around reports whether the search went on from the other end.
func (f *finding) around() bool { return f.at >= 0 && (f.at < f.from) != f.back }

// cellsAtOnce is the number of cells between two looks at the clock.
const cellsAtOnce = 1 << 15

// look looks at the next cells, for about so long. What a column holds is made when
// it is looked at first: it may look at all categories.
func (f finding) look(ctx context.Context, budget time.Duration, holds func(column int) func(row int) bool) finding {
	f.holds = append([]func(int) bool(nil), f.holds...)
	for started, columns := time.Now(), len(f.holds); f.looked < f.cells && ctx.Err() == nil; {
		for end := min(f.cells, f.looked+cellsAtOnce); f.looked < end; f.looked++ {
			cell := f.cell(f.looked)
			row, column := cell/columns, cell%columns
			if f.holds[column] == nil {
				f.holds[column] = holds(column)
			}
			if f.holds[column](row) {
				f.at = cell
				return f
			}
		}
		if time.Since(started) >= budget {
			break
		}
	}
	return f
}

// take takes in how far a search has come, unless another one was begun. It
// reports whether a cell was found.
func (f *finding) take(came finding) bool {
	if f.text != came.text || f.back != came.back || f.from != came.from || f.place != came.place || f.at >= 0 {
		return false
	}
	*f = came
	return f.at >= 0
}

// marks reports whether a text holds what is looked for.
func (f *finding) marks(text string) bool {
	return f.text != "" && strings.Contains(strings.ToLower(text), f.text)
}

// story says how the search went, as long as the cursor stands where it left it.
func (f *finding) story(c *Cursor) string {
	if f.text == "" || f.cells == 0 {
		return ""
	}
	here := c.At*len(f.holds) + c.Column
	switch {
	case f.runs():
		return "looking for " + f.text + " … " + Count(f.looked/max(1, f.cells/100)) + " %"
	case f.at < 0 && here == f.from:
		return "no cell holds " + f.text
	case f.at == here && f.around() && f.back:
		return "from the end again"
	case f.at == here && f.around():
		return "from the start again"
	}
	return ""
}
