package minimal

import (
	"context"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Limits on gathering the groups of a dual, in units of work, so that results are the same on every machine.
const (
	dualVisits = 48 << 20 // clients and staying keys visited, in total
	dualHeld   = 12 << 20 // members of groups kept, in total
	dualBatch  = 64       // sets projected in one batch

	dualFew   = 1 << 15 // up to this number, clients consider all groups;
	dualSlack = 4       // above it, groups up to this many of the most expensive cells above their bound
)

// clients are the keys whose records must choose a set.
type clients struct {
	of      []uint32 // per bundle: its client
	key     []uint32
	missing []uint64 // the variables missing from the start
	records []int64
	bound   []int64  // lower bound on the price of the cheapest set
	ceiling []int64  // price of serving a record by itself, below which all groups are known; or unlimited
	alone   []uint64 // set of that price that serves a record by itself, or 0 if there is none
}

// clientsOf aggregates the bundles of e by key.
func clientsOf(e *enumeration) clients {
	var c clients
	for b, own := range e.in.bundles {
		last := len(c.key) - 1
		if last < 0 || c.key[last] != own.key {
			c.key, c.missing = append(c.key, own.key), append(c.missing, e.in.missing[b])
			c.records, c.bound = append(c.records, 0), append(c.bound, infinite)
			last++
		}
		c.of = append(c.of, uint32(last))
		c.records[last] += int64(own.weight)
		c.bound[last] = min(c.bound[last], max(0, e.bound[b]))
	}
	c.ceiling, c.alone = make([]int64, len(c.key)), make([]uint64, len(c.key))
	return c
}

// gatherGroups fills the cover of a dual: it goes through the sets in order of price until every client has
// reached its ceiling. If a limit on the work is reached first, ceilings are lowered, so that the bound remains
// valid.
func (d *dual) gatherGroups(ctx context.Context, c *cover) error {
	d.raiseCeilings()
	all, projectors := d.projectors()
	active := slices.Clone(all)
	everything := int64(len(all) + len(d.e.staying))
	work := d.e.p.share(dualVisits)
	most := int(d.e.p.share(dualHeld))
	for sets := newSubsets(d.e.p); len(active) > 0; {
		price, batch, complete := sets.next(maxSets)
		if len(batch) == 0 {
			break
		}
		for some := range slices.Chunk(batch, dualBatch) {
			work -= int64(len(some)) * (everything + setVisits)
			if work < 0 || len(c.groups.items) > most {
				complete = false
				break
			}
			projections := make([]projection, len(some))
			if err := parallel.Tasks(ctx, len(some), min(len(projectors), len(some)), func(worker, at int) {
				projections[at] = projectors[worker].project(ctx, some[at], all, nil)
				projections[at].keep(func(members []uint32) bool { return d.wanted(price, some[at], members) })
			}); err != nil {
				return err
			}
			d.take(c, price, projections)
		}
		if !complete {
			d.lowerCeilings(price)
			break
		}
		active = slices.DeleteFunc(active, func(i uint32) bool { return d.clients.ceiling[i] <= price })
	}
	return nil
}

// projectors returns the indices of all clients, and projectors that treat clients as bundles.
func (d *dual) projectors() (all []uint32, projectors []*projector) {
	in := &instance{k: d.e.in.k, missing: d.clients.missing}
	for i, key := range d.clients.key {
		all = append(all, uint32(i))
		in.bundles = append(in.bundles, bundle{key, int(d.clients.records[i])})
	}
	return all, d.e.projectorsOf(in, d.clients.bound)
}

// raiseCeilings sets the initial ceilings: no limit for few clients, otherwise a fixed slack above the bound.
func (d *dual) raiseCeilings() {
	few := d.e.p.ofWhole(len(d.clients.key)) <= dualFew
	slack := dualSlack * int64(slices.Max(d.e.p.Price))
	for i, bound := range d.clients.bound {
		if d.clients.ceiling[i] = unlimited; !few {
			d.clients.ceiling[i] = bound + slack
		}
	}
}

// lowerCeilings lowers the ceilings to the price from which groups are not known.
func (d *dual) lowerCeilings(price int64) {
	c := &d.clients
	for i, bound := range c.bound {
		// No client can use a group cheaper than its bound.
		if c.ceiling[i] > max(price, bound) {
			c.ceiling[i], c.alone[i] = max(price, bound), 0
		}
	}
}

// wanted reports whether a client below its ceiling may choose a group with the given set and members, and no
// cheaper group has the same members.
func (d *dual) wanted(price int64, set uint64, members []uint32) bool {
	return slices.ContainsFunc(members, func(i uint32) bool { return d.clients.ceiling[i] > price }) &&
		!d.dominated(set, members)
}

// dominated reports whether all members of a group have the same value on a suppressed variable. The group that
// keeps this variable has the same members and is cheaper.
func (d *dual) dominated(set uint64, members []uint32) bool {
	for ; set != 0; set &= set - 1 {
		column := d.e.p.Codes[bits.TrailingZeros64(set)]
		first := column[d.clients.key[members[0]]]
		if first != 0 && !slices.ContainsFunc(members[1:], func(i uint32) bool { return column[d.clients.key[i]] != first }) {
			return true
		}
	}
	return false
}

// take adds the groups of sets of one price, after noting which clients one of them serves by itself.
func (d *dual) take(c *cover, price int64, projections []projection) {
	for _, projected := range projections {
		for g, free := range projected.free {
			for _, i := range projected.groups.of(uint32(g)) {
				if free && d.clients.alone[i] == 0 && price <= d.clients.ceiling[i] {
					d.clients.ceiling[i], d.clients.alone[i] = price, projected.set
				}
			}
		}
	}
	for _, projected := range projections {
		for g, free := range projected.free {
			members := projected.groups.of(uint32(g))
			if !free && slices.ContainsFunc(members, func(i uint32) bool { return d.clients.ceiling[i] > price }) {
				c.add(price, members)
				d.sets = append(d.sets, projected.set)
			}
		}
	}
}
