package minimal

import "context"

// dual is a lower bound on the price of any solution under the conservative or the own-category rule, by Lagrangian
// relaxation. A record is offered a pay for being settled, the same for all records of a key and no more than what it
// costs to settle it alone. Groups take the records whose pay is above the group's price, or k records that are paid
// more together than they cost. What all pay comes to, less what groups gain, is a lower bound: see Fisher, Management
// Science 27 (1981). The best pay is looked for step by step. Everything is counted in whole numbers, so results do not
// depend on the number of processors.
type dual struct {
	e        *enumeration
	floor    int64 // the bound of the enumeration
	homes    int64 // price of what is missing from the start
	choosers choosers
	sets     []uint64 // per group of cover: the blanked variables
	cover    *cover   // nil until the groups are gathered
	ascent   *ascent
	steps    int
	aim      int64 // a price that is known to be possible, in parts, or 0
}

// When cuts are added: after plainSteps steps rounds begin of cutSteps each; at averagedSteps cuts are looked for.
const (
	plainSteps    = 300
	cutSteps      = 300
	averagedSteps = 200
)

// newDual prepares the bound. The enumeration must have run; missing holds, per key, the variables missing from the
// start. It aims at the price of the enumeration's solution, if it has one.
func newDual(e *enumeration, missing []uint64) *dual {
	d := &dual{e: e, floor: e.total(), choosers: choosersOf(e)}
	for i, key := range d.choosers.key {
		d.homes += e.p.price(missing[key]) * d.choosers.records[i]
	}
	for b, g := range e.greedy.group {
		if g == unsettled {
			d.aim = 0
			break
		}
		d.aim += e.in.price[g] * int64(e.in.bundles[b].weight) * payParts
	}
	return d
}

// aimAt tells the price of a solution: steps are measured by the distance from it.
func (d *dual) aimAt(price int64) { d.aim = (price + d.homes) * payParts }

// run makes so many steps. It can be continued: n steps and m more are n+m steps. Errors: that of ctx.
func (d *dual) run(ctx context.Context, iterations int) error {
	if d.cover == nil {
		if err := d.gather(ctx); err != nil {
			return err
		}
	}
	for range iterations {
		if err := ctx.Err(); err != nil {
			return err
		}
		d.ascent.step(d.aim)
		d.steps++
		switch round := d.steps - plainSteps; {
		case round >= 0 && round%cutSteps == 0:
			d.ascent.begin()
		case round >= 0 && round%cutSteps == averagedSteps:
			d.ascent.strengthen()
		}
	}
	return nil
}

// gather gathers the groups and starts the ascent from the bounds of the enumeration.
func (d *dual) gather(ctx context.Context) error {
	g := &gatherer{e: d.e, choosers: &d.choosers, cover: &cover{k: d.e.in.k, records: d.choosers.records, start: []uint32{0}}}
	for range d.e.projectors {
		j := &dualProjector{choosers: &d.choosers}
		j.projector = projector{p: d.e.p, keys: d.e.keys, in: d.e.in, staying: d.e.staying}
		g.projectors = append(g.projectors, j)
	}
	if err := g.gather(ctx); err != nil {
		return err
	}
	d.cover, d.sets = g.cover, g.sets
	d.cover.ceiling = d.choosers.ceiling
	pay := make([]int64, len(d.choosers.key))
	d.cover.dearest = d.e.in.k * d.e.p.price(d.e.p.full()) * payParts
	for i, ceiling := range d.choosers.ceiling {
		if d.choosers.records[i] >= d.e.in.k {
			ceiling = d.choosers.bound[i] // they need nobody else: what more they are paid they take themselves
		}
		d.cover.most = append(d.cover.most, min(ceiling*payParts, d.cover.dearest))
		pay[i] = d.choosers.bound[i] * payParts
	}
	d.ascent = newAscent(d.cover, offer{pay: pay}, len(d.e.projectors))
	return nil
}

// size returns the number of members of groups that a step looks at. It is known once run has been called.
func (d *dual) size() int {
	if d.cover == nil {
		return 0
	}
	return len(d.cover.who)
}

// bound returns a lower bound on the price of any solution, never below that of the enumeration. It does not fall.
func (d *dual) bound() int64 {
	if d.cover == nil {
		return d.floor
	}
	return max(d.floor, wholePrice(d.ascent.value, d.e.p.priceStep())-d.homes)
}

// wholePrice returns the least multiple of step that is not below a value in parts.
func wholePrice(value, step int64) int64 {
	parts := step * payParts
	whole := value / parts
	if whole*parts < value {
		whole++
	}
	return whole * step
}
