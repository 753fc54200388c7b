package minimal

import "slices"

// shaking continues a search that has come to rest: it changes a small part of the solution at random, lets the search
// mend it, and keeps what is not much dearer. How much dearer it may be falls in stages, again and again, as in
// annealing. Everything is counted in whole numbers.
type shaking struct {
	search *search
	work   int64 // of one iteration: members of groups looked at
	reach  int64 // how much dearer the solution may be before it is mended
	price  int64 // of the solution as it is, with what was missing from the start

	best      int64    // price of the best solution
	bestGroup []uint32 // its groups
	changed   []uint32 // bundles moved since the best solution
}

const (
	mostIteration  = 1 << 17 // work of an iteration, at most, of all strata
	leastIteration = 1 << 10 // and at least
	iterationShare = 16      // the same, per member of a group

	shakeReach  = 8  // how far a shake reaches, in cells of the dearest variable
	shakeCredit = 2  // how much dearer a change that mends may be before it is mended itself, in steps
	shakePicks  = 4  // attempts to find a bundle that is above its lowest price
	closed      = 3  // of so many shakes, one closes a group
	stageWork   = 50 // iterations between two stages
)

// shakeStages holds, for each stage, the chance of accepting a solution that is a step dearer, of 1<<16; so many steps
// dearer, that power of the chance. It is exp(-1/t) for temperatures t from 0.6 to 0.1.
var shakeStages = [...]uint32{12378, 7800, 4070, 1843, 696, 182, 30, 3}

// newShaking continues from a solution, on an instance reduced to what is of use.
func newShaking(d *dual, group []uint32) *shaking {
	in, group := d.reduced(group)
	x := &shaking{search: newSearch(d.e.p, in, group, d.e.bound), reach: shakeReach * int64(slices.Max(d.e.p.Price))}
	x.search.allowed = infinite
	x.work = max(leastIteration, min(d.e.p.share(mostIteration), iterationShare*int64(len(in.members.items))))
	for b, g := range group {
		x.price += in.price[g] * int64(in.bundles[b].weight)
	}
	x.best, x.bestGroup = x.price, slices.Clone(group)
	return x
}

// run shakes until the work of so many iterations is done in all.
func (x *shaking) run(iterations int) {
	for x.search.work < int64(iterations)*x.work {
		x.search.work++
		x.shake()
	}
}

// shake makes one attempt.
func (x *shaking) shake() {
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

// pick returns a bundle, most often one that is above its lowest price.
func (x *shaking) pick() uint32 {
	s := x.search
	for try := 1; ; try++ {
		b := uint32(s.random.IntN(len(s.group)))
		if s.in.price[s.group[b]] > s.bound[b] || try == shakePicks {
			return b
		}
	}
}

// close empties h, each bundle going to the cheapest group that may be used, and fills g in every other case.
func (x *shaking) close(h, g uint32) (int64, bool) {
	s := x.search
	s.filled++ // no bundle has been asked to fill a group yet
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

// improve lets bundles that have been moved open groups that they would rather be in, and returns the change of price.
func (x *shaking) improve() int64 {
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

// tolerance draws how much dearer the solution may get.
func (x *shaking) tolerance() int64 {
	s := x.search
	chance := shakeStages[s.work/(stageWork*x.work)%int64(len(shakeStages))]
	var limit int64
	for s.random.Uint32()>>16 < chance {
		limit += s.step
	}
	return limit
}

// keep makes the moves final and notes the best solution.
func (x *shaking) keep(change int64) {
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
