package minimal

import "sync"

// ascent looks for the offer with the highest value by a deflected subgradient method: each step goes along the slopes
// of this and, less and less, of earlier steps, by a share of the distance to the value that it aims at. The value of
// any offer is a lower bound: what all pay comes to, less what groups gain and what the cuts allow.
type ascent struct {
	c       *cover
	takings []*taking
	charges charges

	offer     offer   // where it is
	slope     offer   // there: records not taken by groups; how much the cuts are exceeded
	direction offer   // slopes so far
	share     int64   // of 1<<shareBits
	still     int     // steps without gain since the last, or since the share was lowered
	y         []bool  // per group: it takes somebody
	x         []int32 // per place in who: records taken, where the group takes somebody
	used      []int32 // per group: how often it takes, lately, of 1<<usedBits

	value int64 // the highest so far, in parts
	best  offer // which has it

	often  []int32 // per group: steps in which it took somebody, since averages were begun
	much   []int32 // per place in who: records taken since
	counts int32   // steps since
}

// How an ascent goes.
const (
	shareBits     = 16 // of the share's fraction
	smallestShare = 16 // which a share does not go below
	patience      = 12 // steps without gain after which the share is lowered
	directionBits = 4  // of a direction's fraction
	usedBits      = 16
	usedRate      = 5 // the part of a step in used, as a power of 1/2
)

// newAscent starts from an offer, which is taken over.
func newAscent(c *cover, from offer, processors int) *ascent {
	n := len(c.records)
	a := &ascent{
		c: c, offer: from, share: 1 << shareBits, value: -infinite,
		used: make([]int32, c.groups()), y: make([]bool, c.groups()), x: make([]int32, len(c.who)),
		often: make([]int32, c.groups()), much: make([]int32, len(c.who)),
	}
	for _, o := range []*offer{&a.slope, &a.direction, &a.best} {
		*o = offer{pay: make([]int64, n), price: make([]int64, len(c.cuts))}
	}
	for range processors {
		a.takings = append(a.takings, &taking{c: c, charges: &a.charges, taken: make([]int64, n)})
	}
	a.charges.charge(c, a.offer)
	a.charges.mark(c)
	return a
}

// step evaluates the offer and changes it. It aims at the given value or, if that is far or 0, a little above the
// highest so far.
func (a *ascent) step(aim int64) {
	value := a.evaluate(a.offer)
	if value > a.value {
		a.value, a.still = value, 0
		a.best.set(a.offer)
	} else if a.still++; a.still >= patience {
		a.still = 0
		a.share = max(a.share*7/8, smallestShare)
	}
	a.count()
	if near := a.value + a.value/100 + payParts; aim == 0 || aim > near {
		aim = near
	}
	a.move(aim - value)
}

// evaluate returns the value of an offer, in parts, and sets the slopes.
func (a *ascent) evaluate(o offer) int64 {
	a.charges.charge(a.c, o)
	var value int64
	for i, n := range a.c.records {
		a.slope.pay[i] = n
		value += n * o.pay[i]
	}
	workers := max(1, min(len(a.takings), len(a.c.who)>>14))
	gains := make([]int64, workers)
	if workers == 1 {
		gains[0] = a.take(a.takings[0], o.pay, 0, a.c.groups())
	} else {
		var running sync.WaitGroup
		for w := range workers {
			running.Go(func() {
				gains[w] = a.take(a.takings[w], o.pay, a.c.groups()*w/workers, a.c.groups()*(w+1)/workers)
			})
		}
		running.Wait()
	}
	for w := range workers {
		value += gains[w]
		for i, n := range a.takings[w].taken {
			a.slope.pay[i] -= n
		}
	}
	for i, it := range a.c.cuts {
		a.slope.price[i] = a.exceeds(it)
		value -= o.price[i] * it.most
	}
	return value
}

// take lets groups from one number up to another take whom they would, and returns what they make together.
func (a *ascent) take(t *taking, pay []int64, from, to int) int64 {
	var sum int64
	t.pay = pay
	clear(t.taken)
	for g := from; g < to; g++ {
		a.used[g] -= a.used[g] >> usedRate
		if a.y[g] = t.take(g, a.x); a.y[g] {
			sum += t.gain
			a.used[g] += 1 << (usedBits - usedRate)
		}
	}
	return sum
}

// exceeds returns by how much what groups take exceeds a cut.
func (a *ascent) exceeds(it inequality) int64 {
	sum := -it.most
	for _, g := range it.groups {
		if a.y[g] {
			sum += it.weight
		}
	}
	if sum <= -it.most {
		return sum
	}
	for _, at := range it.places {
		if a.x[at] != 0 && a.y[a.c.groupAt(at, it.groups)] {
			sum -= int64(a.x[at])
		}
	}
	return sum
}

// groupAt returns which of some groups, ascending, a place belongs to.
func (c *cover) groupAt(at uint32, groups []uint32) uint32 {
	for i := len(groups) - 1; i > 0; i-- {
		if c.start[groups[i]] <= at {
			return groups[i]
		}
	}
	return groups[0]
}

// count adds the step to the averages.
func (a *ascent) count() {
	a.counts++
	for g, y := range a.y {
		if y {
			a.often[g]++
			for at := a.c.start[g]; at < a.c.start[g+1]; at++ {
				a.much[at] += a.x[at]
			}
		}
	}
}

// begin begins new averages.
func (a *ascent) begin() {
	a.counts = 0
	clear(a.often)
	clear(a.much)
}

// move changes the offer along the direction, by the share of the distance that is left.
func (a *ascent) move(distance int64) {
	norm := 0.0
	for i, slope := range a.slope.pay {
		it := a.turn(&a.direction.pay[i], slope, a.offer.pay[i], a.c.most[i])
		norm += float64(it * it)
	}
	for i, slope := range a.slope.price {
		it := a.turn(&a.direction.price[i], slope, a.offer.price[i], a.c.dearest)
		norm += float64(it * it)
	}
	if norm == 0 || distance <= 0 {
		return
	}
	length := float64(a.share) / (1 << shareBits) * float64(distance) * (1 << directionBits) / norm
	for i, slope := range a.direction.pay {
		a.offer.pay[i] = max(0, min(a.c.most[i], a.offer.pay[i]+int64(length*float64(slope))))
	}
	for i, slope := range a.direction.price {
		a.offer.price[i] = max(0, min(a.c.dearest, a.offer.price[i]+int64(length*float64(slope))))
	}
}

// turn changes one coordinate of the direction; it does not lead out of the range from 0 to most.
func (a *ascent) turn(direction *int64, slope, at, most int64) float64 {
	*direction = *direction*7/8 + slope<<directionBits
	if at >= most && *direction > 0 || at <= 0 && *direction < 0 {
		*direction = 0
	}
	return float64(*direction)
}
