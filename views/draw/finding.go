package draw

import (
	"context"
	"strings"
	"time"
)

// Search is a search for the next cell of a table that holds a text, capitals or
// not, from a cell on, row by row, and on from the other end. A large table is
// looked through beside the screen.
type Search struct {
	Text   string // in small letters; "": nothing is looked for
	Place  any    // what the rows and columns belong to
	back   bool
	from   int // the cell where it began, counted row by row
	looked int // cells
	cells  int // of the table
	At     int // the cell that was found; -1: none
	Holds  []func(row int) bool
}

// Begin looks for a text in a table of so many rows and columns from the cell
// under a cursor on.
func (f *Search) Begin(text string, back bool, place any, rows, columns int, c *Cursor) {
	*f = Search{Text: strings.ToLower(text), back: back, Place: place, cells: rows * columns, At: -1}
	f.from = c.At*columns + c.Column
	f.Holds = make([]func(row int) bool, columns)
}

// Runs reports whether the search goes on.
func (f *Search) Runs() bool { return f.Text != "" && f.At < 0 && f.looked < f.cells }

// cell returns the i-th cell that is looked at; the last one is that where the
// search began.
func (f *Search) cell(i int) int {
	if f.back {
		return (f.from - 1 - i + 2*f.cells) % f.cells
	}
	return (f.from + 1 + i) % f.cells
}

// around reports whether the search went on from the other end.
func (f *Search) around() bool { return f.At >= 0 && (f.At < f.from) != f.back }

// cellsAtOnce is the number of cells between two looks at the clock.
const cellsAtOnce = 1 << 15

// Look looks at the next cells, for about so long. What a column holds is made when
// it is looked at first: it may look at all categories.
func (f Search) Look(ctx context.Context, budget time.Duration, holds func(column int) func(row int) bool) Search {
	f.Holds = append([]func(int) bool(nil), f.Holds...)
	for started, columns := time.Now(), len(f.Holds); f.looked < f.cells && ctx.Err() == nil; {
		for end := min(f.cells, f.looked+cellsAtOnce); f.looked < end; f.looked++ {
			cell := f.cell(f.looked)
			row, column := cell/columns, cell%columns
			if f.Holds[column] == nil {
				f.Holds[column] = holds(column)
			}
			if f.Holds[column](row) {
				f.At = cell
				return f
			}
		}
		if time.Since(started) >= budget {
			break
		}
	}
	return f
}

// Take takes in how far a search has come, unless another one was begun. It
// reports whether a cell was found.
func (f *Search) Take(came Search) bool {
	if f.Text != came.Text || f.back != came.back || f.from != came.from || f.Place != came.Place || f.At >= 0 {
		return false
	}
	*f = came
	return f.At >= 0
}

// Marks reports whether a text holds what is looked for.
func (f *Search) Marks(text string) bool {
	return f.Text != "" && strings.Contains(strings.ToLower(text), f.Text)
}

// Story says how the search went, as long as the cursor stands where it left it.
func (f *Search) Story(c *Cursor) string {
	if f.Text == "" || f.cells == 0 {
		return ""
	}
	here := c.At*len(f.Holds) + c.Column
	switch {
	case f.Runs():
		return "looking for " + f.Text + " … " + Count(f.looked/max(1, f.cells/100)) + " %"
	case f.At < 0 && here == f.from:
		return "no cell holds " + f.Text
	case f.At == here && f.around() && f.back:
		return "from the end again"
	case f.At == here && f.around():
		return "from the start again"
	}
	return ""
}
