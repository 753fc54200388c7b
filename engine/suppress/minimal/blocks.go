package minimal

import (
	"context"
	"slices"
)

// blockVisits bounds the bundles and staying keys that are looked at for the sets of all blocks.
const blockVisits = 1 << 28

// bindBlocks raises the bounds of open bundles by blocks of variables. If k records agree outside a set, they do so on
// every block; so what the cheapest sets of disjoint blocks cost, each looked for on its block alone, is together no
// more than what the cheapest set costs.
func (e *enumeration) bindBlocks(ctx context.Context) error {
	sum := make([]int64, len(e.bound))
	for _, block := range e.p.blocks(int64(len(e.bound) + len(e.staying))) {
		if err := e.bindBlock(ctx, block, sum); err != nil {
			return err
		}
	}
	for _, b := range e.open {
		e.bound[b] = max(e.bound[b], sum[b])
	}
	return nil
}

// blocks cuts the variables into blocks, as large as the work for so many bundles and staying keys allows, those with
// most categories together.
func (p *Problem) blocks(everything int64) [][]int {
	order := make([]int, p.variables())
	for v := range order {
		order[v] = v
	}
	slices.SortStableFunc(order, func(a, b int) int { return p.Levels[b] - p.Levels[a] })
	size := 1
	for ; size < p.variables(); size++ {
		number := int64((p.variables() + size) / (size + 1))
		if number<<(size+1)*(everything+setVisits) > p.share(blockVisits) {
			break
		}
	}
	return slices.Collect(slices.Chunk(order, size))
}

// restrictedTo returns the problem with some of the variables alone. Its keys are not distinct.
func (p *Problem) restrictedTo(variables []int) *Problem {
	out := &Problem{Count: p.Count, K: p.K, Rule: p.Rule}
	for place, v := range variables {
		out.Codes, out.Levels, out.Price = append(out.Codes, p.Codes[v]), append(out.Levels, p.Levels[v]), append(out.Price, p.Price[v])
		out.TieOrder = append(out.TieOrder, place)
	}
	return out
}

// bindBlock adds, per open bundle, the price of the cheapest set of a block.
func (e *enumeration) bindBlock(ctx context.Context, block []int, sum []int64) error {
	p := e.p.restrictedTo(block)
	missing := p.missing()
	in := &instance{k: e.in.k, bundles: e.in.bundles, missing: make([]uint64, len(e.in.bundles))}
	for b, own := range in.bundles {
		in.missing[b] = missing[own.key]
	}
	part := &enumeration{p: p, in: in, keys: pack(p), staying: e.staying, bound: make([]int64, len(in.bundles))}
	for b := range part.bound {
		part.bound[b] = -1
	}
	part.addProjectors()
	active, passive := slices.Clone(e.open), e.others()
	for sets := newSubsets(p); len(active) > 0; {
		price, batch, _ := sets.next(1 << len(block)) // all
		projections, err := part.project(ctx, batch, active, passive)
		if err != nil {
			return err
		}
		for _, projected := range projections {
			for _, b := range projected.reached {
				if part.bound[b] < 0 {
					part.bound[b] = price
					sum[b] += price
				}
			}
		}
		active, passive = part.found(active, passive)
	}
	return nil
}

// others returns the bundles that are not open.
func (e *enumeration) others() []uint32 {
	var others []uint32
	next := 0
	for b := range uint32(len(e.bound)) {
		if next < len(e.open) && e.open[next] == b {
			next++
			continue
		}
		others = append(others, b)
	}
	return others
}

// found moves the bundles with a bound from active to passive.
func (e *enumeration) found(active, passive []uint32) (still, done []uint32) {
	still = active[:0]
	for _, b := range active {
		if e.bound[b] < 0 {
			still = append(still, b)
		} else {
			passive = append(passive, b)
		}
	}
	return still, passive
}
