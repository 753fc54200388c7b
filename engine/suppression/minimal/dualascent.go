package minimal

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// ascent maximises the bound over the multipliers by a deflected subgradient method. A step follows the current
// subgradient plus, with decreasing weight, the earlier ones; its size is a share of the distance to the target
// value. The value of any multipliers, their sum over all records minus the gains of the groups, is a lower bound.
type ascent struct {
	c           *cover
	most        []int64 // per client, in parts of a price: highest useful multiplier
	subproblems []*subproblem

	multiplier []int64 // per client, in parts of a price: current multiplier
	slope      []int64 // subgradient: records that no group serves, minus those served more than once
	direction  []int64 // weighted sum of the subgradients so far
	share      int64   // step size, in units of 1/(1<<shareBits)
	still      int     // steps without gain since the last gain or since the share was lowered

	value int64   // highest value so far, in parts of a price
	best  []int64 // multipliers with this value
}

// Parameters of an ascent.
const (
	multiplierParts = 1 << 20 // maximum units per unit of price in which multipliers are counted
	shareBits       = 16      // fraction bits of a share
	smallestShare   = 16      // lower limit of a share
	patience        = 12      // steps without gain before the share is lowered
	directionBits   = 4       // fraction bits of a direction
	leastMembers    = 1 << 14 // members of groups that justify another processor
)

// newAscent starts from multipliers, which it takes ownership of.
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

// step evaluates the multipliers and changes them. Its target is the given value or, if that is far, a value
// slightly above the highest so far.
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

// evaluate returns the value of the multipliers, in parts of a price, and sets the subgradient.
func (a *ascent) evaluate() int64 {
	var value int64
	for i, n := range a.c.records {
		a.slope[i] = n
		value += n * a.multiplier[i]
	}
	groups, workers := len(a.c.price), len(a.subproblems)
	// A step is short and its partial results are useless, so it is not cancelled.
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

// move changes the multipliers along the direction, by the current share of the distance.
func (a *ascent) move(distance int64) {
	norm := 0.0
	for i, slope := range a.slope {
		turned := a.direction[i]*7/8 + slope<<directionBits
		// Clear components that lead out of the range from 0 to most.
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
