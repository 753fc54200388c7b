package minimal

import (
	"cmp"
	"context"
	"slices"
)

// infinite is more than any price.
const infinite = int64(1) << 60

// The bounds of clustering, in units of work: so results are the same on every machine.
const (
	maxWindow   = 1 << 12 // neighbours in key order among which similar records are looked for
	leastWindow = 1 << 6
	windowWork  = 1 << 29 // values in the windows of all bundles together
)

// clustering settles the bundles that no enumerated group has taken: it puts similar ones together and blanks the
// variables on which they differ.
type clustering struct {
	p        *Problem
	in       *instance
	staying  []uint32 // in the order of their codes, as compare has it
	group    []uint32 // per bundle
	size     []int64  // per group: records
	q        int
	order    []int    // variables, those with most categories first
	rows     []uint32 // codes of a key side by side, in that order: rows[key*q : key*q+q]
	window   int
	clusters [][]uint32
}

// newClustering continues from the greedy solution of e.
func newClustering(e *enumeration) *clustering {
	q := e.p.variables()
	return &clustering{p: e.p, in: e.in, staying: slices.Clone(e.staying), group: e.greedy.group, size: e.greedy.size, q: q}
}

// run settles every bundle that is still unsettled.
func (c *clustering) run(ctx context.Context, report *progress) error {
	left, weight := c.unsettled()
	if len(left) == 0 {
		return nil
	}
	c.prepare(left)
	total := weight
	for weight >= c.in.k {
		var taken int64
		var err error
		if left, taken, err = c.form(ctx, left); err != nil {
			return err
		}
		weight -= taken
		report.at(total-weight, total)
	}
	if err := c.refine(ctx); err != nil {
		return err
	}
	for _, members := range c.clusters {
		set, _ := c.span(members)
		c.settle(members, set, false)
	}
	for _, b := range left {
		if err := c.join(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// unsettled returns the unsettled bundles and their records.
func (c *clustering) unsettled() (left []uint32, weight int64) {
	for b, g := range c.group {
		if g == unsettled {
			left = append(left, uint32(b))
			weight += int64(c.in.bundles[b].weight)
		}
	}
	return left, weight
}

// prepare lays out the codes and sorts the bundles left and the staying keys so that similar ones are near each other.
func (c *clustering) prepare(left []uint32) {
	c.rows = make([]uint32, c.q*c.p.keys())
	for v := range c.q {
		c.order = append(c.order, v)
	}
	slices.SortStableFunc(c.order, func(a, b int) int { return c.p.Levels[b] - c.p.Levels[a] })
	for i, v := range c.order {
		for key, code := range c.p.Codes[v] {
			c.rows[key*c.q+i] = code
		}
	}
	slices.SortStableFunc(left, func(a, b uint32) int { return c.compare(c.in.bundles[a].key, c.in.bundles[b].key) })
	slices.SortStableFunc(c.staying, c.compare)
	c.window = max(leastWindow, min(maxWindow, windowWork/(len(left)*c.q)))
}

// row returns the codes of a key.
func (c *clustering) row(key uint32) []uint32 { return c.rows[int(key)*c.q : int(key)*c.q+c.q] }

// compare orders keys by their codes, variables with few categories first: neighbours then agree on many variables.
func (c *clustering) compare(a, b uint32) int {
	x, y := c.row(a), c.row(b)
	for i := c.q - 1; i >= 0; i-- {
		if x[i] != y[i] {
			return cmp.Compare(x[i], y[i])
		}
	}
	return 0
}

// widen returns set with the variables added on which two keys differ, and the price of those. It gives up, with a
// price of at least limit, once it has found so much.
func (c *clustering) widen(set uint64, a, b uint32, limit int64) (uint64, int64) {
	x, y := c.row(a), c.row(b)
	price := int64(0)
	for i, code := range x {
		if code == y[i] {
			continue
		}
		if v := c.order[i]; set>>v&1 == 0 {
			set |= 1 << v
			if price += int64(c.p.Price[v]); price >= limit {
				return set, price
			}
		}
	}
	return set, price
}

// form makes a cluster of the first bundle and those that cost least to add, or puts the first into a group that a
// staying key agrees with if that costs no more. It returns the bundles left and the records settled.
func (c *clustering) form(ctx context.Context, left []uint32) ([]uint32, int64, error) {
	seed, rest := left[0], left[1:]
	key, set := c.in.bundles[seed].key, c.in.home[seed]
	weight := int64(c.in.bundles[seed].weight)
	members := []uint32{seed}
	var places []int
	window := rest[:min(len(rest), c.window)]
	for weight < c.in.k {
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		place, wider := c.nearest(window, key, set)
		if place < 0 {
			window = rest // the window holds fewer than k records
			continue
		}
		members, places = append(members, rest[place]), append(places, place)
		weight += int64(c.in.bundles[rest[place]].weight)
		set, rest[place] = wider, unsettled
	}
	if near, price := c.nearestStaying(seed); price <= c.p.price(set) {
		for i, place := range places {
			rest[place] = members[i+1]
		}
		c.settle([]uint32{seed}, near, true)
		return rest, int64(c.in.bundles[seed].weight), nil
	}
	c.clusters = append(c.clusters, members)
	return rest[compact(window):], weight, nil
}

// compact moves what is left in the window to its end, in order, and returns where that begins.
func compact(window []uint32) int {
	begin := len(window)
	for i := len(window) - 1; i >= 0; i-- {
		if window[i] != unsettled {
			begin--
			window[begin] = window[i]
		}
	}
	return begin
}

// nearest returns the place of the bundle that adds least to the price of set when it joins key, and the wider set.
func (c *clustering) nearest(window []uint32, key uint32, set uint64) (int, uint64) {
	best, bestSet, least := -1, set, infinite
	for i, b := range window {
		if b == unsettled {
			continue
		}
		home := c.in.home[b]
		more := c.p.price(home &^ set)
		if wider, price := c.widen(set|home, key, c.in.bundles[b].key, least-more); price+more < least {
			best, bestSet, least = i, wider, price+more
		}
	}
	return best, bestSet
}

// nearestStaying returns the cheapest set with which b agrees with a staying key near it in key order, and its price.
func (c *clustering) nearestStaying(b uint32) (uint64, int64) {
	best, least := uint64(0), infinite
	key, home := c.in.bundles[b].key, c.in.home[b]
	at, _ := slices.BinarySearchFunc(c.staying, key, c.compare)
	for _, other := range c.staying[max(0, at-c.window):min(len(c.staying), at+c.window)] {
		if set, price := c.widen(home, key, other, least); price < least {
			best, least = set, price
		}
	}
	if least < infinite {
		least += c.p.price(home)
	}
	return best, least
}

// settle makes a group of the members.
func (c *clustering) settle(members []uint32, set uint64, free bool) {
	slices.Sort(members)
	g := c.in.add(set, c.p.price(set), free, members)
	c.size = append(c.size, 0)
	for _, b := range members {
		if old := c.group[b]; old != unsettled {
			c.size[old] -= int64(c.in.bundles[b].weight)
		}
		c.group[b] = g
		c.size[g] += int64(c.in.bundles[b].weight)
	}
}

// join puts a bundle, one of fewer than k records that are left, where it costs least: to a staying key, or into a
// group in use, which is widened for it.
func (c *clustering) join(ctx context.Context, b uint32) error {
	key, weight := c.in.bundles[b].key, int64(c.in.bundles[b].weight)
	bestSet, least := c.nearestStaying(b)
	if least < infinite {
		least *= weight
	}
	bestGroup := unsettled
	seen := make([]bool, c.in.groups())
	for other, g := range c.group {
		if other%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if g == unsettled || seen[g] {
			continue
		}
		seen[g] = true
		set, _ := c.widen(c.in.set[g]|c.in.home[b], key, c.in.bundles[other].key, infinite)
		price := c.p.price(set)
		if cost := price*weight + (price-c.in.price[g])*c.size[g]; cost < least {
			bestSet, least, bestGroup = set, cost, g
		}
	}
	members := []uint32{b}
	for other, g := range c.group {
		if g == bestGroup && g != unsettled {
			members = append(members, uint32(other))
		}
	}
	c.settle(members, bestSet, bestGroup == unsettled)
	return nil
}
