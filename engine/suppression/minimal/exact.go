package minimal

import (
	"cmp"
	"slices"
)

// Limits on the exact search, so that results are the same on every machine.
const (
	exactRecords = 24      // records that must choose
	exactTries   = 1 << 16 // placements tried
)

// optimum finds the cheapest choices of a problem of few records by branch and bound. price is that of a known
// solution; choices is nil if no cheaper one exists. ok reports whether the search was exhaustive.
func (d *dual) optimum(price int64) (choices []choice, ok bool) {
	search := newExactSearch(d, price+d.missing)
	if !search.begin() {
		return nil, false
	}
	search.place(0, 0)
	for i, g := range search.bestGroups {
		client := search.records[i].client
		set := d.clients.alone[client]
		if g != unassigned {
			set = d.sets[g]
		}
		choices = append(choices, choice{key: d.clients.key[client], set: set, count: 1})
	}
	return gather(choices), search.tries >= 0
}

// exactSearch is a depth-first branch and bound over all solutions. It places record after record in the groups of
// its client or by itself, as long as a solution cheaper than the best one remains possible.
type exactSearch struct {
	d        *dual
	groups   lists   // per client: its groups
	size     []int64 // per group: records placed
	possible []int64 // per group: records not yet placed that may be placed in it
	records  []placedRecord
	tries    int64

	price      int64    // of the records placed so far
	best       int64    // price that a solution must beat
	bestGroups []uint32 // per record: its group in the best solution, or unassigned if served by itself; empty if none is found
}

// placedRecord is a record with its possible places.
type placedRecord struct {
	client uint32
	places []place // cheapest first
	at     int     // index of the current place
	rest   int64   // minimum price of this and all later records
}

// place is a group, or unassigned for a record served by itself, with its price.
type place struct {
	group uint32
	price int64
}

// newExactSearch searches for solutions below a price.
func newExactSearch(d *dual, price int64) *exactSearch {
	groups := len(d.cover.price)
	return &exactSearch{
		d: d, groups: d.cover.groups.inverted(len(d.clients.key)), best: price, tries: exactTries,
		size: make([]int64, groups), possible: make([]int64, groups),
	}
}

// begin sets up the records. It reports whether they are few enough and all their places are known.
func (s *exactSearch) begin() bool {
	var records int64
	for i, n := range s.d.clients.records {
		if records += n; records > exactRecords || s.d.clients.ceiling[i] < unlimited && s.d.clients.alone[i] == 0 {
			return false // groups above the ceiling are not known
		}
	}
	for i := range s.d.clients.records {
		s.enter(uint32(i))
	}
	var rest int64
	for at := len(s.records) - 1; at >= 0; at-- {
		rest += s.records[at].places[0].price
		s.records[at].rest = rest
	}
	return true
}

// enter adds the records of a client. Each has at least one place, because a solution exists.
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

// place places the records from the given one on. The first of them uses no place before from: records of one
// client are interchangeable, so only one order of them is tried.
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

// first returns the first place to try for a record, given the place of the record before it.
func (s *exactSearch) first(record, before int) int {
	if record < len(s.records) && s.records[record].client == s.records[record-1].client {
		return before
	}
	return 0
}

// holds reports whether all groups in use can still reach k records.
func (s *exactSearch) holds(groups []uint32) bool {
	for _, g := range groups {
		if s.size[g] > 0 && s.size[g]+s.possible[g] < s.d.cover.k {
			return false
		}
	}
	return true
}
