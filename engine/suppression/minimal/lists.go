package minimal

// lists stores numbered lists in one slice, for example the members of groups or the groups of bundles.
type lists struct {
	start []uint32 // per list, and one more
	items []uint32
}

// listsOf distributes items over n lists. number has the list of each item, or unassigned for none; the order of
// the items is kept. If items is nil, the items are the indices of number.
func listsOf(n int, number, items []uint32) lists {
	l := emptyLists(n, number)
	next := append([]uint32(nil), l.start...)
	for i, at := range number {
		if at == unassigned {
			continue
		}
		l.items[next[at]] = uint32(i)
		if items != nil {
			l.items[next[at]] = items[i]
		}
		next[at]++
	}
	return l
}

// emptyLists reserves space for n lists. number has the list of each item.
func emptyLists(n int, number []uint32) lists {
	l := lists{start: make([]uint32, n+1)}
	for _, at := range number {
		if at != unassigned {
			l.start[at+1]++
		}
	}
	for at := range n {
		l.start[at+1] += l.start[at]
	}
	l.items = make([]uint32, l.start[n])
	return l
}

// of returns the list with the given number.
func (l *lists) of(at uint32) []uint32 { return l.items[l.start[at]:l.start[at+1]] }

// len returns the number of lists.
func (l *lists) len() int { return max(0, len(l.start)-1) }

// add appends a list.
func (l *lists) add(items []uint32) {
	if len(l.start) == 0 {
		l.start = []uint32{0}
	}
	l.items = append(l.items, items...)
	l.start = append(l.start, uint32(len(l.items)))
}

// addAll appends the lists of other.
func (l *lists) addAll(other *lists) {
	if len(l.start) == 0 {
		l.start = []uint32{0}
	}
	from := uint32(len(l.items))
	l.items = append(l.items, other.items...)
	for at := range other.len() {
		l.start = append(l.start, from+other.start[at+1])
	}
}

// inverted returns, for each of n items, the lists that it is in, ascending.
func (l *lists) inverted(n int) lists {
	out := emptyLists(n, l.items)
	next := append([]uint32(nil), out.start...)
	for at := range uint32(l.len()) {
		for _, item := range l.of(at) {
			out.items[next[item]] = at
			next[item]++
		}
	}
	return out
}
