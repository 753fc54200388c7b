package audit

import (
	"cmp"
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
	stop      func() bool
	is        []bool  // work: per cell, it is a neighbour
	shared    []int32 // work: per cell, equations that it shares with some
}

// Change is the value that a cell changes to.
type Change struct {
	Cell int
	To   float64
}

// NewMoves takes the equations of a table and its true values, by cell. Searches end as they are when stop reports that
// their results are not needed.
func NewMoves(e *tabular.Equations, cells int, values func(cell int) float64, b Bounds, stop func() bool) *Moves {
	m := &Moves{equations: e, of: make([][]int32, cells), values: values, bounds: b, stop: stop,
		is: make([]bool, cells), shared: make([]int32, cells)}
	for i := range e.Len() {
		for _, cell := range e.At(i) {
			m.of[cell] = append(m.of[cell], int32(i))
		}
	}
	return m
}

// Price says what a unit of change of a cell costs: 0 of suppressed cells. Negative: the cell cannot change.
type Price func(cell int) float64

// Near says which cells can change with another one: some that share equations with it, and cells that share equations
// with several of these.
type Near struct {
	Most  int  // of each of its equations; 0: all cells of the table can change
	Sums  bool // and of each equation of the sums that it belongs to
	Cells int  // no cell changes if these are more; 0: no limit
}

// Reach moves a cell as far towards a value as changes of cells near it allow, at a low price. It returns the value
// reached, and the other cells that change with their values.
func (m *Moves) Reach(cell int, to float64, price Price, by Near) (reached float64, changed []Change) {
	near := m.subtable(int32(cell), price, by)
	if by.Cells > 0 && len(near) > by.Cells {
		return m.values(cell), nil
	}
	system := newSystem(m.around(near), func(c int32) bool { _, is := slices.BinarySearch(near, c); return is })
	if _, is := system.unknowns[int32(cell)]; !is {
		return to, nil // no equation has it
	}
	system.eliminate()
	part := system.component(int32(cell))
	s := system.program(part, m.values, m.bounds)
	reached, values := s.reach(int32(slices.Index(part.cells, int32(cell))), to, part.prices(price), m.stop)
	least := different * math.Abs(to-m.values(cell))
	for u, c := range part.cells {
		if int(c) != cell && math.Abs(values[u]-m.values(int(c))) > least {
			changed = append(changed, Change{int(c), values[u]})
		}
	}
	return reached, changed
}

// different is the share of the change of a cell below which another cell does not count as changed.
const different = 1e-4

// subtable returns the partners of a cell, and of its sums if asked for, the cells with two equations that have any of
// these, those with three equations that have any of the last, and so on.
func (m *Moves) subtable(cell int32, price Price, by Near) []int32 {
	n := neighbours{Moves: m, price: price, most: cmp.Or(by.Cells, len(m.of))}
	defer func() {
		for _, c := range n.cells {
			m.is[c] = false
		}
	}()
	layer := n.add(cell)
	sums := slices.Clone(layer)
	for i := 0; i < len(sums) && len(n.cells) <= n.most; i++ {
		layer = append(layer, n.add(m.partners(sums[i], price, by.Most)...)...)
		for _, e := range m.of[sums[i]] {
			if sum := m.equations.At(int(e))[0]; by.Sums && n.is[sum] && !slices.Contains(sums, sum) {
				sums = append(sums, sum)
			}
		}
	}
	for c := 0; by.Most == 0 && c < len(m.of); c++ {
		n.add(int32(c))
	}
	for needed := int32(2); len(layer) > 0 && len(n.cells) <= n.most; needed++ {
		var sharing, next []int32
		for _, e := range m.having(layer) {
			for _, c := range m.equations.At(int(e)) {
				if m.shared[c]++; m.shared[c] == 1 {
					sharing = append(sharing, c)
				}
			}
		}
		for _, c := range sharing {
			if m.shared[c] >= needed {
				next = append(next, c)
			}
			m.shared[c] = 0
		}
		slices.Sort(next)
		layer = n.add(next...)
	}
	slices.Sort(n.cells)
	return n.cells
}

// neighbours are cells near another one that can change.
type neighbours struct {
	*Moves
	price Price
	cells []int32
	most  int // no cell is added when there are more
}

// add adds cells, and those that change with them because no other cell of an equation can. It returns the new ones.
func (n *neighbours) add(cells ...int32) (added []int32) {
	for len(cells) > 0 && len(n.cells)+len(added) <= n.most {
		c := cells[0]
		if cells = cells[1:]; n.is[c] || n.price(int(c)) < 0 {
			continue
		}
		n.is[c], added = true, append(added, c)
		for _, e := range n.of[c] {
			if others := n.others(e, c); len(others) == 1 {
				cells = append(cells, others[0])
			}
		}
	}
	n.cells = append(n.cells, added...)
	return added
}

// others returns the cells of an equation that can change, without one.
func (n *neighbours) others(e, cell int32) (others []int32) {
	for _, c := range n.equations.At(int(e)) {
		if c != cell && n.price(int(c)) >= 0 {
			others = append(others, c)
		}
	}
	return others
}

// partners returns cells that share an equation with a cell: of each equation its sum and at most so many others, those
// that can become smaller first, then the cheap ones.
func (m *Moves) partners(cell int32, price Price, most int) (partners []int32) {
	rank := func(c int32) float64 {
		if price(int(c)) < 0 || m.values(int(c)) <= m.bounds.Low(int(c)) {
			return math.Inf(1)
		}
		return price(int(c))
	}
	for _, e := range m.of[cell] {
		of := slices.Clone(m.equations.At(int(e)))
		slices.SortStableFunc(of[1:], func(a, b int32) int { return cmp.Compare(rank(a), rank(b)) })
		partners = append(partners, of[:min(len(of), 1+most)]...)
	}
	return partners
}

// having returns the equations that have any of some cells, each once.
func (m *Moves) having(cells []int32) (all []int32) {
	for _, c := range cells {
		all = append(all, m.of[c]...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// around returns the equations that have any of some cells.
func (m *Moves) around(near []int32) *tabular.Equations {
	local := &tabular.Equations{}
	for _, e := range m.having(near) {
		local.Append(m.equations.At(int(e))...)
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
