package inference

import "github.com/sdcdesk/sdcdesk/engine/base/store"

// grouping has the rows that have the same value of something, one group after the other:
// those of group i are rows[starts[i]:starts[i+1]], in ascending order. Rows without a
// value are in none.
type grouping struct{ starts, rows []uint32 }

// groups returns the number of groups.
func (g *grouping) groups() int { return len(g.starts) - 1 }

// group returns the rows of a group.
func (g *grouping) group(i int) []uint32 { return g.rows[g.starts[i]:g.starts[i+1]] }

// grouped returns rows by their codes, which are at most levels; 0 is no value. rows nil
// are all. The store has what it returns. It is one step of a radix sort: rows of a group keep their order.
func grouped(s *store.Store, rows, codes []uint32, levels int) grouping {
	starts := make([]uint32, levels+1)
	each := func(f func(row, code uint32)) {
		if rows == nil {
			for row, code := range codes {
				f(uint32(row), code)
			}
		}
		for _, row := range rows {
			f(row, codes[row])
		}
	}
	each(func(_, code uint32) { starts[code]++ })
	starts[0] = 0
	for code := range levels {
		starts[code+1] += starts[code]
	}
	sorted := store.Make[uint32](s, int(starts[levels]))
	each(func(row, code uint32) {
		if code > 0 {
			sorted[starts[code-1]] = row
			starts[code-1]++ // at last the start of the next group
		}
	})
	copy(starts[1:], starts[:levels])
	starts[0] = 0
	return grouping{starts: starts, rows: sorted}
}

// paired returns the rows by the codes of two variables: g has them by the first, and
// others are the codes of the second.
func (g *grouping) paired(codes, others []uint32, levels int) grouping {
	both := grouped(nil, g.rows, others, levels)
	starts := make([]uint32, 0, len(both.starts))
	for i := range both.groups() {
		group := both.group(i)
		for at, row := range group {
			if at == 0 || codes[row] != codes[group[at-1]] {
				starts = append(starts, both.starts[i]+uint32(at))
			}
		}
	}
	return grouping{starts: append(starts, uint32(len(both.rows))), rows: both.rows}
}
