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

// steps are the differences, in standard deviations, that are told apart: at most
// 0, at most 0.01 and so on, and larger ones.
var steps = [...]float64{0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2}

const levels = len(steps) + 1

// levelOf returns the step of a difference.
func levelOf(difference float64) int { return sort.SearchFloat64s(steps[:], difference) }

// evidence is what the steps of a variable say: m and u are the probabilities of a
// step of right and wrong pairs, weight is log2 (m / u), which does not rise where the
// difference does.
type evidence struct{ m, u, weight [levels]float64 }

// probable is what probabilistic linkage found.
type probable struct {
	found []float64 // of each masked record, the probability that its best pair is the right one
	// best pairs above the limit of links, right ones among them, and between the limits
	links, correct, possible int
	linkLimit, noneLimit     float64
	of                       []evidence // by variable
}

// byProbability links each masked record to the pair whose weights have the highest
// sum.
func (l *linking) byProbability(ctx context.Context, m *Linkage, meter *progress.Meter) (*probable, error) {
	of := make([]evidence, len(l.masked))
	for j := range l.masked {
		of[j] = evidenceOf(l.masked[j], l.known[j], l.truth)
	}
	return l.byEvidence(ctx, m, of, meter)
}

// byEvidence is byProbability with the evidence given.
func (l *linking) byEvidence(ctx context.Context, m *Linkage, of []evidence, meter *progress.Meter) (*probable, error) {
	p := &probable{found: make([]float64, len(l.truth)), of: of}
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

// evidenceOf counts the steps of right and wrong pairs of a variable, in time
// O(n log n). Half a pair is added to each step, so that one that did not occur has a
// weight; neighbouring steps are pooled where a larger difference would speak more for a pair
// than a smaller one.
func evidenceOf(masked, known []float64, truth []int) evidence {
	sorted := slices.Sorted(slices.Values(known))
	var right, all [levels]float64
	for i, x := range masked {
		within := 0
		for level, step := range steps {
			// the pairs within a step are counted as levelOf tells them
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

// pool sets the weights: those of neighbouring steps in the wrong order are that of
// both together (the pool of adjacent violators).
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

// costs are what the differences of a variable take from the highest weight: those up
// to each limit, and larger ones.
type costs struct {
	limits [levels]float64
	cost   [levels]float64
}

// costs returns the steps of different weights.
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

// fine is the width of the bins in which sums of weights are counted.
const fine = 1.0 / 1024

// limits sets the lowest sum of a link and of a possible one, taking the variables as
// independent.
func (p *probable) limits(m *Linkage) {
	sums := []bin{{0, 1, 1}}
	for j := range p.of {
		sums = p.of[j].with(sums)
	}
	// From above: the lowest sum that wrong pairs reach no more often than accepted.
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

// bin is the probability of a sum of weights of right and wrong pairs.
type bin struct {
	at   int64 // in units of fine
	m, u float64
}

// with adds a variable to sums, which are in ascending order.
func (e *evidence) with(sums []bin) []bin {
	by := map[int64]bin{}
	for _, b := range sums { // in order: the same sums on every run
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
