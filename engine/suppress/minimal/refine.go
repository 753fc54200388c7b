package minimal

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// The bounds of refining, in units of work.
const (
	neighbours = 8       // similar bundles whose clusters a bundle looks at
	maxPasses  = 12      // passes over all bundles
	refineWork = 1 << 24 // bundles looked at
)

// refiner moves and exchanges bundles between clusters while that lowers the price.
type refiner struct {
	*clustering
	near [][neighbours]uint32 // per bundle: the most similar ones
	at   []int                // per bundle: its cluster, or -1
	cost []int64              // per cluster
	work int64
}

// refine improves the clusters.
func (c *clustering) refine(ctx context.Context) error {
	r := &refiner{clustering: c, at: make([]int, len(c.group)), cost: make([]int64, len(c.clusters))}
	for b := range r.at {
		r.at[b] = -1
	}
	var all []uint32
	for i, members := range c.clusters {
		r.cost[i] = r.price(members)
		for _, b := range members {
			r.at[b] = i
		}
		all = append(all, members...)
	}
	slices.SortStableFunc(all, func(a, b uint32) int { return c.compare(c.in.bundles[a].key, c.in.bundles[b].key) })
	if err := r.findNeighbours(ctx, all); err != nil {
		return err
	}
	for range maxPasses {
		gained := false
		for _, b := range all {
			if r.work > refineWork {
				return nil
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			gained = r.improve(b) || gained
		}
		if !gained {
			break
		}
	}
	return nil
}

// findNeighbours finds, for each of the bundles, the most similar ones among those near it in key order.
func (r *refiner) findNeighbours(ctx context.Context, all []uint32) error {
	r.near = make([][neighbours]uint32, len(r.group))
	const share = 64 // bundles a goroutine takes at a time
	var next atomic.Int64
	var running sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		running.Go(func() {
			for ctx.Err() == nil {
				from := int(next.Add(share)) - share
				if from >= len(all) {
					return
				}
				for i := from; i < min(from+share, len(all)) && ctx.Err() == nil; i++ {
					near := all[max(0, i-r.window/2):min(len(all), i+r.window/2)]
					r.near[all[i]] = r.mostSimilar(all[i], near)
				}
			}
		})
	}
	running.Wait()
	return ctx.Err()
}

// mostSimilar returns those among the others that differ from b at the least price.
func (r *refiner) mostSimilar(b uint32, others []uint32) (near [neighbours]uint32) {
	var prices [neighbours]int64
	for j := range near {
		near[j], prices[j] = unsettled, infinite
	}
	key := r.in.bundles[b].key
	for _, other := range others {
		if other == b {
			continue
		}
		_, price := r.widen(0, key, r.in.bundles[other].key, prices[neighbours-1])
		for j := neighbours - 1; j >= 0 && price < prices[j]; j-- {
			if j+1 < neighbours {
				near[j+1], prices[j+1] = near[j], prices[j]
			}
			near[j], prices[j] = other, price
		}
	}
	return near
}

// span returns the variables that are blank when the members are put together, and their price.
func (c *clustering) span(members []uint32) (uint64, int64) {
	set := uint64(0)
	for _, b := range members {
		set |= c.in.home[b]
	}
	price := c.p.price(set)
	for _, b := range members[1:] {
		var more int64
		set, more = c.widen(set, c.in.bundles[members[0]].key, c.in.bundles[b].key, infinite)
		price += more
	}
	return set, price
}

// price returns the price of a cluster for all its records.
func (r *refiner) price(members []uint32) int64 {
	r.work += int64(len(members))
	_, price := r.span(members)
	return price * r.weight(members)
}

// weight returns the records of a cluster.
func (c *clustering) weight(members []uint32) int64 {
	var sum int64
	for _, b := range members {
		sum += int64(c.in.bundles[b].weight)
	}
	return sum
}

// change is what two clusters would become.
type change struct {
	a, b   []uint32
	saving int64
}

// improve makes the change that saves most among those that bring b together with one of its neighbours.
func (r *refiner) improve(b uint32) bool {
	var best change
	var bestAt int
	for _, near := range r.near[b] {
		if near == unsettled || r.at[near] == r.at[b] {
			continue
		}
		it := r.bring(b, near)
		other := r.bring(near, b)
		if other.saving > it.saving {
			it = change{other.b, other.a, other.saving}
		}
		if it.saving > best.saving {
			best, bestAt = it, r.at[near]
		}
	}
	if best.saving <= 0 {
		return false
	}
	r.become(r.at[b], best.a)
	r.become(bestAt, best.b)
	return true
}

// bring finds the best way to take b into the cluster of another: alone, or in exchange for one of its members.
func (r *refiner) bring(b, other uint32) change {
	from, to := r.clusters[r.at[b]], r.clusters[r.at[other]]
	now := r.cost[r.at[b]] + r.cost[r.at[other]]
	without := remove(from, b)
	var best change
	consider := func(a, c []uint32) {
		if r.weight(a) < r.in.k || r.weight(c) < r.in.k {
			return
		}
		if saving := now - r.price(a) - r.price(c); saving > best.saving {
			best = change{a, c, saving}
		}
	}
	consider(without, append(slices.Clone(to), b))
	for _, back := range to {
		if back != other {
			consider(append(slices.Clone(without), back), append(remove(to, back), b))
		}
	}
	return best
}

// remove returns the members without one.
func remove(members []uint32, gone uint32) []uint32 {
	return slices.DeleteFunc(slices.Clone(members), func(b uint32) bool { return b == gone })
}

// become replaces the members of cluster i.
func (r *refiner) become(i int, members []uint32) {
	r.clusters[i] = members
	r.cost[i] = r.price(members)
	for _, b := range members {
		r.at[b] = i
	}
}
