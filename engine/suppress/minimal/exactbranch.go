package minimal

import (
	"cmp"
	"context"
	"slices"
)

// answer is what is known of the cheapest solution of a part.
type answer struct {
	lower int64  // no solution is cheaper
	price int64  // of seats
	seats []seat // nil where no solution is known that is cheap enough
}

// branching solves parts of a cover by branch and bound. It belongs to one goroutine.
type branching struct {
	ctx        context.Context
	step       int64 // greatest common divisor of all prices
	nodes      int64 // that may still be looked at
	processors int
}

// What is done at a node.
const (
	nodeSteps = 60      // steps of the ascent, at least,
	hardSteps = 300     // as long as they gain
	nodeBits  = 16      // a node counts for one more per so many members of groups looked at, as a power of 2
	maxSeated = 1 << 11 // members of groups up to which seating is tried
)

// solve looks for the cheapest solution of a part below the price upper. Where the work allowed ends before, it returns
// the cheapest found.
func (b *branching) solve(p *part, upper int64) answer {
	if len(p.group) == 0 {
		return b.settle(p, upper)
	}
	a := newAscent(p.cover, p.offer, b.processors)
	if b.nodes -= 1 + b.charge(p.cover, nodeSteps); b.nodes < 0 || b.ctx.Err() != nil {
		a.step(0)
		return answer{lower: min(upper, wholePrice(a.value, b.step))}
	}
	b.climb(a, upper)
	out := answer{lower: wholePrice(a.value, b.step)}
	if out.lower >= upper {
		return answer{lower: upper}
	}
	if price, seats := b.seat(p, a, upper); seats != nil {
		out.price, out.seats, upper = price, seats, price
		if price <= out.lower {
			return out
		}
	}
	further := b.divide(p, a, upper)
	if further.seats != nil {
		return further
	}
	out.lower = max(out.lower, further.lower)
	return out
}

// settle solves a part without groups.
func (b *branching) settle(p *part, upper int64) answer {
	out := answer{seats: []seat{}}
	for i, n := range p.cover.records {
		if p.cover.ceiling[i] == unlimited {
			return answer{lower: upper}
		}
		out.price += n * p.cover.ceiling[i]
		out.seats = append(out.seats, seat{p.chooser[i], unsettled, n})
	}
	out.lower = out.price
	if out.price >= upper {
		return answer{lower: upper}
	}
	return out
}

// charge returns for how many nodes so many steps count.
func (b *branching) charge(c *cover, steps int) int64 {
	return int64(len(c.who)) * int64(steps) >> nodeBits
}

// climb raises the bound of a part until it reaches upper or gains little, with cuts in between.
func (b *branching) climb(a *ascent, upper int64) {
	aim := int64(0)
	if upper < unlimited {
		aim = upper * payParts
	}
	last := a.value
	for step := 1; step <= hardSteps; step++ {
		a.step(aim)
		if wholePrice(a.value, b.step) >= upper {
			return
		}
		if step%nodeSteps == 0 {
			if step > 2*nodeSteps && a.value-last < payParts/16 {
				return
			}
			if b.nodes -= b.charge(a.c, nodeSteps); b.nodes < 0 || b.ctx.Err() != nil {
				return
			}
			last = a.value
			if upper < unlimited && step == 2*nodeSteps {
				a.strengthen()
			} else {
				a.begin()
			}
		}
	}
}

// seat tries the groups that take most of the time, with those that must be in use.
func (b *branching) seat(p *part, a *ascent, upper int64) (int64, []seat) {
	best, seats := upper, []seat(nil)
	if len(p.cover.who) > maxSeated {
		return best, seats
	}
	s := newSeating(p.cover)
	for _, often := range [...]int32{1 << (usedBits - 1), 1 << (usedBits - 3)} {
		open := make([]bool, p.cover.groups())
		for g := range open {
			open[g] = p.cover.must[g] || a.used[g] >= often
		}
		if price, ok := s.fill(open); ok && price < best {
			best, seats = price, s.seats(p)
		}
	}
	return best, seats
}

// divide fixes what it can of a part and solves what remains, in parts or in two branches.
func (b *branching) divide(p *part, a *ascent, upper int64) answer {
	gap := infinite
	if upper < unlimited {
		gap = (upper-1)/b.step*b.step*payParts - a.value
	}
	f := newFixing(a, gap)
	if !f.possible {
		return answer{lower: upper}
	}
	parts := f.split(p, a.best)
	if len(parts) > 1 || 8*len(parts[0].cover.who) < 7*len(p.cover.who) {
		return b.join(parts, upper)
	}
	return b.branch(parts[0], p, a, upper)
}

// join solves parts, small ones first, and joins their solutions.
func (b *branching) join(parts []*part, upper int64) answer {
	slices.SortStableFunc(parts, func(x, y *part) int { return cmp.Compare(len(x.cover.who), len(y.cover.who)) })
	lower := make([]int64, len(parts))
	var sum int64
	for i, it := range parts {
		a := newAscent(it.cover, it.offer, b.processors)
		value := a.evaluate(a.offer)
		lower[i] = max(0, wholePrice(value, b.step))
		sum += lower[i]
	}
	out := answer{seats: []seat{}}
	complete := true
	for i, it := range parts {
		if sum >= upper {
			return answer{lower: upper}
		}
		found := b.solve(it, min(unlimited, upper-(sum-lower[i])))
		sum += max(0, found.lower-lower[i])
		complete = complete && found.seats != nil
		out.price += found.price
		out.seats = append(out.seats, found.seats...)
	}
	out.lower = min(sum, upper)
	if !complete || out.price >= upper {
		return answer{lower: out.lower}
	}
	return out
}

// branch solves a part with a group in use and with it not in use.
func (b *branching) branch(p, whole *part, a *ascent, upper int64) answer {
	used := make(map[uint32]int32, len(whole.group))
	for g, number := range whole.group {
		used[number] = a.used[g]
	}
	at, half := -1, int32(1)<<(usedBits-1)
	least := int32(1) << usedBits
	for g, number := range p.group {
		if distance := max(used[number]-half, half-used[number]); !p.cover.must[g] && distance < least {
			at, least = g, distance
		}
	}
	if at < 0 {
		return b.allOpen(p, upper)
	}
	first := used[p.group[at]] >= half
	out := b.side(p, at, first, upper)
	if out.seats != nil {
		upper = out.price
	}
	other := b.side(p, at, !first, upper)
	if other.seats != nil {
		out.price, out.seats = other.price, other.seats
	}
	out.lower = min(out.lower, other.lower)
	return out
}

// allOpen solves a part whose groups are all in use.
func (b *branching) allOpen(p *part, upper int64) answer {
	s := newSeating(p.cover)
	open := make([]bool, p.cover.groups())
	for g := range open {
		open[g] = true
	}
	price, ok := s.fill(open)
	if !ok || price >= upper {
		return answer{lower: upper}
	}
	return answer{lower: price, price: price, seats: s.seats(p)}
}

// side solves a part with a group in use, or with it not in use.
func (b *branching) side(p *part, group int, open bool, upper int64) answer {
	if open {
		c := *p.cover
		c.must, c.cuts = slices.Clone(c.must), slices.Clone(c.cuts)
		c.must[group] = true
		return b.solve(&part{cover: &c, chooser: p.chooser, group: p.group, offer: p.offer.clone()}, upper)
	}
	f := unfixed(p.cover)
	f.close(group)
	if f.oblige(); !f.possible {
		return answer{lower: upper}
	}
	return b.join(f.split(p, p.offer), upper)
}
