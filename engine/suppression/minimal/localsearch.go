package minimal

import (
	"context"
	"math/rand/v2"

	"github.com/sdcdesk/sdcdesk/engine/internal/random"
)

// Limits on the search, in units of work, so that results are the same on every machine.
const (
	searchWork = 160     // members of groups visited, per bundle
	largeWork  = 60      // the same, per bundle of the whole file beyond manySearched
	leastWork  = 3 << 18 // constant part of the same limit

	manySearched = 1 << 18
	maxStill     = 20 // rounds without gain before the search ends
	maxCredit    = 3  // maximum credit, in steps
	creditRate   = 20 // a round that gains less than one step per this many bundles raises the credit
)

// search improves a solution by local search. A step opens a group that some bundles would be cheaper in, fills it
// with the bundles that cost least, and keeps the change if the price does not rise. Further steps repair what a
// step makes more expensive; the credit limits how much the price may rise in between.
//
// The price never rises from round to round, so the search can stop after any round and continue later.
type search struct {
	assignment
	bound   []int64 // per bundle: lower bound on its price
	step    int64   // greatest common divisor of all prices
	credit  int64
	work    int64 // members of groups visited so far
	allowed int64
	random  *rand.Rand
	order   []uint32 // reused: the bundles of a round

	member []uint32 // per bundle: the last call of fill for a group that it may choose
	judged []uint32 // per group: the last call of draw that computed its closing price
	filled uint32
	drawn  uint32
}

// searchWork returns the number of members of groups that the search may visit, given the number of bundles.
func (p *Problem) searchWork(bundles int) int64 {
	whole := int64(p.ofWhole(bundles))
	return p.share(searchWork*min(whole, manySearched) + largeWork*max(0, whole-manySearched) + leastWork)
}

// newSearch starts from a solution in which every bundle is in a usable group. It takes ownership of group.
func newSearch(p *Problem, in *instance, group []uint32, bound []int64) *search {
	return &search{
		assignment: newAssignment(in, group),
		bound:      bound, step: p.priceStep(), allowed: p.searchWork(len(in.bundles)),
		random: rand.New(rand.NewPCG(1, 2)),
		member: make([]uint32, len(in.bundles)),
		judged: make([]uint32, in.groups()),
	}
}

// run makes rounds until they gain nothing more or the allowed work is done.
func (s *search) run(ctx context.Context, report *progress) error {
	for still := 0; still < maxStill && s.work < s.allowed; {
		gained, above, err := s.round(ctx)
		if err != nil || above == 0 {
			return err
		}
		if still++; gained > 0 {
			still = 0
		}
		if s.credit < maxCredit*s.step && gained*creditRate < above*s.step {
			s.credit += s.step
			still = 0
		}
		report.at(s.work, s.allowed)
	}
	return nil
}

// round tries, for every bundle above its bound, the cheaper groups it may choose. It returns the decrease in
// price and the number of bundles above their bound.
func (s *search) round(ctx context.Context) (gained, above int64, err error) {
	order := s.order[:0]
	for b, g := range s.group {
		if s.in.price[g] > s.bound[b] {
			order = append(order, uint32(b))
		}
	}
	s.order = order
	random.Shuffle(s.random, order)
	checked := s.work
	for _, b := range order {
		if s.work-checked >= checkEvery {
			if checked = s.work; ctx.Err() != nil {
				return gained, int64(len(order)), ctx.Err()
			}
		}
		if s.work >= s.allowed {
			break
		}
		gained += s.better(b)
	}
	return gained, int64(len(order)), nil
}

// better tries to move b into a cheaper group and returns the decrease in price.
func (s *search) better(b uint32) int64 {
	var gained int64
	for _, g := range s.in.choices.of(b) {
		if s.in.price[g] >= s.in.price[s.group[b]] {
			break
		}
		change, ok := s.open(g, 0, s.credit)
		if !ok {
			continue
		}
		s.commit()
		gained -= change
		if s.group[b] == g {
			break
		}
	}
	return gained
}

// open fills g and returns the change in price. It undoes the change if it exceeds limit even after repair.
func (s *search) open(g uint32, limit, credit int64) (int64, bool) {
	from := len(s.undo)
	change, ok := s.fill(g, limit+credit)
	if ok && change > limit {
		change = s.improve(from, change, limit, credit-s.step)
	}
	if !ok || change > limit || len(s.undo) == from {
		s.rollback(from)
		return 0, false
	}
	return change, true
}

