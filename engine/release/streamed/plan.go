package streamed

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Plan is what deals come to for an engine that numbers the records of a key itself: of most groups
// all records stand in one row after the steps, of others each goes its way from deal to deal.
type Plan struct {
	Rows  []int32  // by group: the row of all of its records after the steps; -1: they are dealt out
	Keys  []int64  // by group: the key in the first deal, of groups that are dealt out
	Cuts  [][]Cut  // by deal: where records of these groups go
	Draws []string // by deal: the secret of the numbers that records draw; "": they are numbered in the order of their key
	Parts []Part   // where the last deal is not counted yet: what Cut.After of it numbers

	Together []*Together // by deal: what numbers records whose households have their turn, or draw; nil: they do by themselves
}

// Cut says where the records of a row go in a deal that have one of the numbers from First to Last: by the order
// within its key, counted from 1, as each draws it, or as its household has its turn.
type Cut struct {
	Row         uint32
	First, Last int64
	After       uint32 // row after the deal
	Key         int64  // of that row in the next deal
}

// Part is a row before a deal that is not counted yet, and what becomes of records of it.
type Part struct {
	Row uint32
	set uint64
}

// NewPlan compiles the deals of steps for so many groups; nil ones are left out. All but the last
// must have been counted. Its rows, where it was not, are those before it.
func NewPlan(groups int, deals []*Deal) (*Plan, error) {
	trail := NewTrail(deals)
	p := &Plan{Rows: make([]int32, groups), Keys: make([]int64, groups)}
	origins, dealt := [][]uint32{make([]uint32, groups)}, make([]bool, groups)
	together := slices.ContainsFunc(trail.deals, func(d *Deal) bool { return d.together != nil })
	for group := range groups {
		origins[0][group], dealt[group] = uint32(group), together // members of households are of any group
	}
	for i, d := range trail.deals {
		if len(d.keys) != len(origins[i]) {
			return nil, ErrChanged
		}
		for row := range d.keys {
			_, all := d.only(uint32(row))
			dealt[origins[i][row]] = dealt[origins[i][row]] || !all
		}
		if d.first != nil {
			origins = append(origins, d.originsOf(origins[i]))
		}
	}
	for group := range p.Rows {
		if p.Rows[group] = -1; len(trail.deals) > 0 {
			p.Keys[group] = trail.deals[0].number(uint32(group))
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
		p.Draws = append(p.Draws, "")
		if d.chances != nil {
			p.Draws[i] = d.chances.Secret()
		}
		p.Together = append(p.Together, d.Numbering())
		p.Cuts = append(p.Cuts, p.cutsOf(d, next, func(row uint32) bool { return dealt[origins[i][row]] }))
	}
	return p, nil
}

// number returns the number that the key of a row has.
func (d *Deal) number(row uint32) int64 {
	if d.chances == nil && d.together != nil {
		return d.together.numbers[d.keys[row]]
	}
	return int64(d.keys[row])
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
		set, _ := d.only(row)
		if row, err = d.after(row, set); err != nil {
			return 0, err
		}
	}
	return row, nil
}

// cutsOf returns where the records of rows that are dealt out go in a deal.
func (p *Plan) cutsOf(d, next *Deal, dealt func(row uint32) bool) (cuts []Cut) {
	for r := range d.keys {
		row := uint32(r)
		if !dealt(row) {
			continue
		}
		numbered := map[uint64]uint32{}
		d.outcomes(row, func(set uint64, first, last int64) {
			if d.leaves(set) {
				return
			}
			cut := Cut{Row: row, First: first, Last: last}
			if d.first == nil {
				part, known := numbered[set]
				if !known {
					part = uint32(len(p.Parts))
					numbered[set], p.Parts = part, append(p.Parts, Part{row, set})
				}
				cut.After = part
			} else if after, err := d.after(row, set); err != nil {
				return // no record of the row is among these
			} else if cut.After = after; next != nil {
				cut.Key = next.number(after)
			}
			cuts = append(cuts, cut)
		})
	}
	return cuts
}

// Others counts the rows before the step of which no records were counted: all of each become the same. weight names
// their sums, "": none, which have at most so many decimals.
func (c *Counting) Others(before *microdata.Dataset, weight string, decimals int) {
	sums := func(int) float64 { return 0 }
	if weights, ok := before.Column(weight); ok {
		sums = weights.Source().Float
	}
	for row, records := range before.Multiplicity() {
		if set, all := c.deal.only(uint32(row)); all && len(c.parts[row]) == 0 {
			c.Part(Part{uint32(row), set}, records, sums(row), decimals)
		}
	}
}

// Part counts the records of a row that become the same, all at once; their weights add up to
// a number with at most so many decimals.
func (c *Counting) Part(p Part, records int, weights float64, decimals int) {
	counted := part{set: p.set, records: records}
	counted.weights.Add(weights)
	c.most, c.parts[p.Row] = max(c.most, decimals), append(c.parts[p.Row], counted)
}
