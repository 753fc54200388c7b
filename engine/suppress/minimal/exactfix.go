package minimal

import "slices"

// part is a piece of a cover that is solved by itself.
type part struct {
	cover   *cover
	chooser []uint32 // per chooser: its number in the whole
	group   []uint32 // per group: its number in the whole
	offer   offer    // to start from
}

// fixing finds out what no solution below a price can do, by what it would cost above the bound: groups that nobody
// uses, groups that are in use, choosers who are not in some group, or not alone.
type fixing struct {
	c        *cover
	gap      int64 // what a solution may cost above the bound, in parts
	must     []bool
	out      []bool  // per group: nobody uses it
	barred   []bool  // per place in who: that chooser is not in that group
	ceiling  []int64 // per chooser
	options  []int32 // per chooser: groups that it may be in
	possible bool    // there may be such a solution
}

// newFixing looks at every group at the given pay.
func newFixing(a *ascent, gap int64) *fixing {
	c, pay := a.c, a.best.pay
	f := unfixed(c)
	f.gap, f.possible = gap, gap >= 0
	a.charges.charge(c, a.best)
	t := &taking{c: c, pay: pay, charges: &a.charges}
	for g := range c.groups() {
		f.judge(t, g)
	}
	for i, ceiling := range c.ceiling {
		if ceiling < unlimited && ceiling*payParts-pay[i] > gap {
			f.ceiling[i] = unlimited
		}
	}
	f.oblige()
	return f
}

// unfixed fixes nothing.
func unfixed(c *cover) *fixing {
	return &fixing{
		c: c, possible: true,
		must: slices.Clone(c.must), out: make([]bool, c.groups()), barred: make([]bool, len(c.who)),
		ceiling: slices.Clone(c.ceiling), options: make([]int32, len(c.records)),
	}
}

// judge looks at one group and its members.
func (f *fixing) judge(t *taking, g int) {
	if !t.weigh(g, true) {
		f.close(g)
		return
	}
	without := min(t.gain, 0)
	if f.must[g] {
		without = t.gain
	}
	if t.gain-without > f.gap {
		f.close(g)
		return
	}
	if -t.gain > f.gap {
		f.must[g] = true
	}
	replaced := int64(0) // what is saved by a record that another takes the place of
	if len(t.fill) > 0 {
		replaced = t.fill[len(t.fill)-1].loss
	}
	price, records := f.c.price[g]*payParts, int64(0)
	for at := f.c.start[g]; at < f.c.start[g+1]; at++ {
		i := f.c.who[at]
		loss := max(0, t.loss(price, at, t.charges.discounted[g]))
		if t.gain-without+max(0, loss-replaced) > f.gap {
			f.barred[at] = true
			continue
		}
		records += f.c.records[i]
	}
	if records < f.c.k {
		f.close(g)
	}
}

// close takes a group out of use.
func (f *fixing) close(g int) {
	f.possible = f.possible && !f.must[g]
	f.out[g] = true
	for at := f.c.start[g]; at < f.c.start[g+1]; at++ {
		f.barred[at] = true
	}
}

// oblige puts the groups in use that are the only choice of somebody.
func (f *fixing) oblige() {
	for at, i := range f.c.who {
		if !f.barred[at] {
			f.options[i]++
		}
	}
	for i, n := range f.options {
		if n == 0 && f.ceiling[i] == unlimited {
			f.possible = false
		}
	}
	for g := range f.c.groups() {
		for at := f.c.start[g]; at < f.c.start[g+1] && !f.must[g]; at++ {
			i := f.c.who[at]
			f.must[g] = !f.barred[at] && f.options[i] == 1 && f.ceiling[i] == unlimited
		}
	}
}

