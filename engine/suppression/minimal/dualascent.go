package minimal

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// ascent looks for the multipliers with the highest value by a deflected subgradient method: each step goes along the
// slopes of this and, less and less, of earlier steps, by a share of the distance to the value that it aims at. The
// value of any multipliers is a lower bound: what they come to over all records, less what groups gain.
type ascent struct {
	c           *cover
	most        []int64 // per client, in parts of a price: the highest multiplier that can be of use
	subproblems []*subproblem

	multiplier []int64 // per client, in parts of a price: where it is
	slope      []int64 // there: records that groups do not serve, less those served more than once
	direction  []int64 // slopes so far
	share      int64   // of 1<<shareBits
	still      int     // steps without gain since the last, or since the share was lowered

	value int64   // the highest so far, in parts of a price
	best  []int64 // the multipliers that have it
}

// How an ascent goes.
const (
	multiplierParts = 1 << 20 // the parts of a price in which multipliers are counted, at most
	shareBits       = 16      // of the share's fraction
	smallestShare   = 16      // which a share does not go below
	patience        = 12      // steps without gain after which the share is lowered
	directionBits   = 4       // of a direction's fraction
	leastMembers    = 1 << 14 // members of groups for which a further processor is worth while
)

// newAscent starts from multipliers, which are taken over.
func newAscent(c *cover, multiplier, most []int64, processors int) *ascent {
	n := len(c.records)
	a := &ascent{
		c: c, most: most, multiplier: multiplier, share: 1 << shareBits, value: -infinite,
		slope: make([]int64, n), direction: make([]int64, n), best: slices.Clone(multiplier),
	}
	for range max(1, min(processors, len(c.groups.items)/leastMembers)) {
		a.subproblems = append(a.subproblems, &subproblem{c: c, served: make([]int64, n)})
	}
	return a
}

// step evaluates the multipliers and changes them. It aims at the given value or, if that is far, a little above the
// highest so far.
func (a *ascent) step(aim int64) {
	value := a.evaluate()
	if value > a.value {
		a.value, a.still = value, 0
		copy(a.best, a.multiplier)
	} else if a.still++; a.still >= patience {
		a.still = 0
		a.share = max(a.share*7/8, smallestShare)
	}
	a.move(min(aim, a.value+a.value/100+a.c.parts) - value)
}

// evaluate returns the value of the multipliers, in parts of a price, and sets the slopes.
func (a *ascent) evaluate() int64 {
	var value int64
	for i, n := range a.c.records {
		a.slope[i] = n
		value += n * a.multiplier[i]
	}
	groups, workers := len(a.c.price), len(a.subproblems)
	// A step is short, and one that is broken off would have to be forgotten.
	_ = parallel.Tasks(context.Background(), workers, workers, func(_, part int) {
		a.subproblems[part].serveAll(a.multiplier, groups*part/workers, groups*(part+1)/workers)
	})
	for _, s := range a.subproblems {
		value += s.sum
		for i, n := range s.served {
			a.slope[i] -= n
		}
	}
	return value
}

// move changes the multipliers along the direction, by the share of the distance that is left.
func (a *ascent) move(distance int64) {
	norm := 0.0
	for i, slope := range a.slope {
		turned := a.direction[i]*7/8 + slope<<directionBits
		// The direction does not lead out of the range from 0 to most.
		if at := a.multiplier[i]; at >= a.most[i] && turned > 0 || at <= 0 && turned < 0 {
			turned = 0
		}
		a.direction[i] = turned
		norm += float64(float64(turned) * float64(turned))
	}
	if norm == 0 || distance <= 0 {
		return
	}
	length := float64(a.share) / (1 << shareBits) * float64(distance) * (1 << directionBits) / norm
	for i, slope := range a.direction {
		a.multiplier[i] = max(0, min(a.most[i], a.multiplier[i]+int64(length*float64(slope))))
	}
}
