package audit

import (
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// Moves finds which cells change together when a cell of a table gets another value.
type Moves struct {
	equations *tabular.Equations
	of        [][]int32 // per cell: its equations
	values    func(cell int) float64
	bounds    Bounds
}

// NewMoves takes the equations of a table and its true values, by cell.
func NewMoves(e *tabular.Equations, cells int, values func(cell int) float64, b Bounds) *Moves {
	m := &Moves{equations: e, of: make([][]int32, cells), values: values, bounds: b}
	for i := range e.Len() {
		for _, cell := range e.At(i) {
			m.of[cell] = append(m.of[cell], int32(i))
		}
	}
	return m
}

// Price says what a unit of change of a cell costs: 0 of suppressed cells. Negative: the cell cannot change.
type Price func(cell int) float64

// Reach moves a cell as far towards a value as changes of cells near it allow, at a low price. It returns the value
// reached, and the other cells that change. With size 0 the cells of its subtable can change, else the size nearest ones.
func (m *Moves) Reach(cell int, to float64, price Price, size int) (reached float64, changed []int) {
	near := m.subtable(int32(cell), price)
	if size > 0 {
		near = m.nearest(int32(cell), price, size)
	}
	system := newSystem(m.around(near), func(c int32) bool { _, is := slices.BinarySearch(near, c); return is })
	if _, is := system.unknowns[int32(cell)]; !is {
		return to, nil // no equation has it
	}
	system.eliminate()
	part := system.component(int32(cell))
	s := system.program(part, m.values, m.bounds)
	reached, values := s.reach(int32(slices.Index(part.cells, int32(cell))), to, part.prices(price))
	least := different * math.Abs(to-m.values(cell))
	for u, c := range part.cells {
		if int(c) != cell && math.Abs(values[u]-m.values(int(c))) > least {
			changed = append(changed, int(c))
		}
	}
	return reached, changed
}

// different is the share of the change of a cell below which another cell does not count as changed.
const different = 1e-4

// subtable returns the cells that share an equation with a cell, those that share equations with two of them, those that
// share equations with three of the last, and so on.
func (m *Moves) subtable(cell int32, price Price) []int32 {
	near, is := []int32{cell}, map[int32]bool{cell: true}
	for layer, needed := near, 1; len(layer) > 0; needed++ {
		shared := map[int32]int{}
		for _, c := range layer {
			for _, e := range m.of[c] {
				for _, other := range m.equations.At(int(e)) {
					if !is[other] && price(int(other)) >= 0 {
						shared[other]++
					}
				}
			}
		}
		layer = nil
		for c, n := range shared {
			if n >= needed {
				layer, is[c] = append(layer, c), true
			}
		}
		near = append(near, layer...)
	}
	slices.Sort(near)
	return near
}

// nearest returns the cells with the fewest equations between them and a cell. A cell with a price counts as two.
func (m *Moves) nearest(cell int32, price Price, size int) (near []int32) {
	const far = 2
	known := map[int32]bool{cell: true}
	layers := [][]int32{{cell}}
	for d := 0; d < len(layers); d++ {
		for i := 0; i < len(layers[d]) && len(near) < size; i++ {
			c := layers[d][i]
			near = append(near, c)
			for _, e := range m.of[c] {
				for _, other := range m.equations.At(int(e)) {
					cost := price(int(other))
					if known[other] || cost < 0 {
						continue
					}
					known[other] = true
					at := d + 1
					if cost > 0 {
						at = d + far
					}
					for len(layers) <= at {
						layers = append(layers, nil)
					}
					layers[at] = append(layers[at], other)
				}
			}
		}
	}
	slices.Sort(near)
	return near
}

// around returns the equations that have any of some cells.
func (m *Moves) around(near []int32) *tabular.Equations {
	local, seen := &tabular.Equations{}, map[int32]bool{}
	for _, c := range near {
		for _, e := range m.of[c] {
			if !seen[e] {
				seen[e] = true
				local.Append(m.equations.At(int(e))...)
			}
		}
	}
	return local
}

// component returns the unknowns that share equations with a cell, directly or not.
func (s *system) component(cell int32) *component {
	parts := s.components()
	return &parts[slices.IndexFunc(parts, func(p component) bool { return slices.Contains(p.cells, cell) })]
}

// prices returns the price of each unknown.
func (c *component) prices(price Price) []float64 {
	prices := make([]float64, len(c.cells))
	for u, cell := range c.cells {
		prices[u] = price(int(cell))
	}
	return prices
}
