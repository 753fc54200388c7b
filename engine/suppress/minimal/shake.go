package minimal

import "slices"

// shaking continues a search that has come to rest: it changes a small part of the solution at random, lets the search
// mend it, and keeps what is not much dearer.
type shaking struct {
	search *search
	base   int64 // work of the search before
	price  int64 // of the solution as it is, with what was missing from the start

	best      int64    // price of the best solution
	bestGroup []uint32 // its groups
	bests     int      // number of best solutions so far, the first not counted
}

// newShaking continues s.
func newShaking(s *search) *shaking {
	x := &shaking{search: s, base: s.work}
	for b, g := range s.group {
		x.price += s.in.price[g] * int64(s.in.bundles[b].weight)
	}
	x.best, x.bestGroup = x.price, slices.Clone(s.group)
	s.allowed = infinite
	return x
}

// run shakes until so much work is done in all.
func (x *shaking) run(work int64) {
	for x.search.work-x.base < work {
		x.search.work++
		x.shake()
	}
	if x.price < x.best {
		x.best, x.bests = x.price, x.bests+1
		copy(x.bestGroup, x.search.group)
	}
}

// shake makes one attempt.
func (x *shaking) shake() {
	s := x.search
	b := uint32(s.random.IntN(len(s.group)))
	x.price -= s.better(b)
}
