package minimal

import (
	"context"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// The bounds on the groups of a dual, in units of work: so results are the same on every machine.
const (
	dualVisits = 48 << 20 // clients and staying keys looked at, in all
	dualHeld   = 12 << 20 // members of groups kept, in all
	dualBatch  = 64       // sets looked at together

	dualFew   = 1 << 15 // up to so many, clients look at all groups;
	dualSlack = 4       // more of them at groups up to so many dearest cells above their bound
)

// clients are the keys whose records must choose a set, with what is known of each.
type clients struct {
	of      []uint32 // per bundle: its client
	key     []uint32
	missing []uint64 // the variables missing from the start
	records []int64
	bound   []int64  // price of the cheapest set, or less
	ceiling []int64  // a price at which a record may count as served alone, below which all groups are known; or unlimited
	alone   []uint64 // a set of that price by which it is served alone, or 0 where there is none
}

// clientsOf gathers the bundles of e by key.
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

// gatherer fills a dual's groups: it goes through the sets by price until every client has reached its ceiling. What
// the bounded work leaves out lowers ceilings, so that the bound stays one.
type gatherer struct {
	e          *enumeration
	clients    *clients
	cover      *cover
	sets       []uint64 // per group
	projectors []*clientProjector
}

// gather goes through the sets.
func (d *gatherer) gather(ctx context.Context) error {
	d.raiseCeilings()
	active := make([]uint32, len(d.clients.key))
	for i := range active {
		active[i] = uint32(i)
	}
	everything := int64(len(active) + len(d.e.staying))
	work := d.e.p.share(dualVisits)
	most := int(d.e.p.share(dualHeld))
	for sets := newSubsets(d.e.p); len(active) > 0; {
		price, batch, complete := sets.next(maxSets)
		if len(batch) == 0 {
			break
		}
		for len(batch) > 0 {
			few := batch[:min(dualBatch, len(batch))]
			batch = batch[len(few):]
			work -= int64(len(few)) * (everything + setVisits)
			if work < 0 || len(d.cover.groups.items) > most {
				batch, complete = nil, false
				break
			}
			if err := d.take(ctx, price, few); err != nil {
				return err
			}
		}
		if !complete {
			d.lowerCeilings(price)
			break
		}
		active = d.above(active, price)
	}
	return nil
}

// raiseCeilings sets every ceiling as far above the bound as clients look.
func (d *gatherer) raiseCeilings() {
	few := d.e.p.ofWhole(len(d.clients.key)) <= dualFew
	slack := dualSlack * int64(slices.Max(d.e.p.Price))
	for i, bound := range d.clients.bound {
		if d.clients.ceiling[i] = unlimited; !few {
			d.clients.ceiling[i] = bound + slack
		}
	}
}

// lowerCeilings notes that nothing is known of groups from a price on.
func (d *gatherer) lowerCeilings(price int64) {
	c := d.clients
	for i, bound := range c.bound {
		// No group cheaper than its bound can be used by a client.
		if c.ceiling[i] > max(price, bound) {
			c.ceiling[i], c.alone[i] = max(price, bound), 0
		}
	}
}

// above returns those of the active clients whose ceiling lies above the price.
func (d *gatherer) above(active []uint32, price int64) []uint32 {
	still := active[:0]
	for _, i := range active {
		if d.clients.ceiling[i] > price {
			still = append(still, i)
		}
	}
	return still
}

// take adds the groups of some sets of one price.
func (d *gatherer) take(ctx context.Context, price int64, sets []uint64) error {
	out := make([]clientProjection, len(sets))
	if err := parallel.Tasks(ctx, len(sets), min(len(d.projectors), len(sets)), func(worker, at int) {
		out[at] = d.projectors[worker].project(sets[at], price)
	}); err != nil {
		return err
	}
	for i := range out {
		for _, c := range out[i].free {
			if d.clients.alone[c] == 0 && price <= d.clients.ceiling[c] {
				d.clients.ceiling[c], d.clients.alone[c] = price, sets[i]
			}
		}
	}
	for i := range out {
		d.add(price, sets[i], &out[i])
	}
	return nil
}

// add keeps the groups that a client below its ceiling may choose.
func (d *gatherer) add(price int64, set uint64, from *clientProjection) {
	for g := range from.groups.len() {
		members := from.groups.of(uint32(g))
		if slices.ContainsFunc(members, func(c uint32) bool { return d.clients.ceiling[c] > price }) {
			d.cover.add(price, members)
			d.sets = append(d.sets, set)
		}
	}
}

// clientProjection is what blanking one set of variables makes of the clients.
type clientProjection struct {
	groups lists    // the clients of each group worth keeping
	free   []uint32 // clients with which a staying key agrees, or that are like all
}

// clientProjector groups clients by their values outside a set. It belongs to one goroutine.
type clientProjector struct {
	projector
	clients *clients
	records []int64  // per group
	differ  []uint64 // per group and word: where its keys differ
	number  []uint32 // per group: its place among those kept, or unassigned
	wanted  []bool   // per group: a client is below its ceiling
	in      []uint32 // per client: its group, or unassigned
}

// project groups all clients whose missing variables are in set.
func (j *clientProjector) project(set uint64, price int64) clientProjection {
	c, kept := j.clients, j.keys.keep(set)
	j.reset(len(c.key))
	j.records, j.differ, j.wanted, j.in = j.records[:0], j.differ[:0], j.wanted[:0], j.in[:0]
	for i, key := range c.key {
		g := unassigned
		if c.missing[i]&^set == 0 {
			g = j.enterKey(key, kept)
			j.count(g, i, price)
		}
		j.in = append(j.in, g)
	}
	var out clientProjection
	j.release(set, kept, &out)
	j.keep(set, &out)
	return out
}

// count adds a client to its group.
func (j *clientProjector) count(g uint32, client int, price int64) {
	c, words := j.clients, j.keys.words
	if int(g) == len(j.records) {
		j.records, j.wanted = append(j.records, 0), append(j.wanted, false)
		for range words {
			j.differ = append(j.differ, 0)
		}
	}
	j.records[g] += c.records[client]
	j.wanted[g] = j.wanted[g] || c.ceiling[client] > price
	first := j.keys.key(j.first[g])
	for w, word := range j.keys.key(c.key[client]) {
		j.differ[int(g)*words+w] |= word ^ first[w]
	}
}

// release names the clients with which a staying key agrees, or that are like all.
func (j *clientProjector) release(set uint64, kept []uint64, out *clientProjection) {
	if j.p.isLikeAll(set) {
		for g := range j.records {
			j.records[g] = -1
		}
	}
	for _, key := range j.staying {
		if g := j.slots[j.find(j.keys.fingerprint(key, kept), key, kept)]; g != 0 {
			j.records[g-1] = -1
		}
	}
	for i, g := range j.in {
		if g != unassigned && j.records[g] < 0 {
			out.free = append(out.free, uint32(i))
		}
	}
}

// keep sorts the clients into the groups worth keeping.
func (j *clientProjector) keep(set uint64, out *clientProjection) {
	j.number = j.number[:0]
	kept := 0
	for g, n := range j.records {
		if n < j.projector.in.k || !j.wanted[g] || j.dominated(g, set) {
			j.number = append(j.number, unassigned)
			continue
		}
		j.number = append(j.number, uint32(kept))
		kept++
	}
	for i, g := range j.in {
		if g != unassigned {
			j.in[i] = j.number[g]
		}
	}
	out.groups = listsOf(kept, j.in, nil)
}

// dominated reports whether all keys of a group have the same value on a blanked variable: the group that keeps it has
// the same members and is cheaper.
func (j *clientProjector) dominated(g int, set uint64) bool {
	words := j.keys.words
	key, differ := j.keys.key(j.first[g]), j.differ[g*words:(g+1)*words]
	for rest := set; rest != 0; rest &= rest - 1 {
		same, missing := true, true
		for w, field := range j.keys.field[bits.TrailingZeros64(rest)] {
			same = same && differ[w]&field == 0
			missing = missing && key[w]&field == 0
		}
		if same && !missing {
			return true
		}
	}
	return false
}
