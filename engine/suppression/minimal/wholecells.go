package minimal

import "math/bits"

// wholeCells finds the rows of choices that have all values within some variables, by the cells of their table, without
// comparing keys: of few variables many choices share few cells.
type wholeCells struct {
	codes [][]uint32
	steps []int
	rows  []uint32 // per cell: 1 more than its row; 0: it has none yet
}

// newWholeCells returns nil where the table has many more cells than there are choices.
func newWholeCells(p *Problem, within uint64, choices int) *wholeCells {
	w, cells := &wholeCells{}, 1
	for set := within; set != 0; set &= set - 1 {
		v := bits.TrailingZeros64(set)
		w.codes, w.steps = append(w.codes, p.Codes[v]), append(w.steps, cells)
		if cells *= p.Levels[v] + 1; cells > 4*choices {
			return nil
		}
	}
	w.rows = make([]uint32, cells)
	return w
}

// rowOf returns where the row of a choice stands; nil where it lacks a value or there is no table.
func (w *wholeCells) rowOf(c choice, within uint64) *uint32 {
	if w == nil || c.set&within != 0 {
		return nil
	}
	cell := 0
	for i, codes := range w.codes {
		cell += int(codes[c.key]) * w.steps[i]
	}
	return &w.rows[cell]
}
