package linkage

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
)

// steps are the upper limits of the levels of a difference, in standard deviations. The last level has all larger
// differences.
var steps = [...]float64{0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2}

const levels = len(steps) + 1

// levelOf returns the level of a difference.
func levelOf(difference float64) int { return sort.SearchFloat64s(steps[:], difference) }

// evidence has the distribution of a variable's levels: m and u are the probabilities of a level for matches and
// non-matches. weight is log2 (m / u), made non-increasing in the difference.
type evidence struct{ m, u, weight [levels]float64 }

// probabilisticResult is the result of probabilistic linkage.
type probabilisticResult struct {
	found []float64 // per masked record: probability that its best pair is the match
	// best pairs above the link limit, correct ones among them, and best pairs between the limits
	links, correct, possible int
	linkLimit, noneLimit     float64
	of                       []evidence // by variable
}

// byProbability links each masked record to the known record with the highest sum of weights.
func (l *linker) byProbability(ctx context.Context, m *Linkage, meter *progress.Meter) (*probabilisticResult, error) {
	of := make([]evidence, len(l.masked))
	for j := range l.masked {
		of[j] = evidenceOf(l.masked[j], l.known[j], l.truth)
	}
	return l.byEvidence(ctx, m, of, meter)
}

// byEvidence is byProbability with given evidence.
func (l *linker) byEvidence(ctx context.Context, m *Linkage, of []evidence, meter *progress.Meter) (*probabilisticResult, error) {
	p := &probabilisticResult{found: make([]float64, len(l.truth)), of: of}
	highest := 0.0
	for j := range p.of {
		highest += p.of[j].weight[0]
	}
	p.limits(m)
	costs := make([]costs, len(p.of))
	for j := range p.of {
		costs[j] = p.of[j].costs()
	}
	tree := stat.NewTree(l.known, func(j int, difference float64) float64 { return costs[j].at(difference) })
	kinds := make([]uint8, len(l.truth)) // 1: possible, 2: a link
	err := l.each(ctx, meter, func(i int, at, other []float64) {
		best := tree.Nearest(at, -1)
		if best.Record < 0 {
			return
		}
		if sum := highest - best.Distance; sum >= p.linkLimit {
			kinds[i] = 2
		} else if sum >= p.noneLimit {
			kinds[i] = 1
		}
		if own := l.truth[i]; own >= 0 && tree.Distance(at, l.of(own, other)) == best.Distance {
			p.found[i] = 1 / float64(best.Ties)
		}
	})
	right := 0.0
	for i, kind := range kinds {
		switch kind {
		case 1:
			p.possible++
		case 2:
			p.links++
			right += p.found[i]
		}
	}
	p.correct = int(math.Round(right))
	return p, err
}

// evidenceOf counts the levels of a variable for matches and non-matches, in time O(n log n). It adds half a pair
// to each level, so that levels that do not occur have a weight, and pools neighbouring levels if a larger
// difference would favour a match more than a smaller one.
func evidenceOf(masked, known []float64, truth []int) evidence {
	sorted := slices.Sorted(slices.Values(known))
	var right, all [levels]float64
	for i, x := range masked {
		within := 0
		for level, step := range steps {
			// count pairs exactly as levelOf classifies them
			low := sort.Search(len(sorted), func(k int) bool { return sorted[k] >= x || math.Abs(x-sorted[k]) <= step })
			high := low +
				sort.Search(len(sorted)-low, func(k int) bool { return sorted[low+k] > x && math.Abs(x-sorted[low+k]) > step })
			all[level] += float64(high - low - within)
			within = high - low
		}
		all[levels-1] += float64(len(sorted) - within)
		if truth[i] >= 0 {
			right[levelOf(math.Abs(x-known[truth[i]]))]++
		}
	}
	var e evidence
	var rights, wrongs float64
	for level := range levels {
		e.m[level] = right[level] + 0.5
		e.u[level] = math.Max(0, all[level]-right[level]) + 0.5
		rights, wrongs = rights+e.m[level], wrongs+e.u[level]
	}
	for level := range levels {
		e.m[level] /= rights
		e.u[level] /= wrongs
	}
	e.pool()
	return e
}

// pool computes the weights. Neighbouring levels in the wrong order get the weight of both together (pool adjacent
// violators).
func (e *evidence) pool() {
	type pooled struct {
		m, u float64
		size int
	}
	var stack []pooled
	for level := range levels {
		next := pooled{e.m[level], e.u[level], 1}
		for len(stack) > 0 && stack[len(stack)-1].m*next.u <= next.m*stack[len(stack)-1].u {
			last := stack[len(stack)-1]
			next = pooled{last.m + next.m, last.u + next.u, last.size + next.size}
			stack = stack[:len(stack)-1]
		}
		stack = append(stack, next)
	}
	level := 0
	for _, some := range stack {
		for range some.size {
			e.weight[level] = math.Log2(some.m / some.u)
			level++
		}
	}
}

// costs are the losses from the highest weight, by limits of the difference.
type costs struct {
	limits [levels]float64
	cost   [levels]float64
}

// costs merges levels of equal weight.
func (e *evidence) costs() (c costs) {
	count := 0
	for level, weight := range e.weight {
		limit := math.Inf(1)
		if level < len(steps) {
			limit = steps[level]
		}
		if level == 0 || weight != e.weight[level-1] {
			c.cost[count] = e.weight[0] - weight
			count++
		}
		c.limits[count-1] = limit
	}
	return c
}

func (c *costs) at(difference float64) float64 {
	level := 0
	for difference > c.limits[level] {
		level++
	}
	return c.cost[level]
}

// fine is the bin width for sums of weights.
const fine = 1.0 / 1024

// limits computes the minimum sums of a link and of a possible link, assuming independent variables.
func (p *probabilisticResult) limits(m *Linkage) {
	sums := []bin{{0, 1, 1}}
	for j := range p.of {
		sums = p.of[j].with(sums)
	}
	// From the top: the lowest sum that non-matches reach with at most the accepted probability.
	p.linkLimit, p.noneLimit = math.Inf(1), math.Inf(-1)
	reached := 0.0
	for _, b := range slices.Backward(sums) {
		if reached += b.u; reached > m.FalseLinks {
			break
		}
		p.linkLimit = float64(b.at) * fine
	}
	missed := 0.0
	for _, b := range sums {
		p.noneLimit = float64(b.at) * fine
		if missed += b.m; missed > m.MissedLinks {
			break
		}
	}
	p.noneLimit = math.Min(p.noneLimit, p.linkLimit)
}

// bin has the probabilities of a sum of weights for matches and non-matches.
type bin struct {
	at   int64 // in units of fine
	m, u float64
}

// with convolves the sums, which are in ascending order, with a further variable.
func (e *evidence) with(sums []bin) []bin {
	by := map[int64]bin{}
	for _, b := range sums { // in order, so that rounding is the same on every run
		for level := range levels {
			at := b.at + int64(math.Floor(e.weight[level]/fine))
			to := by[at]
			by[at] = bin{at, to.m + float64(b.m*e.m[level]), to.u + float64(b.u*e.u[level])}
		}
	}
	out := make([]bin, 0, len(by))
	for _, b := range by {
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b bin) int { return cmp.Compare(a.at, b.at) })
	return out
}
