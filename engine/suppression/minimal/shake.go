package minimal

import "slices"

// annealing continues a converged search: it changes a small part of the solution at random, lets the search repair
// it, and accepts solutions that are not much more expensive. The tolerance falls in stages, repeatedly, as in
// simulated annealing. All arithmetic is in integers.
type annealing struct {
	search *search
	work   int64 // of one iteration: members of groups visited
	reach  int64 // how much the price may rise before the repair
	price  int64 // of the current solution, including the cells missing from the start

	best      int64    // price of the best solution
	bestGroup []uint32 // groups of the best solution
	changed   []uint32 // bundles moved since the best solution
}

const (
	mostIteration  = 1 << 17 // maximum work of an iteration, for all strata
	leastIteration = 1 << 10 // minimum work
	iterationShare = 16      // work per member of a group

	shakeReach  = 8  // how much a shake may raise the price, in cells of the most expensive variable
	shakeCredit = 2  // credit of a repair, in steps
	shakePicks  = 4  // attempts to find a bundle above its bound
	closed      = 3  // one in this many shakes closes a group
	stageWork   = 50 // iterations per stage
)

// shakeStages holds, for each stage, the probability of accepting a solution that is one step more expensive, in
// units of 1/(1<<16). n steps have the nth power of that probability. It is exp(-1/t) for temperatures t from 0.6
// to 0.1.
var shakeStages = [...]uint32{12378, 7800, 4070, 1843, 696, 182, 30, 3}

// newShaking continues from a solution, on a reduced instance.
func newShaking(d *dual, group []uint32) *annealing {
	in, group := d.reduced(group)
	x := &annealing{search: newSearch(d.e.p, in, group, d.e.bound), reach: shakeReach * int64(slices.Max(d.e.p.Price))}
	x.search.allowed = infinite
	x.work = max(leastIteration, min(d.e.p.share(mostIteration), iterationShare*int64(len(in.members.items))))
	for b, g := range group {
		x.price += in.price[g] * int64(in.bundles[b].weight)
	}
	x.best, x.bestGroup = x.price, slices.Clone(group)
	return x
}

// run shakes until the work of the given total number of iterations is done.
func (x *annealing) run(iterations int) {
	for x.search.work < int64(iterations)*x.work {
		x.search.work++
		x.shake()
	}
}

// shake makes one random change and accepts or undoes it.
func (x *annealing) shake() {
	s := x.search
	b := x.pick()
	offers := s.in.choices.of(b)
	g := offers[s.random.IntN(len(offers))]
	if g == s.group[b] {
		return
	}
	var change int64
	var ok bool
	if s.random.IntN(closed) == 0 {
		change, ok = x.close(s.group[b], g)
	} else {
		change, ok = s.fill(g, x.reach)
	}
	if ok {
		change += x.improve()
	}
	if !ok || len(s.undo) == 0 || change > x.tolerance() {
		s.rollback(0)
		return
	}
	x.keep(change)
}

// pick returns a random bundle, usually one above its bound.
func (x *annealing) pick() uint32 {
	s := x.search
	for try := 1; ; try++ {
		b := uint32(s.random.IntN(len(s.group)))
		if s.in.price[s.group[b]] > s.bound[b] || try == shakePicks {
			return b
		}
	}
}

// close empties h by moving each bundle to its cheapest usable group. In half of the cases it also fills g.
func (x *annealing) close(h, g uint32) (int64, bool) {
	s := x.search
	s.filled++ // so that no bundle counts as a member of the group being filled
	if s.closingPrice(h, unassigned) > x.reach {
		return 0, false
	}
	change := s.close(h, unassigned)
	if s.random.IntN(2) == 0 {
		return change, true
	}
	more, ok := s.fill(g, x.reach)
	return change + more, ok
}

// improve moves bundles that have been moved into cheaper groups, and returns the change in price.
func (x *annealing) improve() int64 {
	s := x.search
	var change int64
	for i := 0; i < len(s.undo); i++ {
		moved := s.undo[i]
		if s.group[moved.bundle] != moved.to || s.in.price[moved.to] <= s.bound[moved.bundle] {
			continue
		}
		if further, ok := s.cheaper(moved.bundle, shakeCredit*s.step); ok {
			change += further
		}
	}
	return change
}

// tolerance draws how much the price may rise.
func (x *annealing) tolerance() int64 {
	s := x.search
	chance := shakeStages[s.work/(stageWork*x.work)%int64(len(shakeStages))]
	var limit int64
	for s.random.Uint32()>>16 < chance {
		limit += s.step
	}
	return limit
}

// keep makes the moves final and records the solution if it is the best so far.
func (x *annealing) keep(change int64) {
	s := x.search
	for _, moved := range s.undo {
		x.changed = append(x.changed, moved.bundle)
	}
	s.commit()
	if x.price += change; x.price >= x.best {
		return
	}
	x.best = x.price
	for _, b := range x.changed {
		x.bestGroup[b] = s.group[b]
	}
	x.changed = x.changed[:0]
}
