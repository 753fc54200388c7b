package minimal

import (
	"context"
	"slices"
)

// exactSteps is the number of steps of the ascent before the first branch.
const exactSteps = 900

// exact looks for a solution of p that is cheaper than best, by branch and bound, of the conservative or the
// own-category rule. The enumeration must have run. nodes bounds the work: so results are the same on every machine.
//
// It returns the choices of the records that must choose, or none where it has found no cheaper solution. proven says
// that no solution is cheaper than the one returned or, where there is none, than best.
func exact(ctx context.Context, p *Problem, e *enumeration, best int64, nodes int64) (choices []choice, proven bool, err error) {
	d := newDual(e, p.missing())
	if best < unlimited {
		d.aimAt(best)
	}
	if err := d.run(ctx, exactSteps); err != nil {
		return nil, false, err
	}
	b := d.branching(ctx, nodes)
	lower, step := d.bound(), p.priceStep()
	// A solution at the bound is looked for first, then one a step above: far from the bound little can be ruled out.
	for best < unlimited && lower < best && b.nodes > nodes/2 {
		found, least, err := d.below(b, lower+step)
		if err != nil || found != nil {
			return found, err == nil, err
		}
		if least <= lower {
			break
		}
		lower = least
	}
	if lower >= best {
		return nil, true, nil
	}
	b.nodes = max(b.nodes, nodes/2)
	choices, least, err := d.below(b, best)
	if err != nil {
		return nil, false, err
	}
	price := best
	if choices != nil {
		price = d.priceOf(choices)
	}
	return choices, max(lower, least) >= price, nil
}

// solve looks for a solution that is cheaper than best by branch and bound. It returns its choices, or none, and a price
// that no solution is below or, if that is best, that none is cheaper than best. The dual must have been run.
func (d *dual) solve(ctx context.Context, best, nodes int64) (choices []choice, lower int64, err error) {
	return d.below(d.branching(ctx, nodes), best)
}

// branching prepares branch and bound with so much work.
func (d *dual) branching(ctx context.Context, nodes int64) *branching {
	return &branching{ctx: ctx, step: d.e.p.priceStep(), nodes: nodes, processors: len(d.e.projectors)}
}

// below is solve with the work that is left to b.
func (d *dual) below(b *branching, best int64) (choices []choice, lower int64, err error) {
	c := *d.cover
	c.cuts = slices.Clone(c.cuts)
	whole := &part{cover: &c, offer: d.ascent.best.clone()}
	for i := range d.choosers.key {
		whole.chooser = append(whole.chooser, uint32(i))
	}
	for g := range d.sets {
		whole.group = append(whole.group, uint32(g))
	}
	found := b.solve(whole, min(unlimited, best+d.homes))
	if err := b.ctx.Err(); err != nil {
		return nil, 0, err
	}
	lower = max(d.bound(), found.lower-d.homes)
	if found.seats == nil {
		return nil, lower, nil
	}
	return d.choices(found.seats), lower, nil
}

// choices turns seats into choices. There are none where a seat is not known to exist.
func (d *dual) choices(seats []seat) []choice {
	out := make([]choice, 0, len(seats))
	for _, s := range seats {
		set := d.choosers.alone[s.chooser]
		if s.group != unsettled {
			set = d.sets[s.group]
		} else if set == 0 {
			return nil
		}
		out = append(out, choice{key: d.choosers.key[s.chooser], set: set, count: s.records})
	}
	return gather(out)
}

// priceOf returns the price of choices, without what is missing from the start.
func (d *dual) priceOf(choices []choice) int64 {
	sum := -d.homes
	for _, c := range choices {
		sum += d.e.p.price(c.set) * c.count
	}
	return sum
}
