package minimal

// part is a piece of a cover that is solved by itself.
type part struct {
	cover   *cover
	chooser []uint32 // per chooser: its number in the whole
	group   []uint32 // per group: its number in the whole
	pay     []int64  // per chooser: a pay to start from
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
func newFixing(c *cover, pay []int64, gap int64) *fixing {
	f := &fixing{
		c: c, gap: gap, possible: gap >= 0,
		must: append([]bool(nil), c.must...), out: make([]bool, c.groups()), barred: make([]bool, len(c.who)),
		ceiling: append([]int64(nil), c.ceiling...), options: make([]int32, len(c.records)),
	}
	t := &taking{c: c, pay: pay}
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
		loss := max(0, price-t.pay[i])
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
func (f *fixing) split(whole *part, pay []int64) []*part {
	c := f.c
	root := make([]uint32, len(c.records))
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
	for g := range c.groups() {
		first := unsettled
		for at := c.start[g]; at < c.start[g+1]; at++ {
			if f.barred[at] {
				continue
			}
			if i := find(c.who[at]); first == unsettled {
				first = i
			} else {
				root[max(i, first)], first = min(i, first), min(i, first)
			}
		}
	}
	parts, place := []*part(nil), make([]uint32, len(c.records))
	number := make([]int32, len(c.records)) // of the part, per chooser
	for i := range c.records {
		top := find(uint32(i))
		if top == uint32(i) {
			number[i] = int32(len(parts))
			parts = append(parts, &part{cover: &cover{k: c.k, dearest: c.dearest, start: []uint32{0}}})
		}
		number[i] = number[top]
		to := parts[number[i]]
		place[i] = uint32(len(to.chooser))
		to.chooser, to.pay = append(to.chooser, whole.chooser[i]), append(to.pay, pay[i])
		to.cover.records, to.cover.ceiling = append(to.cover.records, c.records[i]), append(to.cover.ceiling, f.ceiling[i])
		most := c.most[i]
		if c.ceiling[i] != f.ceiling[i] {
			most = c.dearest
		}
		to.cover.most = append(to.cover.most, most)
	}
	f.share(whole, parts, number, place)
	return parts
}

// share gives every part its groups.
func (f *fixing) share(whole *part, parts []*part, number []int32, place []uint32) {
	var members []uint32
	for g := range f.c.groups() {
		if f.out[g] {
			continue
		}
		members = members[:0]
		var to *part
		for at := f.c.start[g]; at < f.c.start[g+1]; at++ {
			if i := f.c.who[at]; !f.barred[at] {
				to = parts[number[i]]
				members = append(members, place[i])
			}
		}
		to.cover.add(f.c.price[g], f.must[g], members)
		to.group = append(to.group, whole.group[g])
	}
}
