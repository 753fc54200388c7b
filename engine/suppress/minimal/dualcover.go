package minimal

import "sync"

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
	if len(c.start) == 0 {
		c.start = append(c.start, 0)
	}
	c.price, c.must = append(c.price, price), append(c.must, must)
	c.who = append(c.who, members...)
	c.start = append(c.start, uint32(len(c.who)))
}

// taking goes through groups and sees whom they would take at a pay. It belongs to one goroutine.
type taking struct {
	c     *cover
	pay   []int64
	taken []int64  // per chooser: records
	fill  []filler // those whom the last group takes at a loss, least loss first
	held  int64    // records of fill
	gain  int64    // what the last group makes, negative if it is a gain
	eager int64    // records whom the last group takes at a gain
}

// filler is a chooser whom a group takes at a loss.
type filler struct {
	loss    int64
	chooser uint32
}

// weigh finds out what a group makes of its members: all at a gain, and as many of the others as it needs to have k
// records. It reports whether it has so many. With nobody at a gain it is not looked further unless thorough.
func (t *taking) weigh(g int, thorough bool) bool {
	price, members := t.c.price[g]*payParts, t.c.members(g)
	t.gain, t.eager, t.held, t.fill = 0, 0, 0, t.fill[:0]
	for _, i := range members {
		if pay := t.pay[i]; pay > price {
			n := t.c.records[i]
			t.gain += (price - pay) * n
			t.eager += n
		}
	}
	if t.eager >= t.c.k {
		return true
	}
	if t.eager == 0 && !thorough {
		return false
	}
	needed := t.c.k - t.eager
	t.fillers(members, price, needed)
	if t.held < needed {
		return false
	}
	for _, f := range t.fill {
		n := min(needed, t.c.records[f.chooser])
		t.gain += f.loss * n
		needed -= n
	}
	return true
}

// fillers lists the members that so many more records cost least from, cheapest first.
func (t *taking) fillers(members []uint32, price, needed int64) {
	most := infinite
	for _, i := range members {
		loss := price - t.pay[i]
		if loss < 0 || loss >= most {
			continue
		}
		at := len(t.fill)
		t.fill = append(t.fill, filler{})
		for ; at > 0 && t.fill[at-1].loss > loss; at-- {
			t.fill[at] = t.fill[at-1]
		}
		t.fill[at] = filler{loss, i}
		t.held += t.c.records[i]
		last := len(t.fill) - 1
		for ; t.held-t.c.records[t.fill[last].chooser] >= needed; last-- {
			t.held -= t.c.records[t.fill[last].chooser]
			t.fill = t.fill[:last]
		}
		if t.held >= needed {
			most = t.fill[last].loss
		}
	}
}

// take lets a group take whom it would, and returns what it makes. One that would lose takes nobody unless it must.
func (t *taking) take(g int) int64 {
	if !t.weigh(g, t.c.must[g]) || t.gain >= 0 && !t.c.must[g] {
		return 0
	}
	price := t.c.price[g] * payParts
	if t.eager > 0 {
		for _, i := range t.c.members(g) {
			if t.pay[i] > price {
				t.taken[i] += t.c.records[i]
			}
		}
	}
	needed := t.c.k - t.eager
	for _, f := range t.fill {
		n := min(needed, t.c.records[f.chooser])
		t.taken[f.chooser] += n
		needed -= n
	}
	return t.gain
}

// evaluate returns the value of a pay, in parts: a lower bound. It sets, per chooser, the slope: the records that are
// not taken, less those taken more than once. used notes for each group how often it takes lately, of 1<<usedBits.
func (c *cover) evaluate(takings []*taking, pay, slope []int64, used []int32) int64 {
	var value int64
	for i, n := range c.records {
		slope[i] = n
		value += n * pay[i]
	}
	workers := max(1, min(len(takings), len(c.who)>>14))
	gains := make([]int64, workers)
	run := func(w int) {
		t := takings[w]
		t.c, t.pay = c, pay
		clear(t.taken)
		for g := c.groups() * w / workers; g < c.groups()*(w+1)/workers; g++ {
			gain := t.take(g)
			gains[w] += gain
			used[g] -= used[g] >> usedRate
			if gain < 0 || c.must[g] {
				used[g] += 1 << (usedBits - usedRate)
			}
		}
	}
	if workers == 1 {
		run(0)
	} else {
		var running sync.WaitGroup
		for w := range workers {
			running.Go(func() { run(w) })
		}
		running.Wait()
	}
	for w := range workers {
		value += gains[w]
		for i, n := range takings[w].taken {
			slope[i] -= n
		}
	}
	return value
}

// How often groups take lately.
const (
	usedBits = 16
	usedRate = 5
)
