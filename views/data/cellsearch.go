package data

import (
	"context"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// cellSearch is a search for the next cell of a table that contains a text, ignoring case. It starts at a cell,
// goes row by row, and wraps around. A large table is searched in the background.
type cellSearch struct {
	cellQuery
	seen views.Cache[cellQuery, cellSearchProgress]
}

// cellQuery is the text to find, and where.
type cellQuery struct {
	text          string // in lower case; "": no search
	back          bool
	from          int // the cell where the search began, counted row by row
	rows, columns int
	place         searchScope // the rows and columns it refers to
}

// cellSearchProgress is the progress of a search.
type cellSearchProgress struct {
	examined int  // number of cells examined
	at       int  // the matching cell
	found    bool // there is a match
	holds    []func(row int) bool
}

// progress returns the progress of the search.
func (f *cellSearch) progress() *cellSearchProgress { return f.seen.For(f.cellQuery) }

func (f *cellQuery) cells() int { return f.rows * f.columns }

// runs reports whether the search is still running.
func (f *cellSearch) runs() bool {
	seen := f.progress()
	return f.text != "" && !seen.found && seen.examined < f.cells()
}

// cell returns the i-th cell to examine; the last one is the cell where the search began.
func (f *cellQuery) cell(i int) int {
	if f.back {
		return (f.from - 1 - i + 2*f.cells()) % f.cells()
	}
	return (f.from + 1 + i) % f.cells()
}

// cellsAtOnce is the number of cells examined between two checks of the clock.
const cellsAtOnce = 1 << 15

// look examines the next cells for about as long as the budget.
func (s cellSearchProgress) look(
	ctx context.Context, of *cellQuery, budget time.Duration, holds func(column int) func(row int) bool,
) cellSearchProgress {
	columns, started := make([]func(int) bool, of.columns), time.Now()
	copy(columns, s.holds)
	for s.holds = columns; s.examined < of.cells() && ctx.Err() == nil; {
		for end := min(of.cells(), s.examined+cellsAtOnce); s.examined < end; s.examined++ {
			cell := of.cell(s.examined)
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

// marks reports whether a text contains the text searched for.
func (f *cellSearch) marks(text string) bool {
	return f.text != "" && strings.Contains(strings.ToLower(text), f.text)
}

// outcome returns the result of the search, as long as the cursor stays where the search left it.
func (f *cellSearch) outcome(c *draw.Cursor) string {
	if f.text == "" || f.cells() == 0 {
		return ""
	}
	seen, here := f.progress(), c.At*f.columns+c.Column
	around := seen.found && (seen.at < f.from) != f.back // it wrapped around
	switch {
	case f.runs():
		return "looking for " + f.text + " … " + draw.Count(seen.examined/max(1, f.cells()/100)) + " %"
	case !seen.found && here == f.from:
		return "no cell contains " + f.text
	case seen.at != here || !around:
		return ""
	case f.back:
		return "continued from the end"
	}
	return "continued from the start"
}