// split returns what remains, in parts that have no group in common; whoever has no choice left but to be alone is a
// part without groups.
func (f *fixing) split(whole *part, from offer) []*part {
	s := &splitting{f: f, whole: whole, from: from, number: f.connected()}
	s.place, s.group, s.at = make([]uint32, len(f.c.records)), make([]uint32, f.c.groups()), make([]uint32, len(f.c.who))
	for i, number := range s.number {
		if int(number) == len(s.parts) {
			s.parts = append(s.parts, &part{cover: &cover{k: f.c.k, dearest: f.c.dearest, start: []uint32{0}}})
		}
		s.addChooser(i, s.parts[number])
	}
	for g := range f.c.groups() {
		if !f.out[g] {
			s.addGroup(g)
		}
	}
	for i := range f.c.cuts {
		s.addCut(i)
	}
	return s.parts
}

// connected numbers the parts and returns the number of each chooser's. Parts are numbered by their first chooser.
func (f *fixing) connected() []uint32 {
	root := make([]uint32, len(f.c.records))
	for i := range root {
		root[i] = uint32(i)
	}
	find := func(i uint32) uint32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for g := range f.c.groups() {
		first := unsettled
		for at := f.c.start[g]; at < f.c.start[g+1]; at++ {
			if f.barred[at] {
				continue
			}
			if i := find(f.c.who[at]); first == unsettled {
				first = i
			} else {
				root[max(i, first)], first = min(i, first), min(i, first)
			}
		}
	}
	number, parts := make([]uint32, len(root)), uint32(0)
	for i := range root {
		if top := find(uint32(i)); top != uint32(i) {
			number[i] = number[top]
		} else {
			number[i], parts = parts, parts+1
		}
	}
	return number
}

// splitting makes parts of what a fixing leaves.
type splitting struct {
	f      *fixing
	whole  *part
	from   offer
	parts  []*part
	number []uint32 // per chooser: its part
	place  []uint32 // per chooser: its number there
	group  []uint32 // per group: its number in its part
	at     []uint32 // per place in who: its place there
}

// addChooser adds a chooser to its part.
func (s *splitting) addChooser(i int, to *part) {
	c := s.f.c
	s.place[i] = uint32(len(to.chooser))
	to.chooser, to.offer.pay = append(to.chooser, s.whole.chooser[i]), append(to.offer.pay, s.from.pay[i])
	to.cover.records, to.cover.ceiling = append(to.cover.records, c.records[i]), append(to.cover.ceiling, s.f.ceiling[i])
	most := c.most[i]
	if c.ceiling[i] != s.f.ceiling[i] {
		most = c.dearest
	}
	to.cover.most = append(to.cover.most, most)
}

// addGroup adds a group to its part.
func (s *splitting) addGroup(g int) {
	var members []uint32
	var to *part
	for at := s.f.c.start[g]; at < s.f.c.start[g+1]; at++ {
		if s.f.barred[at] {
			continue
		}
		i := s.f.c.who[at]
		to = s.parts[s.number[i]]
		s.at[at] = uint32(len(to.cover.who) + len(members))
		members = append(members, s.place[i])
	}
	s.group[g] = uint32(to.cover.groups())
	to.cover.add(s.f.c.price[g], s.f.must[g], members)
	to.group = append(to.group, s.whole.group[g])
}

// addCut adds a cut to the part that has all that is left of its groups, if there is one.
func (s *splitting) addCut(number int) {
	from := s.f.c.cuts[number]
	it := inequality{weight: from.weight, most: from.most}
	var to *part
	for _, g := range from.groups {
		if s.f.out[g] {
			continue
		}
		own := s.partOf(g)
		if to != nil && to != own {
			return
		}
		to = own
		it.groups = append(it.groups, s.group[g])
	}
	if to == nil {
		return
	}
	for _, at := range from.places {
		if !s.f.barred[at] {
			it.places = append(it.places, s.at[at])
		}
	}
	to.cover.cuts = append(to.cover.cuts, it)
	to.offer.price = append(to.offer.price, s.from.price[number])
}

// partOf returns the part of a group that is not out of use.
func (s *splitting) partOf(g uint32) *part {
	at := s.f.c.start[g]
	for s.f.barred[at] {
		at++
	}
	return s.parts[s.number[s.f.c.who[at]]]
}
