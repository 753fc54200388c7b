package minimal

// ascent looks for the pay with the highest value by a deflected subgradient method: each step goes along the slopes of
// this and, less and less, of earlier steps, by a share of the distance to the value that it aims at.
type ascent struct {
	c       *cover
	takings []*taking

	pay       []int64 // per chooser, in parts of a price: where it is
	slope     []int64 // per chooser: records not taken by groups at pay
	direction []int64 // per chooser: slopes so far
	used      []int32 // per group: how often it takes, lately
	share     int64   // of 1<<shareBits
	still     int     // steps without gain since the last, or since the share was lowered

	value int64   // the highest so far, in parts
	best  []int64 // the pay that has it
}

// How an ascent goes.
const (
	shareBits     = 16 // of the share's fraction
	smallestShare = 16 // which a share does not go below
	patience      = 12 // steps without gain after which the share is lowered
	directionBits = 4  // of a direction's fraction
)

// newAscent starts from a pay, which is taken over.
func newAscent(c *cover, pay []int64, processors int) *ascent {
	n := len(pay)
	a := &ascent{
		c: c, pay: pay, slope: make([]int64, n), direction: make([]int64, n), best: make([]int64, n),
		used: make([]int32, c.groups()), share: 1 << shareBits, value: -infinite,
	}
	for range processors {
		a.takings = append(a.takings, &taking{taken: make([]int64, n)})
	}
	return a
}

// step evaluates the pay and changes it. It aims at the given value or, if that is 0, a little above the highest so far.
func (a *ascent) step(aim int64) {
	value := a.c.evaluate(a.takings, a.pay, a.slope, a.used)
	if value > a.value {
		a.value, a.still = value, 0
		copy(a.best, a.pay)
	} else if a.still++; a.still >= patience {
		a.still = 0
		a.share = max(a.share*7/8, smallestShare)
	}
	if aim == 0 {
		aim = a.value + a.value/100 + payParts
	}
	a.move(aim - value)
}

// move changes the pay along the direction, by the share of the distance that is left.
func (a *ascent) move(distance int64) {
	norm := 0.0
	for i, slope := range a.slope {
		a.direction[i] = a.direction[i]*7/8 + slope<<directionBits
		if a.pay[i] >= a.c.most[i] && a.direction[i] > 0 || a.pay[i] <= 0 && a.direction[i] < 0 {
			a.direction[i] = 0
		}
		it := float64(a.direction[i])
		norm += float64(it * it)
	}
	if norm == 0 || distance <= 0 {
		return
	}
	length := float64(a.share) / (1 << shareBits) * float64(distance) * (1 << directionBits) / norm
	for i, slope := range a.direction {
		a.pay[i] = max(0, min(a.c.most[i], a.pay[i]+int64(length*float64(slope))))
	}
}