// improve tries to move bundles that have become more expensive since from into cheaper groups, until the change is
// at most limit.
func (s *search) improve(from int, change, limit, credit int64) int64 {
	for i := from; i < len(s.undo); i++ {
		moved := s.undo[i]
		if s.group[moved.bundle] != moved.to || s.in.price[moved.to] <= s.in.price[moved.from] {
			continue
		}
		further, ok := s.cheaper(moved.bundle, credit)
		if !ok {
			continue
		}
		if change += further; change <= limit {
			return change
		}
	}
	return change
}

// cheaper opens a cheaper group for a bundle if that lowers the price, and returns the change in price.
func (s *search) cheaper(b uint32, credit int64) (int64, bool) {
	price := s.in.price[s.group[b]]
	for _, g := range s.in.choices.of(b) {
		if s.in.price[g] >= price {
			break
		}
		if change, ok := s.open(g, -1, credit); ok {
			return change, true
		}
	}
	return 0, false
}

// fill moves into g the bundles that become cheaper without making another group unusable, and then those that
// cost least until g is usable. It gives up once the change in price exceeds limit.
func (s *search) fill(g uint32, limit int64) (int64, bool) {
	s.filled++
	members := s.in.members.of(g)
	s.work += int64(len(members))
	change, price := int64(0), s.in.price[g]
	for _, b := range members {
		s.member[b] = s.filled
		if h := s.group[b]; s.in.price[h] > price && s.canLose(h, int64(s.in.bundles[b].weight)) {
			change += s.move(b, g)
		}
	}
	for !s.usable(g) {
		cost, ok := s.draw(g, limit-change)
		if !ok {
			return 0, false
		}
		change += cost
	}
	return change, change <= limit
}

// draw moves the cheapest bundle into g. If that makes its group unusable, the whole group is closed. Ties are
// broken at random.
func (s *search) draw(g uint32, limit int64) (int64, bool) {
	s.drawn++
	members := s.in.members.of(g)
	s.work += int64(len(members))
	best, least, equal := unassigned, infinite, 0
	for _, b := range members {
		h := s.group[b]
		if h == g {
			continue
		}
		cost := infinite
		if w := int64(s.in.bundles[b].weight); s.canLose(h, w) {
			cost = (s.in.price[g] - s.in.price[h]) * w
		} else if s.judged[h] != s.drawn {
			s.judged[h] = s.drawn
			cost = s.closingPrice(h, g)
		}
		switch {
		case cost < least:
			best, least, equal = b, cost, 1
		case cost == least && cost < infinite:
			if equal++; s.random.IntN(equal) == 0 {
				best = b
			}
		}
	}
	// Each bundle drawn later may save as much as the price of g.
	if best == unassigned || least > limit+s.in.k*s.in.price[g] {
		return 0, false
	}
	if h := s.group[best]; !s.canLose(h, int64(s.in.bundles[best].weight)) {
		return s.close(h, g), true
	}
	return s.move(best, g), true
}

// closingPrice returns the change in price if h were closed, with its members moving to g if they may.
func (s *search) closingPrice(h, g uint32) int64 {
	var cost int64
	for b := s.first[h]; b != unassigned; b = s.next[b] {
		s.work++
		to := s.alternative(b, g)
		if to == unassigned {
			return infinite
		}
		cost += (s.in.price[to] - s.in.price[h]) * int64(s.in.bundles[b].weight)
	}
	return cost
}

// close empties h. closingPrice has returned the change in price.
func (s *search) close(h, g uint32) int64 {
	var cost int64
	for b := s.first[h]; b != unassigned; b = s.first[h] {
		cost += s.move(b, s.alternative(b, g))
	}
	return cost
}

// alternative returns the group that b moves to when its group is closed to fill g: g if b may choose it, else the
// cheapest usable group.
func (s *search) alternative(b, g uint32) uint32 {
	if s.member[b] == s.filled {
		return g
	}
	own := s.group[b]
	for _, other := range s.in.choices.of(b) {
		if other != own && s.usable(other) {
			return other
		}
	}
	return unassigned
}
