package inference

import (
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// rowCells has a number per row, in 8 bits if they fit: searches read most rows many times.
type rowCells struct {
	narrow []uint8
	wide   []uint32 // nil if narrow is used
}

// newRowCells returns n numbers up to most, all 0.
func newRowCells(s *store.Store, n int, most uint32) rowCells {
	if most <= math.MaxUint8 {
		return rowCells{narrow: store.Make[uint8](s, n)}
	}
	return rowCells{wide: store.Make[uint32](s, n)}
}

func (c rowCells) len() int { return len(c.narrow) + len(c.wide) }

// at returns the number of a row.
func (c rowCells) at(row uint32) uint32 {
	if c.narrow != nil {
		return uint32(c.narrow[row])
	}
	return c.wide[row]
}

func (c rowCells) set(row int, number uint32) {
	if c.narrow != nil {
		c.narrow[row] = uint8(number)
	} else {
		c.wide[row] = number
	}
}

// codes returns the numbers as codes.
func (c rowCells) codes() microdata.Codes {
	if c.narrow != nil {
		return microdata.CodesOf(c.narrow)
	}
	return microdata.CodesOf(c.wide)
}

// free releases the numbers, which must not be used afterwards.
func (c rowCells) free(s *store.Store) {
	store.Free(s, c.narrow)
	store.Free(s, c.wide)
}

// picked returns the numbers of some rows.
func (c rowCells) picked(rows []uint32) rowCells {
	if c.narrow != nil {
		return rowCells{narrow: picked(rows, c.narrow)}
	}
	return rowCells{wide: picked(rows, c.wide)}
}
