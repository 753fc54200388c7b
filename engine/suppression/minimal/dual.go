package minimal

import "context"

// dual computes a lower bound on the price of any solution under the conservative or the own-category rule, by
// Lagrangian relaxation of the constraint that every record is served. Each client has one multiplier for all its
// records, at most the price of serving one record by itself. A group serves the records whose multiplier exceeds
// its price, or k records if the sum of their multipliers exceeds their price. The sum of all multipliers minus
// the gains of the groups is a lower bound: see Fisher, Management Science 27 (1981), and, for facility location,
// Cornuéjols, Fisher and Nemhauser, Management Science 23 (1977). A subgradient ascent improves the multipliers.
// All arithmetic is in integers, so results do not depend on the number of processors.
type dual struct {
	e       *enumeration
	missing int64 // price of the cells missing from the start
	clients clients
	sets    []uint64 // per group of cover: the suppressed variables
	cover   *cover

	ascent *ascent
	lower  int64 // highest bound so far
}

// newDual gathers the groups and starts the ascent at the bounds of the enumeration, which must have run. It
// returns the error of ctx, if any.
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
			ceiling = d.clients.bound[i] // at least k records: with a higher multiplier they serve themselves
		}
		most[i] = min(ceiling*parts, dearest)
		multiplier[i] = d.clients.bound[i] * parts
	}
	d.ascent = newAscent(d.cover, multiplier, most, len(d.e.projectors))
	return d, nil
}

// parts returns the units per unit of price in which multipliers are counted. There are fewer if the sum over all
// records, each with its highest multiplier, would overflow.
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

// Limits on one call of raise.
const (
	raisingVisits = 1 << 23 // members of groups visited,
	raisingSteps  = 64      // and steps
)

// raise makes a number of steps. best is the price of a known solution; the step size depends on the distance to
// it.
func (d *dual) raise(best int64) {
	for range max(1, min(raisingSteps, d.e.p.share(raisingVisits)/int64(1+len(d.cover.groups.items)))) {
		d.ascent.step((best + d.missing) * d.cover.parts)
	}
}

// bound returns a lower bound on the price of any solution, at least that of the enumeration. It never decreases.
func (d *dual) bound() int64 {
	step := d.e.p.priceStep() * d.cover.parts
	sum := (d.ascent.value+step-1)/step*d.e.p.priceStep() - d.missing
	d.lower = max(d.lower, sum)
	return d.lower
}
