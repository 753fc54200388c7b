package minimal

import (
	"context"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// The bounds on the groups of a dual, in units of work: so results are the same on every machine.
const (
	dualVisits = 48 << 20 // choosers and staying keys looked at, in all
	dualHeld   = 12 << 20 // members of groups kept, in all
	dualBatch  = 64       // sets looked at together

	dualFew   = 1 << 15 // up to so many, choosers look at all groups;
	dualSlack = 4       // more of them at groups up to so many dearest cells above their bound
)

// choosers are the keys whose records must choose a set, with what is known of each.
type choosers struct {
	key     []uint32
	home    []uint64 // the variables missing from the start
	records []int64
	bound   []int64  // price of the cheapest set, or less
	ceiling []int64  // a price at which a record may count as settled alone, below which all groups are known; or unlimited
	alone   []uint64 // a set of that price by which it is settled alone, or 0 where there is none
}

// choosersOf gathers the bundles of e by key.
func choosersOf(e *enumeration) choosers {
	var c choosers
	for b, it := range e.in.bundles {
		last := len(c.key) - 1
		if last < 0 || c.key[last] != it.key {
			c.key, c.home = append(c.key, it.key), append(c.home, e.in.home[b])
			c.records, c.bound = append(c.records, 0), append(c.bound, infinite)
			last++
		}
		c.records[last] += int64(it.weight)
		c.bound[last] = min(c.bound[last], max(0, e.bound[b]))
	}
	c.ceiling, c.alone = make([]int64, len(c.key)), make([]uint64, len(c.key))
	return c
}

// gatherer fills a dual's groups: it goes through the sets by price until every chooser has reached its ceiling. What
// the bounded work leaves out lowers ceilings, so that the bound stays one.
type gatherer struct {
	e          *enumeration
	choosers   *choosers
	cover      *cover
	sets       []uint64 // per group
	projectors []*dualProjector
}

// gather goes through the sets.
func (d *gatherer) gather(ctx context.Context) error {
	d.raiseCeilings()
	active := make([]uint32, len(d.choosers.key))
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
			if work < 0 || len(d.cover.who) > most {
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

// raiseCeilings sets every ceiling as far above the bound as choosers look.
func (d *gatherer) raiseCeilings() {
	few := d.e.p.ofWhole(len(d.choosers.key)) <= dualFew
	slack := dualSlack * int64(slices.Max(d.e.p.Price))
	for i, bound := range d.choosers.bound {
		if d.choosers.ceiling[i] = unlimited; !few {
			d.choosers.ceiling[i] = bound + slack
		}
	}
}

// lowerCeilings notes that nothing is known of groups from a price on.
func (d *gatherer) lowerCeilings(price int64) {
	c := d.choosers
	for i, bound := range c.bound {
		// No group cheaper than its bound can be used by a chooser.
		if c.ceiling[i] > max(price, bound) {
			c.ceiling[i], c.alone[i] = max(price, bound), 0
		}
	}
}

// above returns those of the active choosers whose ceiling lies above the price.
func (d *gatherer) above(active []uint32, price int64) []uint32 {
	still := active[:0]
	for _, i := range active {
		if d.choosers.ceiling[i] > price {
			still = append(still, i)
		}
	}
	return still
}

// take adds the groups of some sets of one price.
func (d *gatherer) take(ctx context.Context, price int64, sets []uint64) error {
	out := make([]dualProjection, len(sets))
	var next atomic.Int64
	var running sync.WaitGroup
	for _, j := range d.projectors[:min(len(d.projectors), len(sets))] {
		running.Go(func() {
			for at := next.Add(1) - 1; at < int64(len(sets)) && ctx.Err() == nil; at = next.Add(1) - 1 {
				out[at] = j.project(sets[at], price)
			}
		})
	}
	running.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for i := range out {
		for _, c := range out[i].free {
			if d.choosers.alone[c] == 0 && price <= d.choosers.ceiling[c] {
				d.choosers.ceiling[c], d.choosers.alone[c] = price, sets[i]
			}
		}
	}
	for i := range out {
		d.add(price, sets[i], &out[i])
	}
	return nil
}

// add keeps the groups that somebody below its ceiling may choose.
func (d *gatherer) add(price int64, set uint64, from *dualProjection) {
	for g := range len(from.start) - 1 {
		members := from.members[from.start[g]:from.start[g+1]]
		for _, c := range members {
			if d.choosers.ceiling[c] > price {
				d.cover.add(price, false, members)
				d.sets = append(d.sets, set)
				break
			}
		}
	}
}

// dualProjection is what blanking one set of variables makes of the choosers.
type dualProjection struct {
	start   []uint32 // per group, and one more
	members []uint32
	free    []uint32 // choosers with whom a staying key agrees
}

// dualProjector groups choosers by their values outside a set. It belongs to one goroutine.
type dualProjector struct {
	projector
	choosers *choosers
	records  []int64  // per group
	differ   []uint64 // per group and word: where its keys differ
	number   []uint32 // per group: its place among those kept, or unsettled
	wanted   []bool   // per group: somebody is below its ceiling
	in       []uint32 // per chooser: its group, or unsettled
}

// project groups all choosers whose missing variables are in set.
func (j *dualProjector) project(set uint64, price int64) dualProjection {
	c, kept := j.choosers, j.keys.keep(set)
	j.reset(len(c.key))
	j.records, j.differ, j.wanted, j.in = j.records[:0], j.differ[:0], j.wanted[:0], j.in[:0]
	for i, key := range c.key {
		g := unsettled
		if c.home[i]&^set == 0 {
			g = j.enterKey(key, kept)
			j.count(g, i, price)
		}
		j.in = append(j.in, g)
	}
	var out dualProjection
	j.release(set, kept, &out)
	j.keep(set, &out)
	return out
}

// count adds a chooser to its group.
func (j *dualProjector) count(g uint32, chooser int, price int64) {
	c, words := j.choosers, j.keys.words
	if int(g) == len(j.records) {
		j.records, j.wanted = append(j.records, 0), append(j.wanted, false)
		for range words {
			j.differ = append(j.differ, 0)
		}
	}
	j.records[g] += c.records[chooser]
	j.wanted[g] = j.wanted[g] || c.ceiling[chooser] > price
	first := j.keys.key(j.first[g])
	for w, word := range j.keys.key(c.key[chooser]) {
		j.differ[int(g)*words+w] |= word ^ first[w]
	}
}

// release names the choosers with whom a staying key agrees, or who are like all.
func (j *dualProjector) release(set uint64, kept []uint64, out *dualProjection) {
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
		if g != unsettled && j.records[g] < 0 {
			out.free = append(out.free, uint32(i))
		}
	}
}

// keep sorts the choosers into the groups worth keeping.
func (j *dualProjector) keep(set uint64, out *dualProjection) {
	j.number = j.number[:0]
	kept := uint32(0)
	for g, n := range j.records {
		if n < int64(j.k()) || !j.wanted[g] || j.dominated(g, set) {
			j.number = append(j.number, unsettled)
			continue
		}
		j.number = append(j.number, kept)
		kept++
	}
	out.start = make([]uint32, kept+1)
	for _, g := range j.in {
		if g != unsettled && j.number[g] != unsettled {
			out.start[j.number[g]+1]++
		}
	}
	for g := range kept {
		out.start[g+1] += out.start[g]
	}
	out.members = make([]uint32, out.start[kept])
	next := append([]uint32(nil), out.start...)
	for i, g := range j.in {
		if g != unsettled && j.number[g] != unsettled {
			at := &next[j.number[g]]
			out.members[*at] = uint32(i)
			*at++
		}
	}
}

// k returns how many records a group needs.
func (j *dualProjector) k() int64 { return j.projector.in.k }

// dominated reports whether all keys of a group have the same value on a blanked variable: the group that keeps it has
// the same members and is cheaper.
func (j *dualProjector) dominated(g int, set uint64) bool {
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
