package mondrian

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/hierarchy"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// tree is a hierarchy of a variable's categories.
type tree struct {
	path  [][]int  // per code and depth, from 1 for the finest: node; 0: none
	nodes []extent // from 1: extent of each coarser level
	depth []int    // of each node
}

// Nodes of extents that are not a level of the hierarchy: a single category, and a range or set without a common
// level.
const (
	alone = 0
	mixed = -1
)

// newTree builds the hierarchy of an axis from a table. Errors wrap method.ErrParam.
func newTree(a *axis, now *microdata.Categories, numeric bool, table hierarchy.Table) (*tree, error) {
	depths := len(table[0]) - 1
	for depth := 1; depth <= depths; depth++ {
		if err := table.Check(depth); err != nil {
			return nil, method.ParamError("%w", err)
		}
	}
	if err := table.Nested(); err != nil {
		return nil, method.ParamError("\"levels\": %w", err)
	}
	h := &tree{nodes: make([]extent, 1), depth: make([]int, 1), path: make([][]int, len(now.Levels)+1)}
	rows := table.Rows(numeric)
	places := map[string]int{} // nodes by depth and label
	for code := range h.path {
		h.path[code] = make([]int, depths+1)
		row, listed := []string(nil), false
		if code > 0 {
			row, listed = rows(now.Levels[code-1])
		}
		for depth := 1; depth <= depths && listed; depth++ {
			if row[depth] != "" {
				h.path[code][depth] = h.node(places, depth, row[depth])
			}
		}
	}
	h.span(a, now.Counts())
	return h, nil
}

// node returns the node of a level, adding it if necessary.
func (h *tree) node(places map[string]int, depth int, label string) int {
	mark := string(rune(depth)) + label
	node, known := places[mark]
	if !known {
		node = len(h.nodes)
		places[mark] = node
		h.nodes = append(h.nodes, extent{})
		h.depth = append(h.depth, depth)
		h.nodes[node].name, h.nodes[node].node = label, node
	}
	return node
}

// span computes the extent of each node from the categories below it that occur.
func (h *tree) span(a *axis, counts []int) {
	for code := 1; code < len(h.path); code++ {
		if counts[code] == 0 {
			continue
		}
		for _, node := range h.path[code] {
			if node == 0 {
				continue
			}
			name, e := h.nodes[node].name, a.alone(uint32(code))
			if h.nodes[node].low > 0 {
				e = a.spanning(&h.nodes[node], &e)
			}
			h.nodes[node] = e
			h.nodes[node].name, h.nodes[node].node = name, node
		}
	}
}

// common returns the node of the finest level that includes both extents.
func (a *axis) common(e, f *extent) int {
	h := a.hierarchy
	switch {
	case h == nil:
		return alone
	case e.low == 0:
		return f.node
	case f.low == 0:
		return e.node
	case e.node == mixed || f.node == mixed:
		return mixed
	case e.node == alone && f.node == alone && e.low == f.low:
		return alone
	}
	for depth := max(1, h.depth[e.node], h.depth[f.node]); depth < len(h.path[e.low]); depth++ {
		if node := h.path[e.low][depth]; node > 0 && node == h.path[f.low][depth] {
			return node
		}
	}
	return mixed
}

// alone returns the extent of a single category; 0 is missing.
func (a *axis) alone(code uint32) extent {
	if code == 0 {
		return extent{empty: true, missing: true}
	}
	e := a.of[code]
	e.low, e.high = code, code
	e.width = a.width(e.from, e.to, len(e.sources))
	return e
}

// together returns the penalty of the union of two extents without building it.
func (a *axis) together(e, f *extent) float64 {
	switch low := max(e.low, f.low); {
	case low == 0:
		return 0
	case e.missing || f.missing:
		return 1
	}
	if node := a.common(e, f); node > 0 {
		return a.hierarchy.nodes[node].penalty()
	}
	e, f = e.own(), f.own()
	return a.width(min(e.from, f.from), max(e.to, f.to), unionSize(e.sources, f.sources))
}

// unionSize returns the size of the union of two sorted lists.
func unionSize(a, b []uint32) int {
	size := len(a) + len(b)
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			size--
			i++
			j++
		}
	}
	return size
}

// joined returns the extent that replaces two others: the finest common level of the hierarchy, or else their
// range or set.
func (a *axis) joined(e, f *extent) extent {
	node := a.common(e, f)
	u := a.spanning(e.own(), f.own())
	if node > 0 {
		values := u
		u = a.hierarchy.nodes[node]
		u.missing, u.empty, u.values = u.missing || values.missing, values.empty, &values
	}
	u.node = node
	return u
}

// own returns the extent of the values, which may be smaller than that of the hierarchy level.
func (e *extent) own() *extent {
	if e.values != nil {
		return e.values
	}
	return e
}

// spanning returns the range or set of two extents.
func (a *axis) spanning(e, f *extent) extent {
	if e.low == 0 || f.low == 0 {
		u := *e
		if e.low == 0 {
			u = *f
		}
		u.missing, u.empty = e.missing || f.missing, e.empty || f.empty
		return u
	}
	u := extent{low: min(e.low, f.low), high: max(e.high, f.high), empty: e.empty || f.empty, from: min(e.from, f.from),
		to: max(e.to, f.to), missing: e.missing || f.missing}
	if a.nominal {
		u.sources = slices.Compact(slices.Sorted(slices.Values(slices.Concat(e.sources, f.sources))))
	}
	u.width = a.width(u.from, u.to, len(u.sources))
	return u
}
