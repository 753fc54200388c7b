package crosstable

import (
	"cmp"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
)

// Crossing numbers the cells of cross tables of rows, such as records or key patterns, one table after the other.
// Tables with the same first variables share their first steps. It uses only the codes and levels of the groups.
type Crossing struct {
	*keys.Groups
	Missing bool // treat missing as a category; otherwise rows with a missing value are in no cell
	Dense   int  // maximum number of cells of a table numbered in order; 0: four per row

	steps []Cells
	index index
}

// Cells has the cell of each row in a cross table. In a small table, cells are numbered in order, including empty
// ones; in others, in the order of their first rows.
type Cells struct {
	Of      []uint32 // per row, from 1; 0: none
	Numbers int      // highest cell number

	variable int // last variable crossed
	sparse   bool
}

// Cells crosses variables, at least one. The result is valid until the next call.
func (c *Crossing) Cells(variables []int) *Cells {
	same := 0
	for same < min(len(c.steps), len(variables)) && c.steps[same].variable == variables[same] {
		same++
	}
	c.steps = c.steps[:same]
	for _, variable := range variables[same:] {
		c.step(variable)
	}
	return &c.steps[len(variables)-1]
}

// step crosses the cells of the last step with a further variable.
func (c *Crossing) step(variable int) {
	codes, width, first := c.Codes[variable], uint64(c.Levels[variable]), uint32(1)
	if c.Missing {
		width, first = width+1, 0
	}
	c.steps = slices.Grow(c.steps, 1)[:len(c.steps)+1]
	s := &c.steps[len(c.steps)-1]
	if s.variable, s.sparse = variable, false; s.Of == nil {
		s.Of = make([]uint32, len(codes))
	}
	var before []uint32
	cells := width
	if len(c.steps) > 1 {
		last := &c.steps[len(c.steps)-2]
		before, cells, s.sparse = last.Of, uint64(last.Numbers)*width, last.sparse
	}
	const perRow = 4 // maximum cells per row; more would cost more time than the rows
	if s.sparse = s.sparse || cells > uint64(cmp.Or(c.Dense, perRow*len(codes)+1<<12)); s.sparse {
		c.index.reset(cells, len(codes))
	}
	for row, code := range codes {
		cell := uint32(1)
		if before != nil {
			cell = before[row]
		}
		switch place := uint64(cell-1)*width + uint64(code-first); {
		case cell == 0 || code < first:
			s.Of[row] = 0
		case s.sparse:
			s.Of[row] = c.index.number(place)
		default:
			s.Of[row] = uint32(place) + 1
		}
	}
	if s.Numbers = int(cells); s.sparse {
		s.Numbers = int(c.index.distinct)
	}
}

// Sums returns the sums by cell of of, for example records or weights, or of 1 if it is nil. Index 0 is for rows
// in no cell. It reuses the memory of other.
func Sums[S, N int | float64](c *Cells, of []N, other []S) []S {
	sums := append(other[:0], make([]S, c.Numbers+1)...)
	if of == nil {
		for _, cell := range c.Of {
			sums[cell]++
		}
		return sums
	}
	for row, cell := range c.Of {
		sums[cell] += S(of[row])
	}
	return sums
}
