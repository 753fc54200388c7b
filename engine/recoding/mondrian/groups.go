package mondrian

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// atOnce is the maximum number of groups below k that are matched together. The time is cubic in it.
const atOnce = 256

// group is a set of keys whose records get the same values.
type group struct {
	region
	keys []uint32
	lost float64 // weighted loss of its records
}

// match replaces the regions with groups. It pairs key patterns of fewer than k records with the least total loss,
// then pairs that are still below k, and so on. It returns the number of parts in which the first pairs were
// matched.
func (p *partition) match(ctx context.Context, meter *progress.Meter) (parts int, err error) {
	cut, sets := p.regions, &keySets{make([]int, len(p.counts)), make([]float64, len(p.counts))}
	p.regions = nil
	var all []uint32
	for i, from := range p.first {
		to := len(p.keys)
		if i+1 < len(p.first) {
			to = p.first[i+1]
		}
		var regions []region
		for len(cut) > 0 && cut[0].from < to {
			regions, cut = append(regions, cut[0]), cut[1:]
		}
		groups, made, err := p.reach(ctx, p.apart(regions[0].spans, p.keys[from:to]), meter)
		if err != nil {
			return parts, err
		}
		if groups, err = p.better(ctx, sets, groups, regions); err != nil {
			return parts, err
		}
		parts += made
		for _, g := range groups {
			g.from, g.to = len(all), len(all)+len(g.keys)
			all = append(all, g.keys...)
			p.regions = append(p.regions, g.region)
		}
	}
	p.keys = all
	return parts, nil
}

// apart returns a group for each key of a part that was cut on shared axes. On these axes it has the extents of
// the regions in shared.
func (p *partition) apart(shared []extent, keys []uint32) []*group {
	groups := make([]*group, 0, len(keys))
	for _, key := range keys {
		g := &group{keys: []uint32{key}, region: region{records: p.counts[key], spans: make([]extent, len(p.axes))}}
		for v, a := range p.axes {
			if g.spans[v] = a.alone(a.codes[key]); a.shared {
				g.spans[v] = shared[v]
			}
		}
		g.lost = p.pairLoss(g, g) / 2
		groups = append(groups, g)
	}
	return groups
}

// pairLoss returns the joint loss of the records of two groups.
func (p *partition) pairLoss(g, h *group) float64 {
	width := 0.0
	for v, a := range p.axes {
		if a.shared {
			width += float64(a.weight * g.spans[v].penalty())
		} else {
			width += float64(a.weight * a.together(&g.spans[v], &h.spans[v]))
		}
	}
	return width * float64(g.records+h.records)
}

// cost returns the additional loss of joining two groups.
func (p *partition) cost(g, h *group) float64 { return p.pairLoss(g, h) - g.lost - h.lost }

// join adds h to g.
func (p *partition) join(g, h *group) {
	g.lost = p.pairLoss(g, h)
	for v, a := range p.axes {
		if !a.shared {
			g.spans[v] = a.joined(&g.spans[v], &h.spans[v])
		}
	}
	g.records += h.records
	g.keys = append(g.keys, h.keys...)
	h.keys = nil
}

// reach joins groups until all have k records. Neighbours in the list are similar, so parts of the list are
// matched separately.
func (p *partition) reach(ctx context.Context, groups []*group, meter *progress.Meter) (_ []*group, first int, err error) {
	for {
		parts := p.parts(groups)
		if len(parts) == 0 {
			return groups, first, nil
		}
		if first == 0 {
			first = len(parts)
		}
		err := parallel.Each(ctx, len(parts), func(part int) error {
			p.pairUp(parts[part])
			return nil
		})
		if err != nil {
			return nil, first, err
		}
		for _, g := range groups {
			if len(g.keys) == 0 || g.records >= p.k {
				meter.Add(1)
			}
		}
		groups = slices.DeleteFunc(groups, func(g *group) bool { return len(g.keys) == 0 })
	}
}

// parts divides the groups into consecutive parts with at most atOnce groups below k. It returns none if no group
// is below k.
func (p *partition) parts(groups []*group) (parts [][]*group) {
	begin, below := 0, 0
	for i, g := range groups {
		if g.records >= p.k {
			continue
		}
		if below == atOnce {
			parts = append(parts, groups[begin:i])
			begin, below = i, 0
		}
		below++
	}
	if below > 0 {
		parts = append(parts, groups[begin:])
	}
	return parts
}

// pairUp joins groups below k in pairs, or with a group that has k records, at the least total loss. A group may
// stay single if it finds no partner or waits for a better one.
func (p *partition) pairUp(groups []*group) {
	var below, reached []*group
	records := 0
	for _, g := range groups {
		records += g.records
		if g.records < p.k {
			below = append(below, g)
		} else {
			reached = append(reached, g)
		}
	}
	// If no group has reached k, finding any partner outweighs every loss.
	worst := 1.0
	for _, a := range p.axes {
		worst += float64(a.weight * float64(2*records))
	}
	price := make([]float64, len(below)) // of joining a group that has k records
	for i, g := range below {
		price[i] = worst
		for _, h := range reached {
			price[i] = min(price[i], p.cost(g, h))
		}
	}
	scale := float64(1<<38) / worst
	pairs := bestPairs(len(below), func(i, j int) int64 {
		return int64((price[i] + price[j] - p.cost(below[i], below[j])) * scale)
	})
	paired := false
	for i, j := range pairs {
		if i < j {
			paired = true
			if p.join(below[i], below[j]); below[i].records >= p.k {
				reached = append(reached, below[i])
			}
		}
	}
	p.joinSmall(below, pairs, reached, paired)
}

// joinSmall joins each group without a partner with the group of k records at which it loses least. If wait is set
// and a pair that is still below k would lose less, the group waits for the next matching.
func (p *partition) joinSmall(below []*group, pairs []int, reached []*group, wait bool) {
	if len(reached) == 0 {
		return
	}
	var open []*group // pairs still below k
	for i, j := range pairs {
		if i < j && below[i].records < p.k {
			open = append(open, below[i])
		}
	}
	for i, j := range pairs {
		if j >= 0 {
			continue
		}
		g := below[i]
		best := p.cheapest(g, reached)
		if wait && len(open) > 0 && p.cost(p.cheapest(g, open), g) < p.cost(best, g) {
			continue
		}
		p.join(best, g)
	}
}

// cheapest returns the group in among that g joins at the least loss.
func (p *partition) cheapest(g *group, among []*group) *group {
	best, least := among[0], p.cost(among[0], g)
	for _, h := range among[1:] {
		if cost := p.cost(h, g); cost < least {
			best, least = h, cost
		}
	}
	return best
}
