package minimal

import (
	"context"
	"math/rand/v2"
)

// search improves a solution by opening groups that records would rather be in.
type search struct {
	in    *instance
	group []uint32 // per bundle: where it is
	size  []int64  // per group: records in it
	bound []int64  // per bundle: price below which it cannot get

	undo   []move
	mark   []uint32 // per bundle: the last opening whose members it was among
	stamp  uint32
	seen   []uint32
	random *rand.Rand
	work   int64
}

// move is a bundle's move from one group to another.
type move struct{ bundle, from, to uint32 }

// newSearch starts from a solution in which every bundle is in a group that may be used.
func newSearch(in *instance, group []uint32, size []int64, bound []int64) *search {
	return &search{
		in: in, group: group, size: size, bound: bound,
		mark:   make([]uint32, len(in.bundles)),
		seen:   make([]uint32, in.groups()),
		random: rand.New(rand.NewPCG(1, 2)),
	}
}

// usable reports whether a bundle may be in g as things are.
func (s *search) usable(g uint32) bool { return s.in.free[g] || s.size[g] >= s.in.k }

// spare reports whether weight records can leave g without breaking it.
func (s *search) spare(g uint32, weight int64) bool {
	return s.in.free[g] || s.size[g]-weight >= s.in.k || s.size[g] == weight
}

// shift moves a bundle and returns the change of price.
func (s *search) shift(b, to uint32) int64 {
	from := s.group[b]
	w := int64(s.in.bundles[b].weight)
	s.size[from] -= w
	s.size[to] += w
	s.group[b] = to
	s.undo = append(s.undo, move{b, from, to})
	return (s.in.price[to] - s.in.price[from]) * w
}

// rollback undoes all moves since the last commit.
func (s *search) rollback() {
	for i := len(s.undo) - 1; i >= 0; i-- {
		it := s.undo[i]
		w := int64(s.in.bundles[it.bundle].weight)
		s.size[it.to] -= w
		s.size[it.from] += w
		s.group[it.bundle] = it.from
	}
	s.undo = s.undo[:0]
}

// alternative returns the cheapest usable group for b other than its own.
func (s *search) alternative(b uint32) uint32 {
	own := s.group[b]
	for _, g := range s.in.offersTo(b) {
		if g != own && s.usable(g) {
			return g
		}
	}
	return unsettled
}

const infinite = int64(1) << 60

// open tries to fill g; it keeps the result if the price changes by at most limit.
func (s *search) open(g uint32, limit int64) (int64, bool) {
	s.stamp++
	delta := int64(0)
	members := s.in.members(g)
	s.work += int64(len(members))
	price := s.in.price[g]
	for _, b := range members {
		s.mark[b] = s.stamp
		h := s.group[b]
		if s.in.price[h] > price && s.spare(h, int64(s.in.bundles[b].weight)) {
			delta += s.shift(b, g)
		}
	}
	for !s.usable(g) {
		cost, ok := s.draw(g, members, limit-delta)
		if !ok {
			s.rollback()
			return 0, false
		}
		delta += cost
	}
	if delta > limit || len(s.undo) == 0 {
		s.rollback()
		return 0, false
	}
	s.undo = s.undo[:0]
	return delta, true
}

// draw pulls into g the bundle, or the bundle with what is left of its group, that costs least.
func (s *search) draw(g uint32, members []uint32, limit int64) (int64, bool) {
	best, bestCost, n := unsettled, infinite, 0
	price := s.in.price[g]
	for _, b := range members {
		h := s.group[b]
		if h == g {
			continue
		}
		var cost int64
		w := int64(s.in.bundles[b].weight)
		if s.spare(h, w) {
			cost = (price - s.in.price[h]) * w
		} else if s.seen[h] == s.stamp {
			continue
		} else {
			s.seen[h] = s.stamp
			cost = s.breakCost(h, g)
		}
		if cost < bestCost {
			best, bestCost, n = b, cost, 1
		} else if cost == bestCost {
			n++
			if s.random.IntN(n) == 0 {
				best = b
			}
		}
	}
	for _, b := range members {
		s.seen[s.group[b]] = 0
	}
	if best == unsettled || bestCost > limit+int64(s.in.k)*price {
		return 0, false
	}
	h := s.group[best]
	if s.spare(h, int64(s.in.bundles[best].weight)) {
		return s.shift(best, g), true
	}
	return s.dissolve(h, g), true
}

// breakCost is the cost of dissolving h, its members that can going to g.
func (s *search) breakCost(h, g uint32) int64 {
	var cost int64
	all := s.in.members(h)
	s.work += int64(len(all))
	for _, b := range all {
		if s.group[b] != h {
			continue
		}
		to := g
		if s.mark[b] != s.stamp {
			if to = s.alternative(b); to == unsettled {
				return infinite
			}
		}
		cost += (s.in.price[to] - s.in.price[h]) * int64(s.in.bundles[b].weight)
	}
	return cost
}

// dissolve empties h.
func (s *search) dissolve(h, g uint32) int64 {
	var cost int64
	for _, b := range s.in.members(h) {
		if s.group[b] != h {
			continue
		}
		to := g
		if s.mark[b] != s.stamp {
			to = s.alternative(b)
		}
		cost += s.shift(b, to)
	}
	return cost
}

// run makes rounds.
func (s *search) run(ctx context.Context, rounds int) error {
	var order []uint32
	for range rounds {
		order = order[:0]
		for b := range s.group {
			if s.in.price[s.group[b]] > s.bound[b] {
				order = append(order, uint32(b))
			}
		}
		s.random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for i, b := range order {
			if i%256 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			for _, g := range s.in.offersTo(b) {
				if s.in.price[g] >= s.in.price[s.group[b]] {
					break
				}
				if _, ok := s.open(g, 0); ok && s.group[b] == g {
					break
				}
			}
		}
	}
	return nil
}

func (s *search) total() int64 {
	var t int64
	for b, g := range s.group {
		t += s.in.price[g] * int64(s.in.bundles[b].weight)
	}
	return t
}
