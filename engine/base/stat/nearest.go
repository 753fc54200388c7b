package stat

import (
	"math"
	"slices"
)

// nearestLeaf is the maximum number of points in a leaf.
const nearestLeaf = 8

// Tree is a k-d tree of points with p coordinates for nearest neighbour queries. Each node has the exact bounding
// box of its points. It is built in O(n log n) time and safe for concurrent queries.
//
// The distance of two points is the sum, in order of the coordinates, of a cost of each difference: its square, or
// the function given to NewTree. Bounds of boxes are computed in the same steps as distances. Because rounding is
// monotone, a bound never exceeds the distance of a point in the box.
type Tree struct {
	p       int
	cost    func(j int, difference float64) float64
	points  []float64 // coordinates, p per place
	records []uint32  // by place
	starts  []uint32  // first place of each leaf, then the number of places
	leaves  int       // index of the first leaf; nodes k before it have the children 2k and 2k+1
	boxes   []float64 // 2p per node: minima and maxima of the coordinates
	lowest  []uint32  // by node: smallest record number
}

// NewTree returns a tree of the points whose coordinates are the variables. cost returns the contribution of a
// difference d >= 0 in coordinate j to a distance; it must not decrease in d. If cost is nil, it is the square.
func NewTree(variables [][]float64, cost func(j int, difference float64) float64) *Tree {
	p, n := len(variables), 0
	if p > 0 {
		n = len(variables[0])
	}
	t := &Tree{p: p, cost: cost, leaves: 1, records: InOrder(n), points: make([]float64, n*p)}
	for n > nearestLeaf*t.leaves {
		t.leaves *= 2
	}
	t.starts, t.boxes = make([]uint32, t.leaves+1), make([]float64, 2*t.leaves*2*p)
	t.lowest = make([]uint32, 2*t.leaves)
	t.build(variables, 1, 0, n)
	t.starts[t.leaves] = uint32(n)
	for place, record := range t.records {
		for j := range p {
			t.points[place*p+j] = variables[j][record]
		}
	}
	return t
}

// build sets the box of node k and splits its places at the median of the coordinate with the widest range.
func (t *Tree) build(variables [][]float64, k, from, to int) {
	records, widest, width := t.records[from:to], 0, -1.0
	if len(records) > 0 {
		t.lowest[k] = slices.Min(records)
	}
	for j, values := range variables {
		least, most := math.Inf(1), math.Inf(-1)
		for _, record := range records {
			least, most = min(least, values[record]), max(most, values[record])
		}
		box := t.boxes[2*t.p*k:]
		if box[j], box[t.p+j] = least, most; most-least > width {
			widest, width = j, most-least
		}
	}
	if k >= t.leaves {
		t.starts[k-t.leaves] = uint32(from)
		return
	}
	middle := (to - from) / 2
	values := variables[widest]
	Partition(records, middle, func(a, b uint32) bool { return values[a] < values[b] || values[a] == values[b] && a < b })
	t.build(variables, 2*k, from, from+middle)
	t.build(variables, 2*k+1, from+middle, to)
}

// Distance returns the distance of two points.
func (t *Tree) Distance(a, b []float64) float64 {
	sum := 0.0
	for j, x := range a {
		sum += t.difference(j, math.Abs(x-b[j]))
	}
	return sum
}

func (t *Tree) difference(j int, d float64) float64 {
	if t.cost == nil {
		return float64(d * d)
	}
	return t.cost(j, d)
}

// bound returns a lower bound for the distance to the points of a node; one reports whether it is the distance of
// all of them.
func (t *Tree) bound(at []float64, k int) (least float64, one bool) {
	box := t.boxes[2*t.p*k : 2*t.p*(k+1)]
	one = true
	for j, x := range at {
		low, high := box[j], box[t.p+j]
		d := 0.0
		if x < low {
			d = low - x
		} else if x > high {
			d = x - high
		}
		nearest := t.difference(j, d)
		least += nearest
		one = one && (low == high || t.cost != nil && t.cost(j, math.Max(x-low, high-x)) == nearest)
	}
	return least, one
}

// places returns the range of places of a node.
func (t *Tree) places(k int) (from, to int) {
	last := k
	for k < t.leaves {
		k, last = 2*k, 2*last+1
	}
	return int(t.starts[k-t.leaves]), int(t.starts[last-t.leaves+1])
}

// Nearest is the result of a query.
type Nearest struct {
	Record   int     // nearest point, with the smallest number if there are several; -1 if there is none
	Distance float64 // as defined at Tree, without a square root
	Ties     int     // points at this distance, including Record
}

// Nearest returns the point nearest to at, without the point except, or -1.
func (t *Tree) Nearest(at []float64, except int) Nearest {
	q := query{tree: t, at: at, except: except, found: Nearest{Record: -1, Distance: math.Inf(1)}}
	q.start()
	return q.found
}

// Nearer reports whether a point other than except is nearer to at than distance, and otherwise the number of
// points at exactly that distance. It stops at the first nearer point.
func (t *Tree) Nearer(at []float64, distance float64, except int) (nearer bool, ties int) {
	q := query{tree: t, at: at, except: except, found: Nearest{Record: -1, Distance: distance}, ends: true}
	q.start()
	return q.ended, q.found.Ties
}

// query is the state of a query.
type query struct {
	tree   *Tree
	at     []float64
	except int
	found  Nearest
	ends   bool // stop at the first point nearer than found.Distance
	ended  bool
}

func (q *query) start() {
	if len(q.tree.records) == 0 {
		return
	}
	least, one := q.tree.bound(q.at, 1)
	q.visit(1, least, one)
}

// visit searches a node, given its bound.
func (q *query) visit(k int, least float64, one bool) {
	t := q.tree
	switch {
	case q.ended || least > q.found.Distance:
		return
	case one:
		q.all(k, least)
		return
	case k >= t.leaves:
		from, to := t.places(k)
		for place := from; place < to; place++ {
			q.offer(int(t.records[place]), t.Distance(q.at, t.points[place*t.p:place*t.p+t.p]), 1)
		}
		return
	}
	a, oneA := t.bound(q.at, 2*k)
	b, oneB := t.bound(q.at, 2*k+1)
	if a <= b {
		q.visit(2*k, a, oneA)
		q.visit(2*k+1, b, oneB)
	} else {
		q.visit(2*k+1, b, oneB)
		q.visit(2*k, a, oneA)
	}
}

// all offers all points of a node, which are at the same distance.
func (q *query) all(k int, distance float64) {
	from, to := q.tree.places(k)
	if q.except < 0 && from < to {
		q.offer(int(q.tree.lowest[k]), distance, to-from)
		return
	}
	for _, record := range q.tree.records[from:to] {
		if q.offer(int(record), distance, 1); q.ended {
			return
		}
	}
}

// offer updates the result with count points at a distance.
func (q *query) offer(record int, distance float64, count int) {
	switch {
	case record == q.except || distance > q.found.Distance:
	case distance < q.found.Distance && q.ends:
		q.ended = true
	case distance < q.found.Distance:
		q.found = Nearest{record, distance, count}
	default:
		q.found.Ties += count
		if q.found.Record < 0 || record < q.found.Record {
			q.found.Record = record
		}
	}
}
