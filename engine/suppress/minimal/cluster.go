package minimal

import (
	"cmp"
	"context"
	"slices"
)

// infinite is more than any price.
const infinite = int64(1) << 60

// maxWindow is the number of neighbours in key order among which similar records are looked for.
const maxWindow = 1 << 12

// clustering settles the bundles that no enumerated group has taken: it puts similar ones together and blanks the
// variables on which they differ.
type clustering struct {
	p       *Problem
	in      *instance
	staying []uint32
	group   []uint32 // per bundle
	size    []int64  // per group
	rows    []uint32 // codes of a key side by side: rows[key*q : key*q+q]
	q       int
}

// newClustering continues from the groups and sizes of a greedy solution.
func newClustering(e *enumeration) *clustering {
	q := e.p.variables()
	c := &clustering{p: e.p, in: e.in, staying: e.staying, group: e.greedy.group, size: e.greedy.size, q: q}
	c.rows = make([]uint32, q*e.p.keys())
	for v, column := range e.p.Codes {
		for key, code := range column {
			c.rows[key*q+v] = code
		}
	}
	return c
}

// run settles every bundle that is still unsettled.
func (c *clustering) run(ctx context.Context) error {
	left := c.unsettled()
	weight := int64(0)
	for _, b := range left {
		weight += int64(c.in.bundles[b].weight)
	}
	for weight >= c.in.k {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var taken int64
		left, taken = c.form(left)
		weight -= taken
	}
	for _, b := range left {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		c.join(b)
	}
	return nil
}

// unsettled returns the unsettled bundles, similar ones near each other: in the order of their codes.
func (c *clustering) unsettled() []uint32 {
	var left []uint32
	for b, g := range c.group {
		if g == unsettled {
			left = append(left, uint32(b))
		}
	}
	// Variables with few categories first: neighbours then agree on many of them.
	order := make([]int, c.q)
	for v := range order {
		order[v] = v
	}
	slices.SortStableFunc(order, func(a, b int) int { return c.p.Levels[a] - c.p.Levels[b] })
	slices.SortStableFunc(left, func(a, b uint32) int {
		x, y := c.row(c.in.bundles[a].key), c.row(c.in.bundles[b].key)
		for _, v := range order {
			if x[v] != y[v] {
				return cmp.Compare(x[v], y[v])
			}
		}
		return 0
	})
	return left
}

// row returns the codes of a key.
func (c *clustering) row(key uint32) []uint32 { return c.rows[int(key)*c.q : int(key)*c.q+c.q] }

// differing returns set with the variables added on which a and b differ, and the price of those.
func (c *clustering) differing(a, b uint32, set uint64) (uint64, int64) {
	x, y := c.row(a), c.row(b)
	price := int64(0)
	for v, code := range x {
		if code != y[v] && set>>v&1 == 0 {
			set |= 1 << v
			price += int64(c.p.Price[v])
		}
	}
	return set, price
}

// form makes a group of the first of the bundles and those that cost least to add, or puts the first into a group
// that a staying key agrees with if that costs no more. It returns the bundles left and the records settled.
func (c *clustering) form(left []uint32) ([]uint32, int64) {
	seed := left[0]
	key := c.in.bundles[seed].key
	members := []uint32{seed}
	weight := int64(c.in.bundles[seed].weight)
	set := c.in.home[seed]
	left = left[1:]
	window := left[:min(len(left), maxWindow)]
	for weight < c.in.k {
		best, bestSet, bestPrice := -1, uint64(0), infinite
		for i, b := range window {
			if b == unsettled {
				continue
			}
			if wider, price := c.differing(key, c.in.bundles[b].key, set); price < bestPrice {
				best, bestSet, bestPrice = i, wider, price
			}
		}
		if best < 0 {
			window = left // the window holds less than k records
			continue
		}
		members = append(members, window[best])
		weight += int64(c.in.bundles[window[best]].weight)
		set, window[best] = bestSet, unsettled
	}
	if near, price := c.nearestStaying(seed); price <= c.p.price(set) {
		for i, b := range members[1:] {
			_ = i
			left = restoreHole(left, b)
		}
		c.settle([]uint32{seed}, near, true)
		return left, int64(c.in.bundles[seed].weight)
	}
	c.settle(members, set, false)
	return slices.DeleteFunc(left, func(b uint32) bool { return b == unsettled }), weight
}

// restoreHole puts b back into the first place that was emptied.
func restoreHole(left []uint32, b uint32) []uint32 {
	left[slices.Index(left, unsettled)] = b
	return left
}

// nearestStaying returns the cheapest set with which b agrees with a staying key.
func (c *clustering) nearestStaying(b uint32) (uint64, int64) {
	best, bestPrice := uint64(0), infinite
	home := c.in.home[b]
	for _, key := range c.staying {
		if set, price := c.differing(c.in.bundles[b].key, key, home); price < bestPrice {
			best, bestPrice = set, price
		}
	}
	if bestPrice < infinite {
		bestPrice += c.p.price(home)
	}
	return best, bestPrice
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
func (c *clustering) join(b uint32) {
	bestSet, bestPrice := c.nearestStaying(b)
	weight := int64(c.in.bundles[b].weight)
	bestPrice *= weight
	bestGroup := unsettled
	seen := make([]bool, c.in.groups())
	for other, g := range c.group {
		if g == unsettled || seen[g] {
			continue
		}
		seen[g] = true
		set, price := c.differing(c.in.bundles[b].key, c.in.bundles[other].key, c.in.set[g]|c.in.home[b])
		price = c.p.price(set)
		if cost := price*weight + (price-c.in.price[g])*c.size[g]; cost < bestPrice {
			bestSet, bestPrice, bestGroup = set, cost, g
		}
	}
	members := []uint32{b}
	for other, g := range c.group {
		if g == bestGroup && g != unsettled {
			members = append(members, uint32(other))
		}
	}
	c.settle(members, bestSet, bestGroup == unsettled)
}
