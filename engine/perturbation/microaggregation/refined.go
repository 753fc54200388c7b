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
	refineSeed       = 3  // fixed, so that the same data give the same groups
	refineNeighbours = 16 // nearest neighbours whose groups are tried
	refineMost       = 5  // maximum number of groups rebuilt together
	// rebuilds per iteration times the squared group size, so that an iteration takes the same time for any size
	refineWork = 120
	leastGain  = 1e-9
)

// refinement improves groups of the records of a stratum, of size to 2 size - 1. It starts from the groups of MDAV
// and lowers the within-group sum of squares by moving and exchanging records until no such change lowers it. Each
// iteration then rebuilds some neighbouring groups partly at random, repeats the descent, and keeps the result
// unless it is worse. The result depends only on the number of iterations.
//
// The within-group sum of squares is a constant minus the sum over groups of |sum of members|² / members.
type refinement struct {
	start      groups // of MDAV
	p, size    int
	points     []float64 // p for each record
	norms      []float64 // squared norms of the points
	of         []uint32  // group by record
	members    [][]uint32
	sums       [][]float64 // by group and variable
	squares    []float64   // |sum|² / members, by group
	empty      []uint32    // groups without members
	neighbours []uint32    // wide for each record
	wide       int
	queue      []uint32 // records to process
	queued     []bool
	stream     *rand.Rand
	iterations int

	logged []bool // groups in log
	log    []groupState
	tried  []int // by group: last value of look at which it was tried
	look   int
	pool   []uint32  // records of the groups being rebuilt
	toward []float64 // vector to compute the gain of exchanges with a group
}

// groupState is the state of a group before it was changed.
type groupState struct {
	group   uint32
	members []uint32
	square  float64
}

// refine returns the refinement of a stratum before the first iteration.
func refine(ctx context.Context, values [][]float64, size int, meter *progress.Meter) (*refinement, error) {
	start, err := mdav(ctx, values, size, meter)
	standard := varying(stat.Standardised(values), values)
	if err != nil || len(standard) == 0 || start.len() < 2 {
		return &refinement{start: start}, err
	}
	n, p := len(standard[0]), len(standard)
	r := &refinement{start: start, p: p, size: size, points: make([]float64, n*p), norms: make([]float64, n),
		of:     make([]uint32, n),
		queued: make([]bool, n), stream: random.Stream(refineSeed, "refined", 0), toward: make([]float64, p)}
	for i := range n {
		for j, values := range standard {
			r.points[i*p+j] = values[i]
		}
		point := r.point(uint32(i))
		r.norms[i] = product(point, point)
	}
	for k := range start.len() {
		r.add(append(make([]uint32, 0, 2*size), start.at(k)...))
	}
	if err := r.findNeighbours(ctx, standard); err != nil {
		return nil, err
	}
	for record := range r.of {
		r.enqueue(uint32(record))
	}
	err = r.descend(ctx)
	r.keep(true)
	return r, err
}

// proceed iterates up to the given total number of iterations.
func (r *refinement) proceed(ctx context.Context, iterations int, meter *progress.Meter) error {
	todo := int64(len(r.start.records)) // progress left
	for ; r.iterations < iterations && len(r.of) > 0; r.iterations++ {
		if r.iterations%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for range max(1, refineWork/(r.size*r.size)) {
			r.rebuild()
		}
		done := todo / int64(iterations-r.iterations)
		meter.Add(done)
		todo -= done
	}
	meter.Add(todo)
	return ctx.Err()
}

// add adds a group.
func (r *refinement) add(members []uint32) uint32 {
	k := uint32(len(r.members))
	r.members, r.sums = append(r.members, members), append(r.sums, make([]float64, r.p))
	r.squares, r.logged, r.tried = append(r.squares, 0), append(r.logged, false), append(r.tried, 0)
	r.addUp(k)
	return k
}

func (r *refinement) point(record uint32) []float64 {
	return r.points[int(record)*r.p : int(record)*r.p+r.p]
}

// product returns the inner product of two vectors, using four independent sums for speed.
func product(a, b []float64) float64 {
	b = b[:len(a)]
	var sums [4]float64
	i := 0
	for ; i+3 < len(a); i += 4 {
		sums[0] += float64(a[i] * b[i])
		sums[1] += float64(a[i+1] * b[i+1])
		sums[2] += float64(a[i+2] * b[i+2])
		sums[3] += float64(a[i+3] * b[i+3])
	}
	for ; i < len(a); i++ {
		sums[0] += float64(a[i] * b[i])
	}
	return sums[0] + sums[1] + (sums[2] + sums[3])
}

// addUp computes the sum and the square of a group, and sets the group of its members.
func (r *refinement) addUp(k uint32) {
	sum := r.sums[k]
	clear(sum)
	for _, record := range r.members[k] {
		r.of[record] = k
		for j, x := range r.point(record) {
			sum[j] += x
		}
	}
	r.squares[k] = product(sum, sum) / float64(max(1, len(r.members[k])))
}

