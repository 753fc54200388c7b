package minimal

import (
	"cmp"
	"context"
	"slices"
)

// The bounds of the exact search, in places tried: so results are the same on every machine.
const (
	exactRecords = 24      // records that a part may have
	partTries    = 1 << 16 // in one part
	exactTries   = 1 << 22 // in all
)

// exactParts are the parts of a cover that can do with less than a solution that is known.
type exactParts struct {
	bundles []uint32        // of their clients
	keys    map[uint32]bool // of the clients
	choices []choice        // of the cheapest solutions of all these parts
	price   int64           // of the choices
}

// solveParts finds the cheapest solution of every part of the cover that is small enough, by trying where each record
// may be served; the bound is raised to it. group, per bundle, is a solution that is known. Errors: that of ctx.
func (d *dual) solveParts(ctx context.Context, group []uint32) (*exactParts, error) {
	out := &exactParts{keys: map[uint32]bool{}}
	search := newExactSearch(d)
	known := make([]int64, len(d.clients.key)) // per client: the price of its records in the solution
	for b, g := range group {
		known[d.clients.of[b]] += d.e.in.price[g] * int64(d.e.in.bundles[b].weight)
	}
	work := d.e.p.share(exactTries)
	clients := listsOf(len(d.optimum), d.part, nil)
	for part := range d.optimum {
		if part%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if work < 0 || !search.begin(clients.of(uint32(part)), known) {
			continue
		}
		search.place(0, 0)
		if work -= partTries - search.tries; search.tries < 0 {
			continue
		}
		d.optimum[part] = search.best
		if len(search.bestGroups) > 0 {
			out.price += search.best
			for i, record := range search.records {
				out.choices = append(out.choices, d.choiceOf(record.client, search.bestGroups[i]))
				out.keys[d.clients.key[record.client]] = true
			}
		}
	}
	out.choices = gather(out.choices)
	for b := range group {
		if out.keys[d.e.in.bundles[b].key] {
			out.bundles = append(out.bundles, uint32(b))
		}
	}
	return out, nil
}

// choiceOf returns the choice of one record of a client that is served by a group or, where that is unassigned, alone.
func (d *dual) choiceOf(client, group uint32) choice {
	set := d.clients.alone[client]
	if group != unassigned {
		set = d.sets[group]
	}
	return choice{key: d.clients.key[client], set: set, count: 1}
}

// exactSearch tries all solutions of a part: record by record, each in the groups of its client and alone, as long as a
// solution cheaper than the best one known remains possible. It is depth first branch and bound.
type exactSearch struct {
	d        *dual
	groups   lists   // per client: its groups
	size     []int64 // per group: records placed
	possible []int64 // per group: records that may still be placed
	records  []placedRecord
	tries    int64

	price      int64    // of the records placed
	best       int64    // the price below which solutions are looked for
	bestGroups []uint32 // per record: its group in the best solution, unassigned for alone; empty where none is found
}

// placedRecord is a record of a part with the places it may have.
type placedRecord struct {
	client uint32
	places []place // cheapest first
	at     int     // its place
	rest   int64   // the least price of this and all later records
}

// place is a group, or unassigned for alone, with its price.
type place struct {
	group uint32
	price int64
}

// newExactSearch prepares for the parts of d.
func newExactSearch(d *dual) *exactSearch {
	groups := len(d.cover.price)
	return &exactSearch{d: d, groups: d.cover.groups.inverted(len(d.clients.key)), size: make([]int64, groups), possible: make([]int64, groups)}
}

// begin takes up a part, given its clients and what all clients cost in a solution. It reports whether the part is small
// enough and all places of its records are known.
func (s *exactSearch) begin(clients []uint32, prices []int64) bool {
	s.records, s.bestGroups, s.price, s.best, s.tries = s.records[:0], s.bestGroups[:0], 0, 0, partTries
	var records int64
	for _, i := range clients {
		records += s.d.clients.records[i]
		s.best += prices[i]
		if s.d.clients.ceiling[i] < unlimited && s.d.clients.alone[i] == 0 {
			return false // groups above the ceiling are not known
		}
	}
	if records > exactRecords {
		return false
	}
	for _, i := range clients {
		for _, g := range s.groups.of(i) {
			s.size[g], s.possible[g] = 0, 0
		}
	}
	for _, i := range clients {
		s.enter(i)
	}
	var rest int64
	for at := len(s.records) - 1; at >= 0; at-- {
		rest += s.records[at].places[0].price
		s.records[at].rest = rest
	}
	return true
}

// enter adds the records of a client. Each has a place: the part has a solution.
func (s *exactSearch) enter(client uint32) {
	var places []place
	for _, g := range s.groups.of(client) {
		s.possible[g] += s.d.clients.records[client]
		places = append(places, place{g, s.d.cover.price[g]})
	}
	if ceiling := s.d.clients.ceiling[client]; ceiling < unlimited {
		places = append(places, place{unassigned, ceiling})
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.price, b.price) })
	for range s.d.clients.records[client] {
		s.records = append(s.records, placedRecord{client: client, places: places})
	}
}

// place places the records from one on; the first of these in a place not before from, so that records of one client,
// which are alike, are not tried in every order.
func (s *exactSearch) place(record, from int) {
	if record == len(s.records) {
		s.best = s.price
		s.bestGroups = s.bestGroups[:0]
		for i := range s.records {
			s.bestGroups = append(s.bestGroups, s.records[i].places[s.records[i].at].group)
		}
		return
	}
	r := &s.records[record]
	groups := s.groups.of(r.client)
	for _, g := range groups {
		s.possible[g]--
	}
	for at := from; at < len(r.places); at++ {
		to := r.places[at]
		if s.tries--; s.tries < 0 || s.price+to.price-r.places[0].price+r.rest >= s.best {
			break
		}
		r.at = at
		s.price += to.price
		if to.group != unassigned {
			s.size[to.group]++
		}
		if s.holds(groups) {
			s.place(record+1, s.first(record+1, at))
		}
		s.price -= to.price
		if to.group != unassigned {
			s.size[to.group]--
		}
	}
	for _, g := range groups {
		s.possible[g]++
	}
}

// first returns the first place of a record, given that of the one before it.
func (s *exactSearch) first(record, before int) int {
	if record < len(s.records) && s.records[record].client == s.records[record-1].client {
		return before
	}
	return 0
}

// holds reports whether all groups in use can still have k records.
func (s *exactSearch) holds(groups []uint32) bool {
	for _, g := range groups {
		if s.size[g] > 0 && s.size[g]+s.possible[g] < s.d.cover.k {
			return false
		}
	}
	return true
}
