package mondrian

import (
	"math"
	"slices"
)

// matching finds a set of disjoint pairs of vertices with maximum total gain, by the primal-dual blossom
// algorithm. [Edmonds 1965, in the form of Galil 1986, on a full matrix of edges: time cubic in the number of
// vertices]
//
// Vertices are numbered 1 to n and blossoms from n+1; 0 is none. Dual variables of vertices are doubled, so that
// all are integers.
type matching struct {
	n, last  int      // number of vertices; highest number of a blossom so far
	edges    [][]edge // between vertices or blossoms: the tightest edge between their vertices
	dual     []int64
	mate     []int   // other end of the matched edge; 0: exposed
	outer    []int   // outermost blossom that contains it, or itself; 0: unused blossom
	parent   []int   // vertex from which the search reached it
	tightest []int   // vertex of the search with the tightest edge to it; 0: none
	side     []int8  // label of an outermost vertex or blossom in the search
	members  [][]int // of a blossom, in cyclic order from its base
	within   [][]int // per blossom and vertex: the member that contains the vertex; 0: none
	mark     []int
	marks    int
	queue    []int
}

// edge is an edge between two vertices; gain 0 means that there is none.
type edge struct {
	from, to int
	gain     int64
}

// Labels of the search: not reached, or at even or odd distance from an exposed vertex.
const (
	unreached = int8(iota)
	even
	odd
)

// bestPairs returns, for each of n vertices, its partner in a matching of maximum total gain, or -1. Gains are
// integers below 2^40; pairs without a positive gain are not formed.
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

// slack returns the slack of an edge, which is 0 if it is tight.
func (m *matching) slack(e edge) int64 { return m.dual[e.from] + m.dual[e.to] - 2*e.gain }

// augmented adds a pair by an augmenting path between two exposed vertices. It returns false if the total gain is
// maximal.
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

// scan processes the edges of a vertex and reports whether the matching was augmented.
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

// makeEven labels x even and queues its vertices for scanning.
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

// tighten records u if its edge to x is the tightest so far.
func (m *matching) tighten(u, x int) {
	if was := m.tightest[x]; was == 0 || m.slack(m.edges[u][x]) < m.slack(m.edges[was][x]) {
		m.tightest[x] = u
	}
}

// retighten finds the tightest edge to x from all even vertices.
func (m *matching) retighten(x int) {
	m.tightest[x] = 0
	for u := 1; u <= m.n; u++ {
		if m.edges[u][x].gain > 0 && m.outer[u] != x && m.side[m.outer[u]] == even {
			m.tighten(u, x)
		}
	}
}

// shiftDuals changes the dual variables until an edge becomes tight or a blossom can be expanded. It returns false
// if an exposed vertex has dual 0, so that the matching is optimal.
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

// found follows a tight edge from an even vertex and reports whether the matching was augmented.
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

// meeting returns the first common vertex of the paths from u and v to exposed vertices, or 0.
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

// augment matches u with v and flips the pairs on the path back from u.
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

// pair sets the mate of u according to its edge to v. If u is a blossom, the member with the edge becomes its
// base, and the pairs around the cycle are flipped accordingly.
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

// evenPlace returns the index of a member in the cycle of a blossom. If the index would be odd, it first reverses
// the cycle.
func (m *matching) evenPlace(b, member int) int {
	cycle := m.members[b]
	at := slices.Index(cycle, member)
	if at%2 == 0 {
		return at
	}
	slices.Reverse(cycle[1:])
	return len(cycle) - at
}
