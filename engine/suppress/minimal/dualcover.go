package minimal

import "slices"

// cover is the problem as a dual sees it: choosers, the groups that they may only use together, and the price at which
// each may be settled without others.
type cover struct {
	k       int64
	records []int64 // per chooser
	ceiling []int64 // per chooser: the price at which each of its records can be settled alone, or unlimited
	most    []int64 // per chooser, in parts of a price: the highest pay that can be of use
	dearest int64   // what a record and the others that it needs may cost together, in parts

	price []int64  // per group
	must  []bool   // per group: it is in use
	start []uint32 // per group, and one more: where its members begin
	who   []uint32 // members of all groups, numbers of choosers, ascending in each

	cuts []inequality
}

// unlimited is a ceiling above all prices.
const unlimited = int64(1) << 40

// payParts is the number of parts of a price in which pay is counted.
const payParts = 1 << 20

// groups returns the number of groups.
func (c *cover) groups() int { return len(c.price) }

// members returns the choosers that may be in a group.
func (c *cover) members(group int) []uint32 { return c.who[c.start[group]:c.start[group+1]] }

// add appends a group.
func (c *cover) add(price int64, must bool, members []uint32) {
	c.price, c.must = append(c.price, price), append(c.must, must)
	c.who = append(c.who, members...)
	c.start = append(c.start, uint32(len(c.who)))
}

// inequality is an inequality that every solution obeys: weight times the number of its groups that are in use, less the
// records at its places, is at most most.
//
// It is the mixed-integer rounding of a count of records: groups need k records each, and all that they have come from
// certain choosers with n records together or are at the cut's places. With r the remainder of n by k, weight is k-r
// and most is weight times the whole part of n/k; see Wolsey, Integer Programming, 8.7.
type inequality struct {
	groups []uint32
	places []uint32 // in who
	weight int64
	most   int64
}

// offer is what choosers are paid and what groups pay for the cuts that they are in, in parts of a price.
type offer struct {
	pay   []int64 // per chooser
	price []int64 // per cut, not negative
}

// clone returns a copy.
func (o offer) clone() offer { return offer{pay: slices.Clone(o.pay), price: slices.Clone(o.price)} }

// set copies another offer for the same cover.
func (o *offer) set(from offer) {
	copy(o.pay, from.pay)
	copy(o.price, from.price)
}

// charges says what an offer makes groups pay.
type charges struct {
	fee        []int64 // per group
	discount   []int64 // per place in who
	discounted []bool  // per group: there may be a discount at one of its places
	any        bool    // there are fees or discounts
}

// charge sums up what the cuts of a cover cost.
func (ch *charges) charge(c *cover, o offer) {
	if ch.fee == nil {
		ch.fee, ch.discount, ch.discounted = make([]int64, c.groups()), make([]int64, len(c.who)), make([]bool, c.groups())
	}
	if ch.any {
		clear(ch.fee)
		clear(ch.discount)
		ch.any = false
	}
	for i, it := range c.cuts {
		if o.price[i] == 0 {
			continue
		}
		ch.any = true
		for _, g := range it.groups {
			ch.fee[g] += o.price[i] * it.weight
		}
		for _, at := range it.places {
			ch.discount[at] += o.price[i]
		}
	}
}

// mark notes which groups have discounts.
func (ch *charges) mark(c *cover) {
	clear(ch.discounted)
	for _, it := range c.cuts {
		for _, g := range it.groups {
			ch.discounted[g] = true
		}
	}
}
