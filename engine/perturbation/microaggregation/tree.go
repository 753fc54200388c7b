package microaggregation

// leafSize is the maximum number of points of a leaf.
const leafSize = 16

// tree finds the live point farthest from a query, or those nearest to it, and supports removal. It is a k-d tree
// with the exact bounding box, and the lowest and highest record, of the live points below each node. The squared
// distance is the sum over variables of the squared difference divided by the variance; constant variables are
// ignored.
//
// Bounds are computed in the same steps as distances. Rounding is monotonic, so a bound is never on the wrong side
// of a distance, and ties are broken by record as if all points had been compared.
type tree struct {
	p         int
	variances []float64
	points    []float64 // p for each place
	records   []uint32  // record at each place
	places    []uint32  // place of each record
	leaf      []uint32  // leaf of each place
	starts    []uint32  // first place of each leaf
	leaves    int       // first leaf node; inner nodes k have the children 2k and 2k+1
	counts    []uint32  // number of live points below each node
	lowest    []uint32  // extreme records below each node
	highest   []uint32
	boxes     []float64 // 2p for each node: minimum and maximum coordinates

	// current query
	at      []float64
	far     bool
	closest nearest
}

// newTree returns a tree of the given records. It takes ownership of records, which it reorders, and of places,
// which must have the length of all records.
func newTree(variables [][]float64, variances []float64, records, places []uint32) *tree {
	n, p := len(records), len(variables)
	t := &tree{p: p, variances: variances, places: places, leaves: 1}
	for n > leafSize*t.leaves {
		t.leaves *= 2
	}
	t.points, t.records, t.leaf = make([]float64, n*p), records, make([]uint32, n)
	t.starts = make([]uint32, t.leaves+1)
	t.counts, t.lowest, t.highest = make([]uint32, 2*t.leaves), make([]uint32, 2*t.leaves), make([]uint32, 2*t.leaves)
	t.boxes = make([]float64, 2*t.leaves*2*p)
	b := builder{variables: variables, variances: variances, records: t.records}
	t.build(&b, 1, 0, n)
	for place, record := range t.records {
		places[record] = uint32(place)
		for j := range p {
			t.points[place*p+j] = variables[j][record]
		}
	}
	t.starts[t.leaves] = uint32(n)
	for k := 2*t.leaves - 1; k > 0; k-- {
		if k >= t.leaves {
			from, to := t.starts[k-t.leaves], t.starts[k-t.leaves+1]
			t.counts[k] = to - from
			for place := from; place < to; place++ {
				t.leaf[place] = uint32(k)
			}
			t.boxLeaf(k)
		} else {
			t.counts[k] = t.counts[2*k] + t.counts[2*k+1]
			t.boxInner(k)
		}
	}
	return t
}

// build recursively halves the places of a node along the widest side.
func (t *tree) build(b *builder, k, from, to int) {
	if k >= t.leaves {
		t.starts[k-t.leaves] = uint32(from)
		return
	}
	middle := (from + to) / 2
	b.halve(from, middle, to)
	t.build(b, 2*k, from, middle)
	t.build(b, 2*k+1, middle, to)
}

// boxLeaf updates the box and the extreme records of a leaf from its live points, and reports whether they
// changed.
func (t *tree) boxLeaf(k int) bool {
	if t.counts[k] == 0 {
		return true
	}
	p := t.p
	from := int(t.starts[k-t.leaves])
	to := from + int(t.counts[k])
	low, high := t.records[from], t.records[from]
	for _, record := range t.records[from+1 : to] {
		low, high = min(low, record), max(high, record)
	}
	changed := low != t.lowest[k] || high != t.highest[k]
	t.lowest[k], t.highest[k] = low, high
	box := t.boxes[2*p*k : 2*p*k+2*p]
	for j := range p {
		least, most := t.points[from*p+j], t.points[from*p+j]
		for place := from + 1; place < to; place++ {
			x := t.points[place*p+j]
			if x < least {
				least = x
			} else if x > most {
				most = x
			}
		}
		changed = changed || least != box[j] || most != box[p+j]
		box[j], box[p+j] = least, most
	}
	return changed
}

// boxInner is boxLeaf for an inner node.
func (t *tree) boxInner(k int) bool {
	p, one, other := t.p, 2*k, 2*k+1
	switch {
	case t.counts[k] == 0:
		return true
	case t.counts[one] == 0:
		one = other
	case t.counts[other] == 0:
		other = one
	}
	low, high := min(t.lowest[one], t.lowest[other]), max(t.highest[one], t.highest[other])
	changed := low != t.lowest[k] || high != t.highest[k]
	t.lowest[k], t.highest[k] = low, high
	box, a, b := t.boxes[2*p*k:2*p*k+2*p], t.boxes[2*p*one:2*p*one+2*p], t.boxes[2*p*other:2*p*other+2*p]
	for j := range p {
		least, most := a[j], a[p+j]
		if b[j] < least {
			least = b[j]
		}
		if b[p+j] > most {
			most = b[p+j]
		}
		changed = changed || least != box[j] || most != box[p+j]
		box[j], box[p+j] = least, most
	}
	return changed
}

