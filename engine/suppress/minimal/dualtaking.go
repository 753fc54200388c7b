package minimal

// taking goes through groups and sees whom they would take. It belongs to one goroutine.
type taking struct {
	c       *cover
	pay     []int64
	charges *charges
	taken   []int64 // per chooser: records

	fill  []filler // those whom the last group takes at a loss, least loss first
	held  int64    // records of fill
	gain  int64    // what the last group makes, negative if it is a gain
	eager int64    // records whom the last group takes at a gain
}

// filler is a member whom a group takes at a loss.
type filler struct {
	loss int64
	at   uint32 // place in who
}

// loss returns what a group loses by a record of the member at a place.
func (t *taking) loss(price int64, at uint32, discounted bool) int64 {
	loss := price - t.pay[t.c.who[at]]
	if discounted {
		loss -= t.charges.discount[at]
	}
	return loss
}

// weigh finds out what a group makes of its members: all at a gain, and as many of the others as it needs to have k
// records. It reports whether it has so many. With nobody at a gain it is not looked further unless thorough.
func (t *taking) weigh(g int, thorough bool) bool {
	c, price, discounted := t.c, t.c.price[g]*payParts, t.charges.discounted[g]
	t.gain, t.eager, t.held, t.fill = t.charges.fee[g], 0, 0, t.fill[:0]
	for at := c.start[g]; at < c.start[g+1]; at++ {
		if loss := t.loss(price, at, discounted); loss < 0 {
			n := c.records[c.who[at]]
			t.gain += loss * n
			t.eager += n
		}
	}
	if t.eager >= c.k {
		return true
	}
	if t.eager == 0 && !thorough {
		return false
	}
	needed := c.k - t.eager
	t.fillers(g, needed)
	if t.held < needed {
		return false
	}
	for _, f := range t.fill {
		n := min(needed, c.records[c.who[f.at]])
		t.gain += f.loss * n
		needed -= n
	}
	return true
}

// fillers lists the members that so many more records cost least from, cheapest first.
func (t *taking) fillers(g int, needed int64) {
	c, price, discounted := t.c, t.c.price[g]*payParts, t.charges.discounted[g]
	most := infinite
	for place := c.start[g]; place < c.start[g+1]; place++ {
		loss := t.loss(price, place, discounted)
		if loss < 0 || loss >= most {
			continue
		}
		at := len(t.fill)
		t.fill = append(t.fill, filler{})
		for ; at > 0 && t.fill[at-1].loss > loss; at-- {
			t.fill[at] = t.fill[at-1]
		}
		t.fill[at] = filler{loss, place}
		t.held += c.records[c.who[place]]
		last := len(t.fill) - 1
		for ; t.held-t.records(last) >= needed; last-- {
			t.held -= t.records(last)
			t.fill = t.fill[:last]
		}
		if t.held >= needed {
			most = t.fill[last].loss
		}
	}
}

// records returns the records of one of fill.
func (t *taking) records(filler int) int64 { return t.c.records[t.c.who[t.fill[filler].at]] }

// take lets a group take whom it would and notes in x how many of each member. It reports whether it takes anybody: one
// that would lose does only if it must.
func (t *taking) take(g int, x []int32) bool {
	must := t.c.must[g]
	if !t.weigh(g, must) || t.gain >= 0 && !must {
		return false
	}
	c, price, discounted := t.c, t.c.price[g]*payParts, t.charges.discounted[g]
	for at := c.start[g]; at < c.start[g+1]; at++ {
		x[at] = 0
		if t.eager > 0 && t.loss(price, at, discounted) < 0 {
			t.give(at, c.records[c.who[at]], x)
		}
	}
	needed := c.k - t.eager
	for i, f := range t.fill {
		n := min(needed, t.records(i))
		t.give(f.at, n, x)
		needed -= n
	}
	return true
}

// give notes that records are taken at a place.
func (t *taking) give(at uint32, records int64, x []int32) {
	t.taken[t.c.who[at]] += records
	x[at] = int32(records)
}
