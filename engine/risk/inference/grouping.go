package inference

import "github.com/sdcdesk/sdcdesk/engine/base/store"

// grouping has the rows grouped by level: group i has the rows rows[starts[i]:starts[i+1]], ascending. Rows
// without a value are in no group.
type grouping struct {
	starts, rows []uint32
	numbers      []uint32 // group number by level, from 1; 0: left out; nil: group i has level i+1
}

// groups returns the number of groups.
func (g *grouping) groups() int { return len(g.starts) - 1 }

// group returns the rows of a group.
func (g *grouping) group(i int) []uint32 { return g.rows[g.starts[i]:g.starts[i+1]] }

// of returns the rows of the group with the given level, or nil if it is left out.
func (g *grouping) of(level uint32) []uint32 {
	if g.numbers != nil {
		level = g.numbers[level]
	}
	if level == 0 {
		return nil
	}
	return g.group(int(level) - 1)
}

// grouped groups the rows by level or, if numbers is not nil, by numbers[level], which is at most n. It is one
// pass of a radix sort, so rows of a group keep their order.
func (p *partition) grouped(numbers []uint32, n int) *grouping {
	g := &grouping{starts: make([]uint32, n+1), numbers: numbers}
	each := func(f func(row, number uint32)) {
		for first, levels := range p.blocks() {
			for i, level := range levels {
				if numbers != nil {
					level = numbers[level]
				}
				if level > 0 {
					f(uint32(first+i), level)
				}
			}
		}
	}
	each(func(_, number uint32) { g.starts[number]++ })
	for i := range n {
		g.starts[i+1] += g.starts[i]
	}
	g.rows = store.Make[uint32](p.store, int(g.starts[n]))
	each(func(row, number uint32) {
		g.rows[g.starts[number-1]] = row
		g.starts[number-1]++ // ends as the start of the next group
	})
	copy(g.starts[1:], g.starts[:n])
	g.starts[0] = 0
	return g
}
