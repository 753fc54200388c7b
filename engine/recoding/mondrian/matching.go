package mondrian

import (
	"math"
	"slices"
)

// matching looks for disjoint pairs of vertices with the largest sum of gains, by
// augmenting paths between dual variables; an odd cycle of tight edges is shrunk to one
// vertex, a blossom. [Edmonds 1965, in the form of Galil 1986, on a full matrix of edges:
// time in the cube of the number of vertices]
//
// Vertices are 1 to n, blossoms n+1 on; 0 is none. The dual variable of a vertex is twice
// the usual one, so that all stay whole numbers.
type matching struct {
	n, last  int      // vertices; the last number that a blossom had
	edges    [][]edge // between vertices and blossoms: the tightest of those between their vertices
	dual     []int64
	mate     []int   // the vertex at the other end of the matched edge; 0: exposed
	outer    []int   // the outermost blossom that it is in, or itself; 0 of a blossom: not in use
	parent   []int   // the vertex from which the search came to it
	tightest []int   // the vertex of the search with the tightest edge to it; 0: none
	side     []int8  // of an outermost one in the search
	members  [][]int // of a blossom, around its cycle from its base
	within   [][]int // per blossom and vertex: the member that has the vertex; 0: none
	mark     []int
	marks    int
	queue    []int
}

// edge is one between two vertices; gain 0: there is none.
type edge struct {
	from, to int
	gain     int64
}

// Where a vertex is in the search: not reached, at an even distance from an exposed one,
// or at an odd one.
const (
	unreached = int8(iota)
	even
	odd
)

// bestPairs returns for each of n vertices the one that it is paired with, -1 for none,
// so that the sum of gains is the largest there is. The gain of a pair is a whole number
// below 2^40; pairs without a positive one are not made.
func bestPairs(n int, gain func(i, j int) int64) []int {
	m := newMatching(n, gain)
	for m.augmented() {
	}
	pairs := make([]int, n)
	for i := range pairs {
		pairs[i] = m.mate[i+1] - 1
	}
	return pairs
}

func newMatching(n int, gain func(i, j int) int64) *matching {
	size := n + n/2 + 2
	m := &matching{n: n, last: n, edges: make([][]edge, size), dual: make([]int64, size), mate: make([]int, size),
		outer: make([]int, size), parent: make([]int, size), tightest: make([]int, size), side: make([]int8, size),
		members: make([][]int, size), within: make([][]int, size), mark: make([]int, size)}
	most := int64(0)
	for u := range m.edges {
		m.edges[u], m.within[u] = make([]edge, size), make([]int, n+1)
	}
	for u := 1; u <= n; u++ {
		m.outer[u], m.within[u][u] = u, u
		for v := 1; v < u; v++ {
			g := max(0, gain(u-1, v-1))
			m.edges[u][v], m.edges[v][u] = edge{u, v, g}, edge{v, u, g}
			most = max(most, g)
		}
	}
	for u := 1; u <= n; u++ {
		m.dual[u] = most
	}
	return m
}

// slack returns how far an edge is from being tight.
func (m *matching) slack(e edge) int64 { return m.dual[e.from] + m.dual[e.to] - 2*e.gain }

// augmented makes one pair more by a path between two exposed vertices; false where the
// sum of gains cannot grow any more.
func (m *matching) augmented() bool {
	clear(m.side)
	clear(m.tightest)
	m.queue = m.queue[:0]
	for x := 1; x <= m.last; x++ {
		if m.outer[x] == x && m.mate[x] == 0 {
			m.parent[x] = 0
			m.makeEven(x)
		}
	}
	if len(m.queue) == 0 {
		return false
	}
	for {
		for len(m.queue) > 0 {
			u := m.queue[0]
			m.queue = m.queue[1:]
			if m.scan(u) {
				return true
			}
		}
		if !m.shiftDuals() {
			return false
		}
		for x := 1; x <= m.last; x++ {
			if u := m.tightest[x]; m.outer[x] == x && u > 0 && m.outer[u] != x && m.slack(m.edges[u][x]) == 0 &&
				m.found(m.edges[u][x]) {
				return true
			}
		}
		for b := m.n + 1; b <= m.last; b++ {
			if m.outer[b] == b && m.side[b] == odd && m.dual[b] == 0 {
				m.expand(b)
			}
		}
	}
}

// scan looks at the edges of a vertex; it reports whether one made a pair more.
func (m *matching) scan(u int) bool {
	if m.side[m.outer[u]] == odd {
		return false
	}
	for v := 1; v <= m.n; v++ {
		e := m.edges[u][v]
		if e.gain == 0 || m.outer[u] == m.outer[v] {
			continue
		}
		if m.slack(e) > 0 {
			m.tighten(u, m.outer[v])
		} else if m.found(e) {
			return true
		}
	}
	return false
}

