package audit

import (
	"math"

	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// Space holds all tables that meet some equations, with each cell between its bounds. One of them is the present one.
type Space struct {
	simplex *simplex
	of      map[int]int32 // cells: their unknown
	cells   []int32       // unknowns: their cell
	values  func(cell int) float64
}

// NewSpace returns the tables within bounds; the present one is the true one, which is widened to if it is outside.
func NewSpace(e *tabular.Equations, values func(cell int) float64, b Bounds) *Space {
	system := newSystem(e, func(int32) bool { return true })
	system.eliminate()
	all := &component{cells: system.cells, solved: system.solved}
	s := &Space{of: map[int]int32{}, cells: system.cells, values: values}
	for u, cell := range system.cells {
		s.of[int(cell)], all.number = int32(u), append(all.number, int32(u))
	}
	s.simplex = system.program(all, values, b)
	return s
}

// Clone returns a copy.
func (s *Space) Clone() *Space {
	c := *s
	c.simplex = s.simplex.clone()
	return &c
}

// Value returns a cell of the present table.
func (s *Space) Value(cell int) float64 {
	u, is := s.of[cell]
	if !is {
		return s.values(cell) // no equation has it
	}
	return s.simplex.value[u]
}

// Price gives each unit of a cell a price.
func (s *Space) Price(price func(cell int) float64) {
	for u, cell := range s.cells {
		s.simplex.charge(int32(u), price(int(cell)))
	}
}

// PriceChanges gives each unit by which a cell differs from its present value a price above 0.
func (s *Space) PriceChanges(price func(cell int) float64) {
	for u, cell := range s.cells {
		s.simplex.chargeChanges(int32(u), price(int(cell)), perturbation)
	}
}

// Minimise makes a cheapest table the present one.
func (s *Space) Minimise() { s.simplex.minimise(never) }

func never() bool { return false }

// Push makes a table the present one whose cell is as large as it can be, or as small, but not beyond a value, and
// reports whether it has that value. From then on the cell stays there, or beyond it if beyond is true.
func (s *Space) Push(cell int, up bool, to float64, beyond bool) bool {
	u, is := s.of[cell]
	if !is {
		return to == s.values(cell)
	}
	end, other := &s.simplex.upper[u], &s.simplex.lower[u]
	if !up {
		end, other = other, end
	}
	if up == (s.simplex.value[u] > to) && beyond {
		*other = to
		return true
	}
	far := *end
	*end = to
	s.simplex.push(u, up, never)
	*other = to
	if beyond {
		*end = far
	}
	return math.Abs(s.simplex.value[u]-to) <= different*max(1, math.Abs(to))
}
