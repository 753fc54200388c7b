package streamed

// Plan is what deals come to for an engine that numbers the records of a key itself: of most groups
// all records stand in one row after the steps, of others each goes its way from deal to deal.
type Plan struct {
	Rows  []int32  // by group: the row of all of its records after the steps; -1: they are dealt out
	Keys  []uint32 // by group: the key in the first deal, of groups that are dealt out
	Cuts  [][]Cut  // by deal: where records of these groups go
	Parts []Part   // where the last deal is not counted yet: what Cut.After of it numbers
}

// Cut says where the records of a row go in a deal that have, by the order within its key, one of
// the numbers from First to Last, counted from 1.
type Cut struct {
	Row, First, Last uint32
	After            uint32 // row after the deal
	Key              uint32 // of that row in the next deal
}

// Part is a row before a deal that is not counted yet, and what records of it lose.
type Part struct {
	Row uint32
	set uint64
}

// NewPlan compiles the deals of steps for so many groups; nil ones are left out. All but the last
// must have been counted. Its rows, where it was not, are those before it.
func NewPlan(groups int, deals []*Deal) (*Plan, error) {
	trail := NewTrail(deals)
	p := &Plan{Rows: make([]int32, groups), Keys: make([]uint32, groups)}
	origins, dealt := [][]uint32{make([]uint32, groups)}, make([]bool, groups)
	for group := range groups {
		origins[0][group] = uint32(group)
	}
	for i, d := range trail.deals {
		if len(d.keys) != len(origins[i]) {
			return nil, ErrChanged
		}
		for row, key := range d.keys {
			dealt[origins[i][row]] = dealt[origins[i][row]] || len(d.runs[key]) > 1
		}
		if d.first != nil {
			origins = append(origins, d.originsOf(origins[i]))
		}
	}
	for group := range p.Rows {
		if p.Rows[group] = -1; len(trail.deals) > 0 {
			p.Keys[group] = trail.deals[0].keys[group]
		}
		if !dealt[group] {
			row, err := trail.whole(uint32(group))
			if err != nil {
				return nil, err
			}
			p.Rows[group] = int32(row)
		}
	}
	for i, d := range trail.deals {
		var next *Deal
		if i+1 < len(trail.deals) {
			next = trail.deals[i+1]
		}
		p.Cuts = append(p.Cuts, p.cutsOf(d, next, func(row uint32) bool { return dealt[origins[i][row]] }))
	}
	return p, nil
}

// originsOf returns for every row after the deal the group that it comes from.
func (d *Deal) originsOf(before []uint32) []uint32 {
	after := make([]uint32, len(d.sets))
	for row, group := range before {
		for at := d.first[row]; at < d.first[row+1]; at++ {
			after[at] = group
		}
	}
	return after
}

// whole returns where a group stands after all deals that were counted, all of whose records go one way.
func (t *Trail) whole(row uint32) (_ uint32, err error) {
	for _, d := range t.deals {
		if d.first == nil {
			break
		}
		if row, err = d.after(row, d.runs[d.keys[row]][0].set); err != nil {
			return 0, err
		}
	}
	return row, nil
}

// cutsOf returns where the records of rows that are dealt out go in a deal.
func (p *Plan) cutsOf(d, next *Deal, dealt func(row uint32) bool) (cuts []Cut) {
	for r, key := range d.keys {
		row := uint32(r)
		if !dealt(row) {
			continue
		}
		last, numbered := uint32(0), map[uint64]uint32{}
		for _, run := range d.runs[key] {
			cut := Cut{Row: row, First: last + 1, Last: last + run.records}
			last = cut.Last
			if d.first == nil {
				part, known := numbered[run.set]
				if !known {
					part = uint32(len(p.Parts))
					numbered[run.set], p.Parts = part, append(p.Parts, Part{row, run.set})
				}
				cut.After = part
			} else if after, err := d.after(row, run.set); err != nil {
				continue // no record of the row is among these
			} else if cut.After = after; next != nil {
				cut.Key = next.keys[after]
			}
			cuts = append(cuts, cut)
		}
	}
	return cuts
}

// Whole counts a row all of whose records lose the same cells; its weights add up to a number with
// at most so many decimals.
func (c *Counting) Whole(row, records uint32, weights float64, decimals int) {
	c.Part(Part{row, c.deal.runs[c.deal.keys[row]][0].set}, records, weights, decimals)
}

// Part counts the records of a row that lose the same cells, all at once; their weights add up to
// a number with at most so many decimals.
func (c *Counting) Part(p Part, records uint32, weights float64, decimals int) {
	counted := part{set: p.set, records: records}
	counted.weights.Add(weights)
	c.most, c.parts[p.Row] = max(c.most, decimals), append(c.parts[p.Row], counted)
}
