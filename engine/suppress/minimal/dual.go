package minimal

import (
	"context"
)

// dual is a lower bound on the price of any solution under the conservative or the own-category rule, by Lagrangian
// relaxation. A record of a key is offered a pay for being settled; no key is offered more than its ceiling. Groups
// take the records whose pay is above the group's price, or k records that together are paid more than they cost; what
// all pay comes to, less what groups gain, is a lower bound: see Fisher, Management Science 27 (1981). The best pay is
// looked for by a deflected subgradient method. Everything is counted in whole numbers.
type dual struct {
	e        *enumeration
	floor    int64 // the bound of the enumeration
	homes    int64 // price of what is missing from the start
	choosers choosers
	groups   dualGroups
	gathered bool

	most   []int64 // per chooser, in parts of a price: the highest pay that can be of use
	pay    []int64 // per chooser, in parts: the best so far
	value  int64   // what it gives, in parts
	ascent ascent
	aim    int64 // a price that is known to be possible, without what is missing from the start, or 0
}

// payParts is the number of parts of a price in which pay is counted.
const payParts = 1 << 20

// newDual prepares the bound. The enumeration must have run; missing holds, per key, the variables missing from the
// start.
func newDual(e *enumeration, missing []uint64) *dual {
	d := &dual{e: e, floor: e.total(), choosers: choosersOf(e)}
	for i, key := range d.choosers.key {
		d.homes += e.p.price(missing[key]) * d.choosers.records[i]
		d.pay = append(d.pay, d.choosers.bound[i]*payParts)
	}
	d.value = (d.floor + d.homes) * payParts
	return d
}

// aimAt tells a price that is known to be possible: steps are measured by the distance from it.
func (d *dual) aimAt(price int64) { d.aim = price }

// run makes so many steps. It can be continued: n steps and m more are n+m steps. Errors: that of ctx.
func (d *dual) run(ctx context.Context, iterations int) error {
	if !d.gathered {
		if err := d.prepare(ctx); err != nil {
			return err
		}
	}
	for range iterations {
		if err := ctx.Err(); err != nil {
			return err
		}
		d.step()
	}
	return nil
}

// prepare gathers the groups.
func (d *dual) prepare(ctx context.Context) error {
	d.groups = dualGroups{}
	g := &gatherer{e: d.e, choosers: &d.choosers, groups: &d.groups}
	for range d.e.projectors {
		j := &dualProjector{choosers: &d.choosers}
		j.projector = projector{keys: d.e.keys, in: d.e.in, staying: d.e.staying}
		g.projectors = append(g.projectors, j)
	}
	if err := g.gather(ctx); err != nil {
		return err
	}
	d.gathered = true
	d.ascent = newAscent(len(d.pay))
	copy(d.ascent.pay, d.pay)
	for i, ceiling := range d.choosers.ceiling {
		if d.choosers.records[i] >= d.e.in.k {
			ceiling = d.choosers.bound[i] // they need nobody else: what more they are paid, they take themselves
		}
		d.most = append(d.most, ceiling*payParts)
	}
	return nil
}

// bound returns a lower bound on the price of any solution, never below that of the enumeration. It does not fall.
func (d *dual) bound() int64 {
	step := d.e.p.priceStep()
	parts := step * payParts
	whole := (d.value + parts - 1) / parts * step
	return max(d.floor, whole-d.homes)
}
