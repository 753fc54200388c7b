package microaggregation

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
)

// steps is the number of groups between two looks at the context.
const steps = 1 << 10

// mdav parts the records of the variables into groups of at least size, maximum
// distance to average vector: while 2 size or more remain, a group is made of the
// record r farthest from their centre and the nearest to it; if at least 3 size
// remained, another of the record farthest from r. The others are the last group.
// [Domingo-Ferrer and Torra 2005]
func mdav(ctx context.Context, variables [][]float64, size int, meter *progress.Meter) (groups, error) {
	n := len(variables[0])
	left := newRemaining(variables)
	g := groups{records: make([]uint32, 0, n)}
	for step := 0; left.live() >= 2*size; step++ {
		if step%steps == 0 && ctx.Err() != nil {
			return g, ctx.Err()
		}
		before := left.live()
		two := left.live() >= 3*size
		r := left.farthest(left.center())
		s := r
		if two {
			s = left.farthest(left.point(r))
		}
		left.group(&g, r, size)
		if two {
			if left.taken[s] { // all others are as far from r
				s = left.farthest(left.point(r))
			}
			left.group(&g, s, size)
		}
		meter.Add(int64(before - left.live()))
	}
	g.append(consecutive(left.rest(meter), size), nil)
	return g, ctx.Err()
}

// remaining are the records that are in no group yet.
type remaining struct {
	*tree
	variables [][]float64
	built     int // records when the tree was built
	taken     []bool
	sums      []exactSum // of the remaining, by variable
	place     []float64
}

func newRemaining(variables [][]float64) *remaining {
	n := len(variables[0])
	variances := make([]float64, len(variables))
	for j, values := range variables {
		if variances[j] = stat.Variance(values); !(variances[j] > 0) {
			variances[j] = 0
		}
	}
	left := &remaining{variables: variables, built: n, taken: make([]bool, n), sums: make([]exactSum, len(variables)),
		place: make([]float64, len(variables))}
	left.tree = newTree(variables, variances, stat.InOrder(n), make([]uint32, n))
	for j, values := range variables {
		for _, x := range values {
			left.sums[j].add(x)
		}
	}
	return left
}

// center returns the mean of the remaining records.
func (left *remaining) center() []float64 {
	for j := range left.sums {
		left.place[j] = left.sums[j].over(left.live())
	}
	return left.place
}

// point returns the values of a record.
func (left *remaining) point(record uint32) []float64 {
	for j, values := range left.variables {
		left.place[j] = values[record]
	}
	return left.place
}

// group makes a group of the records nearest to a record: it and others, or, where
// enough others are equal to it, those of the highest numbers, as sdcMicro does.
func (left *remaining) group(g *groups, record uint32, size int) {
	g.records = append(g.records, left.nearest(left.point(record), size)...)
	for _, member := range g.records[len(g.records)-size:] {
		left.remove(member)
	}
	g.close()
	if left.live() > leafSize && 2*left.live() < left.built {
		left.built = left.live()
		variances, records, places := left.variances, left.liveRecords(), left.places
		left.tree = nil // two trees are not in memory at a time
		left.tree = newTree(left.variables, variances, records, places)
	}
}

// rest returns the remaining records in the order of the file.
func (left *remaining) rest(meter *progress.Meter) []uint32 {
	meter.Add(int64(left.live()))
	rest := left.liveRecords()
	slices.Sort(rest)
	return rest
}

func (left *remaining) remove(record uint32) {
	left.take(record)
	left.taken[record] = true
	for j, values := range left.variables {
		left.sums[j].add(-values[record])
	}
}

// exactSum is a sum in twice the precision of a number, so that the centre of what
// remains does not depend on what was taken out before.
type exactSum struct{ high, low float64 }

func (s *exactSum) add(x float64) {
	sum := s.high + x
	part := sum - s.high
	s.low += (s.high - (sum - part)) + (x - part)
	s.high = sum
}

func (s *exactSum) over(count int) float64 { return (s.high + s.low) / float64(count) }