// makeEven puts a vertex, or those of a blossom, among those to be scanned.
func (m *matching) makeEven(x int) {
	m.side[x] = even
	if x <= m.n {
		m.queue = append(m.queue, x)
		return
	}
	for v := 1; v <= m.n; v++ {
		if m.within[x][v] > 0 {
			m.queue = append(m.queue, v)
		}
	}
}

// tighten remembers the edge from u where it is the tightest to x so far.
func (m *matching) tighten(u, x int) {
	if was := m.tightest[x]; was == 0 || m.slack(m.edges[u][x]) < m.slack(m.edges[was][x]) {
		m.tightest[x] = u
	}
}

// tightenAnew looks for the tightest edge to x from all that are even.
func (m *matching) tightenAnew(x int) {
	m.tightest[x] = 0
	for u := 1; u <= m.n; u++ {
		if m.edges[u][x].gain > 0 && m.outer[u] != x && m.side[m.outer[u]] == even {
			m.tighten(u, x)
		}
	}
}

// shiftDuals changes the dual variables until another edge is tight or a blossom can be
// opened; false where an exposed vertex has nothing to gain any more.
func (m *matching) shiftDuals() bool {
	shift := int64(math.MaxInt64)
	for x := 1; x <= m.last; x++ {
		switch {
		case m.outer[x] != x:
			continue
		case x > m.n && m.side[x] == odd:
			shift = min(shift, m.dual[x]/2)
		}
		if u := m.tightest[x]; u > 0 && m.side[x] == unreached {
			shift = min(shift, m.slack(m.edges[u][x]))
		} else if u > 0 && m.side[x] == even {
			shift = min(shift, m.slack(m.edges[u][x])/2)
		}
	}
	for u := 1; u <= m.n; u++ {
		switch m.side[m.outer[u]] {
		case even:
			if m.dual[u] <= shift {
				return false
			}
			m.dual[u] -= shift
		case odd:
			m.dual[u] += shift
		}
	}
	for b := m.n + 1; b <= m.last; b++ {
		switch {
		case m.outer[b] != b:
		case m.side[b] == even:
			m.dual[b] += 2 * shift
		case m.side[b] == odd:
			m.dual[b] -= 2 * shift
		}
	}
	m.queue = m.queue[:0]
	return true
}

// found follows a tight edge from an even vertex; it reports whether that made a pair more.
func (m *matching) found(e edge) bool {
	u, v := m.outer[e.from], m.outer[e.to]
	switch m.side[v] {
	case unreached:
		next := m.outer[m.mate[v]]
		m.parent[v], m.side[v] = e.from, odd
		m.tightest[v], m.tightest[next] = 0, 0
		m.makeEven(next)
	case even:
		base := m.meeting(u, v)
		if base == 0 {
			m.augment(u, v)
			m.augment(v, u)
			return true
		}
		m.shrink(u, base, v)
	}
	return false
}

// meeting returns where the ways from u and v back to exposed vertices meet; 0: nowhere.
func (m *matching) meeting(u, v int) int {
	m.marks++
	for u > 0 || v > 0 {
		if u > 0 {
			if m.mark[u] == m.marks {
				return u
			}
			m.mark[u] = m.marks
			if u = m.outer[m.mate[u]]; u > 0 {
				u = m.outer[m.parent[u]]
			}
		}
		u, v = v, u
	}
	return 0
}

// augment pairs u with v and turns over the pairs on the way back from u.
func (m *matching) augment(u, v int) {
	for {
		next := m.outer[m.mate[u]]
		m.pair(u, v)
		if next == 0 {
			return
		}
		before := m.outer[m.parent[next]]
		m.pair(next, before)
		u, v = before, next
	}
}

// pair gives u the mate that its edge to v has; of a blossom the member that has the
// edge becomes the base, and the pairs around the cycle follow.
func (m *matching) pair(u, v int) {
	e := m.edges[u][v]
	m.mate[u] = e.to
	if u <= m.n {
		return
	}
	base := m.within[u][e.from]
	at := m.evenPlace(u, base)
	for i := range at {
		m.pair(m.members[u][i], m.members[u][i^1])
	}
	m.pair(base, v)
	m.members[u] = slices.Concat(m.members[u][at:], m.members[u][:at])
}

// evenPlace returns where a member stands in the cycle of a blossom, which is turned
// about its base where the place would be odd.
func (m *matching) evenPlace(b, member int) int {
	cycle := m.members[b]
	at := slices.Index(cycle, member)
	if at%2 == 0 {
		return at
	}
	slices.Reverse(cycle[1:])
	return len(cycle) - at
}
