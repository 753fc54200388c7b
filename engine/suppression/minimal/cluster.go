package minimal

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// infinite is greater than any price.
const infinite = int64(1) << 60

// Limits on clustering, in units of work, so that results are the same on every machine.
const (
	maxWindow   = 1 << 13 // neighbours in key order searched for similar records
	leastWindow = 1 << 6
	windowWork  = 1 << 29 // values in the windows of all bundles, in total
	leastGrown  = 32      // minimum limit on the members of a grown group
)

// clustering assigns the bundles that no enumerated group has taken. Around each bundle it grows a group of
// similar ones by suppressing the variables on which they differ. The cheapest groups take their members first;
// the rest is clustered again.
type clustering struct {
	p          *Problem
	keys       *packing
	in         *instance
	staying    []uint32 // in key order
	greedy     *greedy
	similarity *similarity
	window     int
}

// newClustering continues from the greedy solution of e.
func newClustering(e *enumeration) *clustering {
	return &clustering{p: e.p, keys: e.keys, in: e.in, staying: slices.Clone(e.staying), greedy: e.greedy}
}

// run assigns every bundle that is still unassigned.
func (c *clustering) run(ctx context.Context, report *progress) error {
	left, weight := c.unassigned()
	if len(left) == 0 {
		return nil
	}
	c.similarity = newSimilarity(c.p, c.keys)
	c.window = max(leastWindow, 2*c.p.K, min(maxWindow, int(c.p.share(windowWork))/(len(left)*c.p.variables())))
	slices.SortStableFunc(left, func(a, b uint32) int {
		return c.similarity.compare(c.in.bundles[a].key, c.in.bundles[b].key)
	})
	slices.SortStableFunc(c.staying, c.similarity.compare)
	for total := weight; weight >= c.in.k; {
		if err := c.assign(ctx, left); err != nil {
			return err
		}
		left = slices.DeleteFunc(left, func(b uint32) bool { return c.greedy.group[b] != unassigned })
		weight = c.weight(left)
		report.at(total-weight, total)
	}
	for _, b := range left {
		if err := c.join(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// unassigned returns the unassigned bundles and the number of their records.
func (c *clustering) unassigned() (left []uint32, weight int64) {
	for b, g := range c.greedy.group {
		if g == unassigned {
			left = append(left, uint32(b))
		}
	}
	return left, c.weight(left)
}

// weight returns the number of records of bundles.
func (c *clustering) weight(bundles []uint32) int64 {
	var sum int64
	for _, b := range bundles {
		sum += int64(c.in.bundles[b].weight)
	}
	return sum
}

// assign grows groups around the remaining bundles and lets the cheapest take their members. At least k records
// remain, so every bundle can grow a group and at least one bundle is assigned.
func (c *clustering) assign(ctx context.Context, left []uint32) error {
	grown, err := c.grow(ctx, left)
	if err != nil {
		return err
	}
	slices.SortStableFunc(grown, func(a, b grownGroup) int { return cmp.Compare(a.price, b.price) })
	for len(grown) > 0 {
		added := uint32(c.in.groups())
		price := grown[0].price
		for ; len(grown) > 0 && grown[0].price == price; grown = grown[1:] {
			first := &grown[0]
			c.in.add(first.set, price, first.free, first.members)
		}
		if err := c.greedy.assign(ctx, added); err != nil {
			return err
		}
	}
	return nil
}

// grownGroup is a group of similar bundles.
type grownGroup struct {
	set     uint64
	price   int64
	free    bool
	members []uint32 // ascending
}

// grow grows a group around every bundle, on all processors.
func (c *clustering) grow(ctx context.Context, left []uint32) ([]grownGroup, error) {
	grown := make([]grownGroup, len(left))
	near := make([]*similarBundles, runtime.GOMAXPROCS(0)) // per worker
	err := parallel.Tasks(ctx, len(left), len(near), func(worker, i int) {
		if near[worker] == nil {
			near[worker] = &similarBundles{}
		}
		grown[i] = c.growAround(left, i, near[worker])
	})
	return grown, err
}

// growAround grows a group around left[at]. It returns the group of the nearest staying key instead if that costs
// no more.
func (c *clustering) growAround(left []uint32, at int, near *similarBundles) grownGroup {
	from := max(0, min(at-c.window/2, len(left)-c.window))
	seed := left[at]
	near.look(c, seed, left[from:min(len(left), from+c.window)])
	set := c.in.missing[seed]
	price := c.p.price(set)
	for near.agreeing(c.in, set) < c.in.k {
		set, price = near.wider(c.similarity, set, price)
	}
	if set, least := c.nearestStaying(seed); least <= price {
		return grownGroup{set, least, true, []uint32{seed}}
	}
	members := []uint32{seed}
	for i, b := range near.others {
		if near.differing[i]&^set == 0 && b != seed && len(members) < max(leastGrown, 4*c.p.K) {
			members = append(members, b)
		}
	}
	slices.Sort(members)
	return grownGroup{set, price, false, members}
}

// similarBundles compares one bundle with similar ones. It must be used by one goroutine only.
type similarBundles struct {
	others    []uint32
	differing []uint64 // variables on which they differ from the bundle, or that are missing in one of the two
}

// look compares seed with the candidates, which include it.
func (n *similarBundles) look(c *clustering, seed uint32, candidates []uint32) {
	n.others, n.differing = candidates, n.differing[:0]
	key, missing := c.in.bundles[seed].key, c.in.missing[seed]
	for _, b := range candidates {
		n.differing = append(n.differing, c.similarity.differing(key, c.in.bundles[b].key)|c.in.missing[b]|missing)
	}
}

// agreeing returns the number of records that differ from the bundle on variables of set only.
func (n *similarBundles) agreeing(in *instance, set uint64) int64 {
	var sum int64
	for i, d := range n.differing {
		if d&^set == 0 {
			sum += int64(in.bundles[n.others[i]].weight)
		}
	}
	return sum
}

// wider extends set by the cheapest variables that admit one more bundle. It returns the extended set and its
// price.
func (n *similarBundles) wider(s *similarity, set uint64, price int64) (uint64, int64) {
	best, least := set, infinite
	for _, d := range n.differing {
		if more := d &^ set; more != 0 {
			if cost := s.p.price(more); cost < least {
				best, least = set|more, cost
			}
		}
	}
	return best, price + least
}

// nearestStaying returns the cheapest set, and its price, with which b agrees with a staying key near it in key
// order or is missing everywhere.
func (c *clustering) nearestStaying(b uint32) (uint64, int64) {
	best, least := uint64(0), infinite
	if all := c.p.full(); c.p.isLikeAll(all) {
		best, least = all, c.p.price(all)
	}
	key, missing := c.in.bundles[b].key, c.in.missing[b]
	at, _ := slices.BinarySearchFunc(c.staying, key, c.similarity.compare)
	for _, other := range c.staying[max(0, at-c.window):min(len(c.staying), at+c.window)] {
		set := c.similarity.differing(key, other) | missing
		if price := c.p.price(set); price < least {
			best, least = set, price
		}
	}
	return best, least
}

// join assigns one of the last bundles, which together have fewer than k records, where it costs least: to the
// group of a staying key, or to a used group, which is widened for it.
func (c *clustering) join(ctx context.Context, b uint32) error {
	key, weight := c.in.bundles[b].key, int64(c.in.bundles[b].weight)
	bestSet, least := c.nearestStaying(b)
	if least < infinite {
		least *= weight
	}
	bestGroup := unassigned
	seen := make([]bool, c.in.groups())
	for other, g := range c.greedy.group {
		if parallel.Stopped(ctx, other) {
			return ctx.Err()
		}
		if g == unassigned || seen[g] {
			continue
		}
		seen[g] = true
		// Other members of the group differ from this one only on variables of its set.
		set := c.in.set[g] | c.in.missing[b] | c.similarity.differing(key, c.in.bundles[other].key)
		price := c.p.price(set)
		if cost := price*weight + (price-c.in.price[g])*c.greedy.size[g]; cost < least {
			bestSet, least, bestGroup = set, cost, g
		}
	}
	c.widen(b, bestGroup, bestSet)
	return nil
}

// widen makes a group of b and the bundles of g, if any. Every bundle that agrees may choose it.
func (c *clustering) widen(b, g uint32, set uint64) {
	var members, moving []uint32
	key := c.in.bundles[b].key
	for i, own := range c.in.bundles {
		other := uint32(i)
		if (c.in.missing[i]|c.similarity.differing(key, own.key))&^set == 0 {
			members = append(members, other)
			if other == b || g != unassigned && c.greedy.group[i] == g {
				moving = append(moving, other)
			}
		}
	}
	c.greedy.move(moving, c.in.add(set, c.p.price(set), g == unassigned, members))
}
