package mondrian

import "slices"

// shrink creates a blossom from the cycle that runs from base to u and from v back to base.
func (m *matching) shrink(u, base, v int) {
	b := m.n + 1
	for b <= m.last && m.outer[b] > 0 {
		b++
	}
	m.last = max(m.last, b)
	cycle := m.climb([]int{base}, u)
	slices.Reverse(cycle[1:])
	cycle = m.climb(cycle, v)
	m.members[b], m.dual[b], m.side[b], m.mate[b] = cycle, 0, even, m.mate[base]
	m.parent[b] = m.parent[base]
	m.takeEdges(b)
	m.setOuter(b, b)
	m.retighten(b)
}

// climb appends the path from a vertex to the base of the cycle. Its odd vertices become even.
func (m *matching) climb(cycle []int, x int) []int {
	for x != cycle[0] {
		inner := m.outer[m.mate[x]]
		cycle = append(cycle, x, inner)
		m.makeEven(inner)
		x = m.outer[m.parent[inner]]
	}
	return cycle
}

// takeEdges gives a new blossom the tightest of its members' edges, and their vertices.
func (m *matching) takeEdges(b int) {
	for x := 1; x <= m.last; x++ {
		m.edges[b][x].gain, m.edges[x][b].gain = 0, 0
	}
	clear(m.within[b])
	for _, member := range m.members[b] {
		for x := 1; x <= m.last; x++ {
			if e := m.edges[member][x]; m.outer[x] > 0 && e.gain > 0 &&
				(m.edges[b][x].gain == 0 || m.slack(e) < m.slack(m.edges[b][x])) {
				m.edges[b][x], m.edges[x][b] = e, m.edges[x][member]
			}
		}
		for v := 1; v <= m.n; v++ {
			if m.within[member][v] > 0 {
				m.within[b][v] = member
			}
		}
	}
}

// setOuter sets the outermost blossom of x and of everything in it.
func (m *matching) setOuter(x, outermost int) {
	m.outer[x] = outermost
	if x > m.n {
		for _, member := range m.members[x] {
			m.setOuter(member, outermost)
		}
	}
}

// expand dissolves an odd blossom. The members on the even path from the entry of the search to the base stay in
// the search; the others become unreached.
func (m *matching) expand(b int) {
	for _, member := range m.members[b] {
		m.setOuter(member, member)
	}
	entry := m.within[b][m.edges[b][m.parent[b]].from]
	at := m.evenPlace(b, entry)
	cycle := m.members[b]
	for i := 0; i < at; i += 2 {
		inner, next := cycle[i], cycle[i+1]
		m.parent[inner] = m.edges[next][inner].from
		m.side[inner], m.tightest[inner] = odd, 0
		m.tightest[next] = 0
		m.makeEven(next)
	}
	m.side[entry], m.parent[entry] = odd, m.parent[b]
	for _, member := range cycle[at+1:] {
		m.side[member] = unreached
		m.retighten(member)
	}
	m.outer[b] = 0
}
