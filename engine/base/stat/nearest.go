package stat

import (
	"math"
	"slices"
)

// nearestLeaf is the number of points up to which a node of a tree is not halved.
const nearestLeaf = 8

// Tree finds, among points of p coordinates, those near a place: a k-d tree with the
// exact box of the points of each node. It is made once, in time O(n log n), and
// safe for concurrent queries.
//
// The distance of two points is the sum over the coordinates, in their order, of a
// cost of their difference: its square, or what NewTree is given. Bounds by the
// boxes are computed like distances, step by step, and rounding is monotone: no
// point is left out for a bound on the wrong side of its distance.
type Tree struct {
	p       int
	cost    func(j int, difference float64) float64
	points  []float64 // p of each place
	records []uint32  // of each place
	starts  []uint32  // first place of each leaf, and the end
	leaves  int       // the nodes from here on; those before have the children 2k and 2k+1
	boxes   []float64 // 2p of each node: least and greatest coordinates
	lowest  []uint32  // record below each node
}

// NewTree returns the tree of the points whose coordinates are the variables. cost
// is what a difference of at least 0 in coordinate j adds to a distance; it must
// not fall where the difference grows. nil: the square.
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

// build halves the places below a node along the side in which they are widest
// apart, and sets the boxes.
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

// Distance returns the distance of two places.
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

// bound returns a distance that no point below a node goes below, and whether all
// of them have it.
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

// places returns the range of places below a node.
func (t *Tree) places(k int) (from, to int) {
	last := k
	for k < t.leaves {
		k, last = 2*k, 2*last+1
	}
	return int(t.starts[k-t.leaves]), int(t.starts[last-t.leaves+1])
}

// Nearest is what a query found.
type Nearest struct {
	Record   int     // the point, of several the lowest; -1: there is none
	Distance float64 // as NewTree says; not its root
	Ties     int     // points that are equally near, this one included
}

// Nearest returns the nearest point to a place. except is a point that does not
// count; -1: all do.
func (t *Tree) Nearest(at []float64, except int) Nearest {
	q := query{tree: t, at: at, except: except, found: Nearest{Record: -1, Distance: math.Inf(1)}}
	q.start()
	return q.found
}

// Nearer reports whether a point is nearer to a place than the distance, and if none
// is, how many are as near. It ends at the first point that is nearer.
func (t *Tree) Nearer(at []float64, distance float64, except int) (nearer bool, ties int) {
	q := query{tree: t, at: at, except: except, found: Nearest{Record: -1, Distance: distance}, ends: true}
	q.start()
	return q.ended, q.found.Ties
}

// query is a search under way.
type query struct {
	tree   *Tree
	at     []float64
	except int
	found  Nearest
	ends   bool // at the first point that is nearer than the distance
	ended  bool
}

func (q *query) start() {
	if len(q.tree.records) == 0 {
		return
	}
	least, one := q.tree.bound(q.at, 1)
	q.visit(1, least, one)
}

// visit looks at the points below a node, all of which are equally far or not.
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

// all offers the points below a node, which are equally far.
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

// offer counts points.
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
