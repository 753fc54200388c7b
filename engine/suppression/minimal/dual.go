package minimal

import "context"

// dual is a lower bound on the price of any solution under the conservative or the own-category
// rule, by Lagrangian relaxation of the demand that every record is served. Each client has a
// multiplier, the same for all its records and no more than what it costs to serve one alone.
// Groups serve the records whose multiplier is above the group's price, or k records whose
// multipliers come to more together than they cost. What all multipliers come to, less what groups
// gain, is a lower bound: see Fisher, Management Science 27 (1981), and Cornuéjols, Fisher and
// Nemhauser, Management Science 23 (1977), for facility location. The best multipliers are looked
// for step by step. Everything is counted in whole numbers, so results do not depend on the number
// of processors.
type dual struct {
	e       *enumeration
	missing int64 // price of what is missing from the start
	clients clients
	sets    []uint64 // per group of cover: the blanked variables
	cover   *cover

	ascent *ascent
	lower  int64 // the highest bound so far
}

// newDual gathers the groups and starts the ascent from the bounds of the enumeration, which must have run. Errors:
// that of ctx.
func newDual(ctx context.Context, e *enumeration) (*dual, error) {
	d := &dual{e: e, clients: clientsOf(e), lower: e.total()}
	for i, set := range d.clients.missing {
		d.missing += e.p.price(set) * d.clients.records[i]
	}
	d.cover = &cover{k: e.in.k, records: d.clients.records, parts: d.parts()}
	if err := d.gatherGroups(ctx, d.cover); err != nil {
		return nil, err
	}
	n := len(d.clients.key)
	multiplier, most := make([]int64, n), make([]int64, n)
	parts := d.cover.parts
	dearest := d.e.in.k * d.e.p.price(d.e.p.full()) * parts
	for i, ceiling := range d.clients.ceiling {
		if d.clients.records[i] >= d.e.in.k {
			ceiling = d.clients.bound[i] // enough by themselves: with a higher multiplier they serve themselves
		}
		most[i] = min(ceiling*parts, dearest)
		multiplier[i] = d.clients.bound[i] * parts
	}
	d.ascent = newAscent(d.cover, multiplier, most, len(d.e.projectors))
	return d, nil
}

// parts returns in how many parts of a price multipliers are counted: fewer than usual where all records together, each
// with its highest multiplier, would come to more than a whole number holds.
func (d *dual) parts() int64 {
	all, dearest := int64(1), d.e.p.price(d.e.p.full())
	for _, n := range d.clients.records {
		if n < d.e.in.k {
			n *= d.e.in.k
		}
		all += n * dearest
	}
	return min(multiplierParts, max(1, infinite/all))
}

// The bounds of a raise.
const (
	raisingVisits = 1 << 23 // members of groups that its steps may look at,
	raisingSteps  = 64      // but no more steps than that
)

// raise makes some steps. best is a price that is known to be possible: steps are measured by the distance from it.
func (d *dual) raise(best int64) {
	for range max(1, min(raisingSteps, d.e.p.share(raisingVisits)/int64(1+len(d.cover.groups.items)))) {
		d.ascent.step((best + d.missing) * d.cover.parts)
	}
}

// bound returns a lower bound on the price of any solution, never below that of the enumeration. It does not fall.
func (d *dual) bound() int64 {
	step := d.e.p.priceStep() * d.cover.parts
	sum := (d.ascent.value+step-1)/step*d.e.p.priceStep() - d.missing
	d.lower = max(d.lower, sum)
	return d.lower
}
