package audit

import (
	"maps"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// Space holds all tables that meet some equations, with each cell between its bounds. One of them is the present one.
type Space struct {
	simplex *simplex
	of      map[int]int32 // cells: their unknown
	changes map[int]change
	values  func(cell int) float64
	total   int32 // the unknown that is what the present table costs, negative; -1: nothing has a price
}

// NewSpace returns the tables within bounds; the present one is the true one, which is widened to if it is outside.
func NewSpace(e *tabular.Equations, values func(cell int) float64, b Bounds) *Space {
	system := newSystem(e, func(int32) bool { return true })
	system.eliminate()
	all := &component{cells: system.cells, solved: system.solved}
	s := &Space{of: map[int]int32{}, changes: map[int]change{}, values: values, total: -1}
	for u, cell := range system.cells {
		s.of[int(cell)], all.number = int32(u), append(all.number, int32(u))
	}
	s.simplex = system.program(all, values, b)
	return s
}

// Clone returns a copy.
func (s *Space) Clone() *Space {
	c := *s
	c.simplex, c.changes = s.simplex.clone(), maps.Clone(s.changes)
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
	prices := make([]float64, len(s.simplex.value))
	for cell, u := range s.of {
		prices[u] = price(cell)
	}
	s.total = s.simplex.charge(prices)
}

// PriceChanges gives each unit by which a cell differs from its true value a price above 0.
func (s *Space) PriceChanges(price func(cell int) float64) {
	prices := make([]float64, len(s.simplex.value))
	cells := make([]int, len(prices))
	for cell, u := range s.of {
		prices[u], cells[u] = price(cell), cell
	}
	changes := s.simplex.split(prices, perturbation)
	for _, c := range changes {
		s.changes[cells[c.of]] = c
	}
	s.total = s.simplex.charge(both(changes, len(s.simplex.value)))
}

// Minimise makes a cheapest table the present one.
func (s *Space) Minimise() {
	s.simplex.push(s.total, true, -1, never)
}

func never() bool { return false }

// Push makes a table the present one whose cell is as large as it can be, or as small, but not beyond a value, and
// reports whether it has that value. From then on the cell stays there, or beyond it if beyond is true.
func (s *Space) Push(cell int, up bool, to float64, beyond bool) bool {
	u, is := s.of[cell]
	if !is {
		return to == s.values(cell)
	}
	grows := up
	if c, split := s.changes[cell]; split {
		if to -= s.values(cell); !up {
			to, c.up, c.down = -to, c.down, c.up
		}
		if s.simplex.push(c.down, false, s.total, never) > different*max(1, to) {
			return false
		}
		s.simplex.upper[c.down] = s.simplex.value[c.down]
		u, grows = c.up, true
	}
	end, other := &s.simplex.upper[u], &s.simplex.lower[u]
	if !grows {
		end, other = other, end
	}
	if grows == (s.simplex.value[u] > to) && beyond {
		*other = to
		return true
	}
	far := *end
	*end = to
	s.simplex.push(u, grows, s.total, never)
	*other = to
	if beyond {
		*end = far
	}
	return math.Abs(s.simplex.value[u]-to) <= different*max(1, math.Abs(to))
}
