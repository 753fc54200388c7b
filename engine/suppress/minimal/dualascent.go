package minimal

import "sync"

// ascent is the state of the subgradient method.
type ascent struct {
	pay       []int64 // per chooser: where it is
	slope     []int64 // per chooser: records not yet taken by groups, at pay
	direction []int64 // per chooser: slopes so far, later ones counting more
	share     int64   // part of the distance to the target that a step covers, of 1<<shareBits
	best      int64   // value of the best step
	still     int     // steps since, or since the share was lowered
}

// How an ascent goes.
const (
	shareBits     = 16 // of the share's fraction
	smallestShare = 16 // which a share does not go below
	patience      = 12 // steps without gain after which the share is lowered
	directionBits = 4  // of a direction's fraction
)

// newAscent starts an ascent over so many choosers.
func newAscent(choosers int) ascent {
	return ascent{
		pay: make([]int64, choosers), slope: make([]int64, choosers), direction: make([]int64, choosers),
		share: 1 << shareBits,
	}
}

// step evaluates where the ascent is and moves on.
func (d *dual) step() {
	a := &d.ascent
	value := d.evaluate(a.pay, a.slope)
	if value > a.best {
		a.best, a.still = value, 0
	} else if a.still++; a.still >= patience {
		a.still = 0
		a.share = max(a.share*7/8, smallestShare)
	}
	if value > d.value {
		d.value = value
		copy(d.pay, a.pay)
	}
	d.move(d.target() - value)
}

// target is the value that the ascent aims at.
func (d *dual) target() int64 {
	if d.aim > 0 {
		return (d.aim + d.homes) * payParts
	}
	return d.value + d.value/100 + payParts
}

// move changes the pay along the direction, by the share of the distance that is left.
func (d *dual) move(distance int64) {
	a := &d.ascent
	norm := 0.0
	for i, slope := range a.slope {
		a.direction[i] = a.direction[i]*7/8 + slope<<directionBits
		if a.pay[i] >= d.most[i] && a.direction[i] > 0 {
			a.direction[i] = 0
		}
		it := float64(a.direction[i])
		norm += float64(it * it)
	}
	if norm == 0 || distance <= 0 {
		return
	}
	length := float64(a.share) / (1 << shareBits) * float64(distance) * (1 << directionBits) / norm
	for i, slope := range a.direction {
		a.pay[i] = max(0, min(d.most[i], a.pay[i]+int64(length*float64(slope))))
	}
}

// evaluate returns the value of a pay, in parts, and the slope for each chooser.
func (d *dual) evaluate(pay, slope []int64) int64 {
	var value int64
	for i, n := range d.choosers.records {
		slope[i] = n
		value += n * pay[i]
	}
	groups := d.groups.groups()
	workers := max(1, min(len(d.e.projectors), len(d.groups.who)>>14))
	gains := make([]int64, workers)
	taken := make([][]int64, workers)
	var running sync.WaitGroup
	for w := range workers {
		running.Go(func() {
			taken[w] = make([]int64, len(pay))
			t := &taking{d: d, pay: pay, taken: taken[w]}
			for g := groups * w / workers; g < groups*(w+1)/workers; g++ {
				gains[w] += t.take(g)
			}
		})
	}
	running.Wait()
	for w := range workers {
		value += gains[w]
		for i, n := range taken[w] {
			slope[i] -= n
		}
	}
	return value
}

// taking goes through groups and notes whom they take.
type taking struct {
	d     *dual
	pay   []int64
	taken []int64  // per chooser: records
	fill  []filler // reused
}

// filler is a chooser whom a group takes at a loss.
type filler struct {
	loss    int64
	chooser uint32
}

// take returns what the group makes of its members, negative or 0, and notes whom it takes.
func (t *taking) take(g int) int64 {
	price := t.d.groups.price[g] * payParts
	members := t.d.groups.members(g)
	var gain, records int64
	for _, c := range members {
		if t.pay[c] > price {
			n := t.d.choosers.records[c]
			gain += (price - t.pay[c]) * n
			records += n
		}
	}
	if records == 0 {
		return 0
	}
	k := t.d.e.in.k
	t.fill = t.fill[:0]
	if records < k {
		t.fillers(members, price, k-records)
		for _, f := range t.fill {
			n := min(k-records, t.d.choosers.records[f.chooser])
			gain += f.loss * n
			records += n
		}
	}
	if gain >= 0 {
		return 0
	}
	records = 0
	for _, c := range members {
		if t.pay[c] > price {
			t.taken[c] += t.d.choosers.records[c]
			records += t.d.choosers.records[c]
		}
	}
	for _, f := range t.fill {
		n := min(k-records, t.d.choosers.records[f.chooser])
		t.taken[f.chooser] += n
		records += n
	}
	return gain
}

// fillers lists the members that so many more records cost least from, cheapest first.
func (t *taking) fillers(members []uint32, price, records int64) {
	most := infinite
	var held int64
	for _, c := range members {
		loss := price - t.pay[c]
		if loss < 0 || loss >= most {
			continue
		}
		at := len(t.fill)
		t.fill = append(t.fill, filler{})
		for ; at > 0 && t.fill[at-1].loss > loss; at-- {
			t.fill[at] = t.fill[at-1]
		}
		t.fill[at] = filler{loss, c}
		held += t.d.choosers.records[c]
		for last := len(t.fill) - 1; held-t.d.choosers.records[t.fill[last].chooser] >= records; last-- {
			held -= t.d.choosers.records[t.fill[last].chooser]
			t.fill = t.fill[:last]
		}
		if held >= records {
			most = t.fill[len(t.fill)-1].loss
		}
	}
}
