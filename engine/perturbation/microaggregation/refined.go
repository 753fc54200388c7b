package microaggregation

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
)

const (
	refineSeed       = 1  // the same data give the same groups
	refineNeighbours = 16 // nearest records whose groups are tried
	refineMost       = 6  // groups that are made anew at a time
)

// refined starts from the groups of MDAV and lowers the sum of squares by moving
// records to other groups and exchanging them, until nothing lowers it; then it
// makes some neighbouring groups anew, in a way that is partly chance, repeats, and
// keeps what is not worse, for a number of iterations. Groups have from size to
// 2 size - 1 records.
func refined(ctx context.Context, values [][]float64, size, iterations int, meter *progress.Meter) (groups, error) {
	todo := int64(len(values[0])) // of the progress beside that of MDAV
	defer func() { meter.Add(todo) }()
	start, err := mdav(ctx, values, size, meter)
	standard := varying(stat.Standardised(values), values)
	if err != nil || len(standard) == 0 || start.len() < 2 {
		return start, err
	}
	s := newSearch(standard, size, &start)
	if err := s.findNeighbours(ctx, standard); err != nil {
		return start, err
	}
	for record := range s.of {
		s.enqueue(uint32(record))
	}
	if err := s.descend(ctx); err != nil {
		return start, err
	}
	for i := range iterations {
		if i%64 == 0 && ctx.Err() != nil {
			return start, ctx.Err()
		}
		s.iterate()
		done := todo / int64(iterations-i)
		meter.Add(done)
		todo -= done
	}
	return s.groups(), ctx.Err()
}

// search is groups of records that are being improved. The sum of squares within
// the groups is a constant less the sum over groups of |sum of members|² / members.
type search struct {
	p, size    int
	points     []float64 // p of each record
	of         []uint32  // group of each record
	members    [][]uint32
	sums       [][]float64 // by group and variable
	neighbours []uint32    // refineNeighbours of each record at most
	wide       int         // of each record
	queue      []uint32    // records to be looked at
	queued     []bool
	stream     *rand.Rand

	logged []bool // groups that are in the log of the iteration
	log    []saved
	gained float64 // by which the sum of squares fell in the iteration

	tried []uint32 // groups tried for a record
	pool  []uint32 // records of the groups that are made anew
}

// saved is a group as it was before the iteration.
type saved struct {
	group   uint32
	members []uint32
	sum     []float64
}

func newSearch(standard [][]float64, size int, start *groups) *search {
	n, p := len(standard[0]), len(standard)
	s := &search{p: p, size: size, points: make([]float64, n*p), of: make([]uint32, n), queued: make([]bool, n),
		stream: random.Stream(refineSeed, "refined", 0)}
	for j, values := range standard {
		for i, x := range values {
			s.points[i*p+j] = x
		}
	}
	for k := range start.len() {
		s.members = append(s.members, append(make([]uint32, 0, 2*size), start.at(k)...))
		s.sums = append(s.sums, make([]float64, p))
		s.logged = append(s.logged, false)
		s.addUp(uint32(k))
	}
	return s
}

func (s *search) point(record uint32) []float64 {
	return s.points[int(record)*s.p : int(record)*s.p+s.p]
}

// addUp sets the sum of a group, and the group of its members.
func (s *search) addUp(k uint32) {
	clear(s.sums[k])
	for _, record := range s.members[k] {
		s.of[record] = k
		for j, x := range s.point(record) {
			s.sums[k][j] += x
		}
	}
}

// findNeighbours finds the nearest records of each.
func (s *search) findNeighbours(ctx context.Context, standard [][]float64) error {
	n := len(s.of)
	s.wide = min(refineNeighbours, n-1)
	s.neighbours = make([]uint32, 0, n*s.wide)
	ones := make([]float64, s.p)
	for j := range ones {
		ones[j] = 1
	}
	t := newTree(standard, ones, inOrder(n), make([]uint32, n))
	for record := range uint32(n) {
		if record%steps == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		count := 0
		for _, other := range t.nearest(s.point(record), s.wide+1) {
			if other != record && count < s.wide {
				s.neighbours = append(s.neighbours, other)
				count++
			}
		}
	}
	return nil
}