// take removes a record.
func (t *tree) take(record uint32) {
	place := t.places[record]
	k := int(t.leaf[place])
	last := t.starts[k-t.leaves] + t.counts[k] - 1
	if p := uint32(t.p); place != last {
		other := t.records[last]
		t.records[place], t.records[last] = other, record
		t.places[other], t.places[record] = place, last
		for j := range p {
			t.points[place*p+j], t.points[last*p+j] = t.points[last*p+j], t.points[place*p+j]
		}
	}
	t.counts[k]--
	changed := t.boxLeaf(k)
	for k /= 2; k > 0; k /= 2 {
		t.counts[k]--
		changed = changed && t.boxInner(k)
	}
}

// live returns the number of records not removed.
func (t *tree) live() int { return int(t.counts[1]) }

// liveRecords returns the records not removed.
func (t *tree) liveRecords() []uint32 {
	var records []uint32
	for k := t.leaves; k < 2*t.leaves; k++ {
		from := t.starts[k-t.leaves]
		records = append(records, t.records[from:from+t.counts[k]]...)
	}
	return records
}

// farthest returns the live record farthest from a point, the lowest for ties.
func (t *tree) farthest(at []float64) uint32 {
	t.far = true
	t.query(at, 1)
	return ^t.closest.records[0]
}

// nearest returns up to count live records nearest to a point; among ties the highest comes first. The slice is
// overwritten by the next call.
func (t *tree) nearest(at []float64, count int) []uint32 {
	t.far = false
	t.query(at, count)
	return t.closest.records
}

func (t *tree) query(at []float64, count int) {
	t.at = at
	t.closest.reset(count)
	if t.live() > 0 && count > 0 {
		t.visit(1, t.bound(1))
	}
}

// bound returns a lower bound of the distance to the live points below a node.
func (t *tree) bound(k int) float64 {
	p, sum := t.p, 0.0
	box := t.boxes[2*p*k : 2*p*k+2*p]
	for j, x := range t.at {
		v := t.variances[j]
		if v == 0 {
			continue
		}
		d, e := x-box[j], box[p+j]-x
		if t.far {
			d = max(d, e)
		} else {
			d = min(d, e, 0)
		}
		sum += d * d / v
	}
	if t.far {
		return -sum
	}
	return sum
}

// top returns the record below a node that is preferred among ties.
func (t *tree) top(k int) uint32 {
	if t.far {
		return ^t.lowest[k]
	}
	return t.highest[k]
}

func (t *tree) visit(k int, bound float64) {
	if t.closest.behind(bound, t.top(k)) {
		return
	}
	if k < t.leaves {
		one, other := 2*k, 2*k+1
		if t.counts[one] == 0 {
			t.visit(other, bound)
			return
		}
		if t.counts[other] == 0 {
			t.visit(one, bound)
			return
		}
		a, b := t.bound(one), t.bound(other)
		if b < a || b == a && t.top(other) > t.top(one) {
			one, other, a, b = other, one, b, a
		}
		t.visit(one, a)
		t.visit(other, b)
		return
	}
	from := int(t.starts[k-t.leaves])
	for place := from; place < from+int(t.counts[k]); place++ {
		if d, record := t.distanceTo(place), t.records[place]; t.far {
			t.closest.offer(-d, ^record)
		} else {
			t.closest.offer(d, record)
		}
	}
}

// distanceTo returns the squared distance between the query and a place of the tree.
func (t *tree) distanceTo(place int) float64 {
	p, sum := t.p, 0.0
	point := t.points[place*p : place*p+p]
	for j, x := range t.at {
		if v := t.variances[j]; v != 0 {
			d := x - point[j]
			sum += d * d / v
		}
	}
	return sum
}

// nearest collects the nearest records; among ties the highest comes first.
type nearest struct {
	distances []float64 // ascending
	records   []uint32
	wanted    int
}

func (c *nearest) reset(wanted int) {
	c.distances, c.records, c.wanted = c.distances[:0], c.records[:0], wanted
}

// behind reports whether a record at the given distance is too far to be collected.
func (c *nearest) behind(d float64, record uint32) bool {
	n := len(c.distances)
	if n < c.wanted {
		return false
	}
	last := c.distances[n-1]
	return d > last || d == last && record <= c.records[n-1]
}

// offer inserts a record if it is near enough.
func (c *nearest) offer(d float64, record uint32) {
	if c.behind(d, record) {
		return
	}
	n := len(c.distances)
	if n == c.wanted {
		n--
	} else {
		c.distances, c.records = append(c.distances, 0), append(c.records, 0)
	}
	for ; n > 0 && (c.distances[n-1] > d || c.distances[n-1] == d && c.records[n-1] < record); n-- {
		c.distances[n], c.records[n] = c.distances[n-1], c.records[n-1]
	}
	c.distances[n], c.records[n] = d, record
}
