package microaggregation

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
)

// steps is the number of groups between two checks of the context.
const steps = 1 << 10

// mdav partitions the records into groups of at least size by maximum distance to average vector: while at least 2
// size records remain, the record r farthest from their centre and those nearest to it form a group; if at least 3
// size remained, the record farthest from r forms another group in the same way. The remaining ones form the last
// group. [Domingo-Ferrer and Torra 2005]
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
			if left.taken[s] { // all others have the same distance from r
				s = left.farthest(left.point(r))
			}
			left.group(&g, s, size)
		}
		meter.Add(int64(before - left.live()))
	}
	g.append(consecutive(left.rest(meter), size), nil)
	return g, ctx.Err()
}

// ungrouped has the records that are not in a group yet.
type ungrouped struct {
	*tree
	variables [][]float64
	built     int // number of records when the tree was built
	taken     []bool
	sums      []exactSum // of the remaining records, by variable
	place     []float64
}

func newRemaining(variables [][]float64) *ungrouped {
	n := len(variables[0])
	variances := make([]float64, len(variables))
	for j, values := range variables {
		if variances[j] = stat.Variance(values); !(variances[j] > 0) {
			variances[j] = 0
		}
	}
	left := &ungrouped{variables: variables, built: n, taken: make([]bool, n), sums: make([]exactSum, len(variables)),
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
func (left *ungrouped) center() []float64 {
	for j := range left.sums {
		left.place[j] = left.sums[j].over(left.live())
	}
	return left.place
}

// point returns the values of a record.
func (left *ungrouped) point(record uint32) []float64 {
	for j, values := range left.variables {
		left.place[j] = values[record]
	}
	return left.place
}

// group forms a group of a record and those nearest to it. If enough others are equal to the record, it takes
// those with the highest numbers, as sdcMicro does.
func (left *ungrouped) group(g *groups, record uint32, size int) {
	g.records = append(g.records, left.nearest(left.point(record), size)...)
	for _, member := range g.records[len(g.records)-size:] {
		left.remove(member)
	}
	g.close()
	if left.live() > leafSize && 2*left.live() < left.built {
		left.built = left.live()
		variances, records, places := left.variances, left.liveRecords(), left.places
		left.tree = nil // so that two trees are never in memory together
		left.tree = newTree(left.variables, variances, records, places)
	}
}

// rest returns the remaining records in file order.
func (left *ungrouped) rest(meter *progress.Meter) []uint32 {
	meter.Add(int64(left.live()))
	rest := left.liveRecords()
	slices.Sort(rest)
	return rest
}

func (left *ungrouped) remove(record uint32) {
	left.take(record)
	left.taken[record] = true
	for j, values := range left.variables {
		left.sums[j].add(-values[record])
	}
}

// exactSum is a sum with double the precision, so that the centre of the remaining records does not depend on the
// order of removals.
type exactSum struct{ high, low float64 }

func (s *exactSum) add(x float64) {
	sum := s.high + x
	part := sum - s.high
	s.low += (s.high - (sum - part)) + (x - part)
	s.high = sum
}

func (s *exactSum) over(count int) float64 { return (s.high + s.low) / float64(count) }