func (s *search) enqueue(record uint32) {
	if !s.queued[record] {
		s.queued[record] = true
		s.queue = append(s.queue, record)
	}
}

// descend looks at the records of the queue, and at those of the groups that
// change, until nothing lowers the sum of squares.
func (s *search) descend(ctx context.Context) error {
	for looked := 0; len(s.queue) > 0; looked++ {
		if looked%steps == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		record := s.queue[0]
		s.queue = s.queue[1:]
		s.queued[record] = false
		s.improve(record)
	}
	return nil
}

// exchange is a move of a record to a group, or its exchange for another.
type exchange struct {
	gain  float64
	group uint32
	other uint32 // record; none: a move
}

const (
	none      = ^uint32(0)
	leastGain = 1e-10 // of variables with variance 1
)

// improve makes the best change of a record, if there is one.
func (s *search) improve(record uint32) {
	from := s.of[record]
	best := exchange{gain: leastGain}
	s.tried = append(s.tried[:0], from)
	at := int(record) * s.wide
	for _, neighbour := range s.neighbours[at : at+s.wide] {
		to := s.of[neighbour]
		known := false
		for _, group := range s.tried {
			known = known || group == to
		}
		if !known {
			s.tried = append(s.tried, to)
			s.try(record, from, to, &best)
		}
	}
	if best.gain == leastGain {
		return
	}
	s.gained += best.gain
	s.save(from)
	s.save(best.group)
	s.put(record, from, best.group)
	if best.other != none {
		s.put(best.other, best.group, from)
	}
	for _, k := range []uint32{from, best.group} {
		for _, member := range s.members[k] {
			s.enqueue(member)
		}
	}
}

// try looks for a better change of a record with a group.
func (s *search) try(record, from, to uint32, best *exchange) {
	a, b := float64(len(s.members[from])), float64(len(s.members[to]))
	x, p, q := s.point(record), s.sums[from], s.sums[to]
	if len(s.members[from]) > s.size && len(s.members[to]) < 2*s.size-1 {
		near, far := 0.0, 0.0
		for j := range x {
			d, e := x[j]-p[j]/a, x[j]-q[j]/b
			near += float64(d * d)
			far += float64(e * e)
		}
		if gain := near*a/(a-1) - far*b/(b+1); gain > best.gain {
			*best = exchange{gain, to, none}
		}
	}
	ia, ib := 1/a, 1/b
	for _, other := range s.members[to] {
		y := s.point(other)
		across, length := 0.0, 0.0
		for j := range x {
			d := y[j] - x[j]
			across += float64(d * (float64(p[j]*ia) - float64(q[j]*ib)))
			length += float64(d * d)
		}
		if gain := 2*across + length*(ia+ib); gain > best.gain {
			*best = exchange{gain, to, other}
		}
	}
}

// put takes a record from a group into another.
func (s *search) put(record, from, to uint32) {
	members := s.members[from]
	for i, member := range members {
		if member == record {
			members[i] = members[len(members)-1]
			s.members[from] = members[:len(members)-1]
			break
		}
	}
	s.members[to] = append(s.members[to], record)
	s.of[record] = to
	for j, x := range s.point(record) {
		s.sums[from][j] -= x
		s.sums[to][j] += x
	}
}

// groups returns the groups, the members of each in the order of the file.
func (s *search) groups() groups {
	g := groups{records: make([]uint32, 0, len(s.of))}
	seen := make([]bool, len(s.members))
	for record := range s.of {
		k := s.of[record]
		if seen[k] {
			continue
		}
		seen[k] = true
		g.records = append(g.records, slices.Sorted(slices.Values(s.members[k]))...)
		g.close()
	}
	return g
}
