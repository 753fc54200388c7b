package data

import (
	"context"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// cellSearch is a search for the next cell of a table that holds a text, capitals or
// not, from a cell on, row by row, and on from the other end. A large table is
// looked through in the background.
type cellSearch struct {
	soughtCell
	seen views.Cache[soughtCell, seenCells]
}

// soughtCell is what is looked for, and where.
type soughtCell struct {
	text          string // in small letters; "": nothing is looked for
	back          bool
	from          int // the cell where it began, counted row by row
	rows, columns int
	place         foundIn // what the rows and columns belong to
}

// seenCells is how far a search has come.
type seenCells struct {
	looked int  // cells
	at     int  // the cell that holds the text
	found  bool // there is one
	holds  []func(row int) bool
}

// progress returns how far the search has come.
func (f *cellSearch) progress() *seenCells { return f.seen.For(f.soughtCell) }

func (f *soughtCell) cells() int { return f.rows * f.columns }

// runs reports whether the search goes on.
func (f *cellSearch) runs() bool {
	seen := f.progress()
	return f.text != "" && !seen.found && seen.looked < f.cells()
}

// cell returns the i-th cell that is looked at; the last one is that where the
// search began.
func (f *soughtCell) cell(i int) int {
	if f.back {
		return (f.from - 1 - i + 2*f.cells()) % f.cells()
	}
	return (f.from + 1 + i) % f.cells()
}

// cellsAtOnce is the number of cells between two looks at the clock.
const cellsAtOnce = 1 << 15

// look looks at the next cells, for about so long.
func (s seenCells) look(
	ctx context.Context, of *soughtCell, budget time.Duration, holds func(column int) func(row int) bool,
) seenCells {
	columns, started := make([]func(int) bool, of.columns), time.Now()
	copy(columns, s.holds)
	for s.holds = columns; s.looked < of.cells() && ctx.Err() == nil; {
		for end := min(of.cells(), s.looked+cellsAtOnce); s.looked < end; s.looked++ {
			cell := of.cell(s.looked)
			row, column := cell/of.columns, cell%of.columns
			if columns[column] == nil {
				columns[column] = holds(column)
			}
			if columns[column](row) {
				s.at, s.found = cell, true
				return s
			}
		}
		if time.Since(started) >= budget {
			break
		}
	}
	return s
}

// marks reports whether a text holds what is looked for.
func (f *cellSearch) marks(text string) bool {
	return f.text != "" && strings.Contains(strings.ToLower(text), f.text)
}

// outcome says how the search went, as long as the cursor stands where it left it.
func (f *cellSearch) outcome(c *draw.Cursor) string {
	if f.text == "" || f.cells() == 0 {
		return ""
	}
	seen, here := f.progress(), c.At*f.columns+c.Column
	around := seen.found && (seen.at < f.from) != f.back // it went on from the other end
	switch {
	case f.runs():
		return "looking for " + f.text + " … " + draw.Count(seen.looked/max(1, f.cells()/100)) + " %"
	case !seen.found && here == f.from:
		return "no cell contains " + f.text
	case seen.at != here || !around:
		return ""
	case f.back:
		return "continued from the end"
	}
	return "continued from the start"
}