// findNeighbours finds the nearest neighbours of each record.
func (r *refinement) findNeighbours(ctx context.Context, standard [][]float64) error {
	n := len(r.of)
	r.wide = min(refineNeighbours, n-1)
	r.neighbours = make([]uint32, 0, n*r.wide)
	t := newTree(standard, slices.Repeat([]float64{1}, r.p), stat.InOrder(n), make([]uint32, n))
	for record := range uint32(n) {
		if record%steps == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		count := 0
		for _, other := range t.nearest(r.point(record), r.wide+1) {
			if other != record && count < r.wide {
				r.neighbours = append(r.neighbours, other)
				count++
			}
		}
	}
	return nil
}

// near returns the nearest neighbours of a record.
func (r *refinement) near(record uint32) []uint32 {
	return r.neighbours[int(record)*r.wide : int(record)*r.wide+r.wide]
}

func (r *refinement) enqueue(record uint32) {
	if !r.queued[record] {
		r.queued[record] = true
		r.queue = append(r.queue, record)
	}
}

// descend processes the queue, and the records of changed groups, until no change lowers the sum of squares.
func (r *refinement) descend(ctx context.Context) error {
	for at := 0; at < len(r.queue); at++ {
		if at%steps == steps-1 && ctx.Err() != nil {
			return ctx.Err()
		}
		r.queued[r.queue[at]] = false
		r.improve(r.queue[at])
	}
	r.queue = r.queue[:0]
	return nil
}

// exchange is a move of a record to a group, or its exchange for a record of the group.
type exchange struct {
	gain  float64
	group uint32
	other uint32 // record to exchange, or none for a move
}

const none = ^uint32(0)

// improve makes the best change for a record, if any lowers the sum of squares.
func (r *refinement) improve(record uint32) {
	from := r.of[record]
	best := exchange{gain: leastGain}
	r.look++
	r.tried[from] = r.look
	for _, neighbour := range r.near(record) {
		if to := r.of[neighbour]; r.tried[to] != r.look {
			r.tried[to] = r.look
			r.try(record, from, to, &best)
		}
	}
	if best.gain == leastGain {
		return
	}
	r.save(from)
	r.save(best.group)
	r.put(record, from, best.group)
	if best.other != none {
		r.put(best.other, best.group, from)
	}
	for _, k := range []uint32{from, best.group} {
		r.addUp(k)
		for _, member := range r.members[k] {
			r.enqueue(member)
		}
	}
}

// try replaces best with a better change of a record with a group. An exchange of x for y between groups with sums p
// and q and a and b members gains 2 (y - x)(p/a - q/b) + (1/a + 1/b) |y - x|²; the parts that do not depend on y
// are computed once.
func (r *refinement) try(record, from, to uint32, best *exchange) {
	a, b := float64(len(r.members[from])), float64(len(r.members[to]))
	x, norm, p, q := r.point(record), r.norms[record], r.sums[from], r.sums[to]
	if len(r.members[from]) > r.size && len(r.members[to]) < 2*r.size-1 {
		without := (r.squares[from]*a - 2*product(x, p) + norm) / (a - 1)
		with := (r.squares[to]*b + 2*product(x, q) + norm) / (b + 1)
		if gain := without + with - r.squares[from] - r.squares[to]; gain > best.gain {
			*best = exchange{gain, to, none}
		}
	}
	ia, ib := 1/a, 1/b
	same := (ia + ib) * norm
	for j := range x {
		apart := 2 * (float64(p[j]*ia) - float64(q[j]*ib))
		same -= float64(x[j] * apart)
		r.toward[j] = apart - float64(2*(ia+ib)*x[j])
	}
	for _, other := range r.members[to] {
		if gain := product(r.point(other), r.toward) + float64((ia+ib)*r.norms[other]) + same; gain > best.gain {
			*best = exchange{gain, to, other}
		}
	}
}

// put moves a record between groups without updating their sums.
func (r *refinement) put(record, from, to uint32) {
	members := r.members[from]
	at := slices.Index(members, record)
	members[at] = members[len(members)-1]
	r.members[from] = members[:len(members)-1]
	r.members[to] = append(r.members[to], record)
}

// groups returns the groups, with members in file order.
func (r *refinement) groups() groups {
	if len(r.of) == 0 {
		return r.start
	}
	g := groups{records: make([]uint32, 0, len(r.of))}
	seen := make([]bool, len(r.members))
	for _, k := range r.of {
		if !seen[k] {
			seen[k] = true
			g.records = append(g.records, slices.Sorted(slices.Values(r.members[k]))...)
			g.close()
		}
	}
	return g
}
