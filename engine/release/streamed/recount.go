package streamed

import (
	"cmp"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Counting counts what the last of some deals gives the rows before it, in a pass over the
// file: how many of their records, and of which weights, lose which cells or draw what. What single records
// of a group have is not known without.
type Counting struct {
	trail *Trail // up to the deal
	deals []*Deal
	deal  *Deal
	parts [][]part // by row
	most  int      // decimals of the weights
}

// part is what some records of a row have that become the same.
type part struct {
	set     uint64
	records int
	weights stat.Sum
}

// NewCounting begins before the first record. The deal comes after the others.
func NewCounting(before []*Deal, deal *Deal) *Counting {
	deals := append(slices.Clone(before), deal)
	return &Counting{trail: NewTrail(deals), deals: deals, deal: deal, parts: make([][]part, len(deal.keys))}
}

// Add counts the next records by their groups, in place of which those that are left out get Left; weights have at most
// so many decimals, nil: there are none.
func (c *Counting) Add(groups []uint32, weights []float64, decimals int) error {
	c.most = max(c.most, decimals)
	for i, group := range groups {
		row, set, err := c.trail.before(group)
		switch {
		case err != nil:
			return err
		case row == Left:
			groups[i] = Left
			continue
		}
		parts := &c.parts[row]
		at := slices.IndexFunc(*parts, func(p part) bool { return p.set == set })
		if at < 0 {
			at, *parts = len(*parts), append(*parts, part{set: set})
		}
		if (*parts)[at].records++; weights != nil {
			(*parts)[at].weights.Add(weights[i])
		}
	}
	return nil
}

// Data returns the data after the step, once all records were counted, and completes the deal.
// before are those before the step; weight names their sums, "": none.
func (c *Counting) Data(before *microdata.Dataset, weight string) (*microdata.Dataset, error) {
	var rows []uint32
	var records []int
	var weights []float64
	c.deal.first = []uint32{0}
	for row, parts := range c.parts {
		slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(b.set, a.set) }) // what stays as it is comes last
		for i := range parts {
			rows, records = append(rows, uint32(row)), append(records, parts[i].records)
			weights = append(weights, parts[i].weights.Rounded(c.most))
			c.deal.sets = append(c.deal.sets, parts[i].set)
		}
		c.deal.first = append(c.deal.first, uint32(len(rows)))
	}
	if len(rows) == 0 || !c.deal.complete(before.Multiplicity(), records) {
		return nil, ErrChanged
	}
	data, err := c.split(before, rows, records, weight, weights)
	if err != nil || c.deal.Sample() != nil {
		return data, err
	}
	if chances := c.deal.chances; chances != nil {
		column, _ := data.Column(chances.Variable)
		codes := microdata.NewCodes(len(rows), len(column.Categories().Levels))
		for row, code := range c.deal.sets {
			codes.Set(row, uint32(code))
		}
		return data.With(chances.Drawn(column, codes)), nil
	}
	for v, name := range c.deal.columns {
		cells := microdata.NewBits(len(rows))
		for row, set := range c.deal.sets {
			if set>>v&1 == 1 {
				cells.Set(row)
			}
		}
		for _, loses := range append(c.deal.following(name), name) {
			column, _ := data.Column(loses)
			data = data.With(column.Suppress(cells))
		}
	}
	return data, nil
}

// complete reports whether the records that a deal gave are all that it has to; how many those of a sample of
// households are, nothing else tells.
func (d *Deal) complete(before, after []int) bool {
	of := d.Sample()
	if of == nil {
		_, err := microdata.Parents(before, after)
		return err == nil
	}
	all := 0
	for _, records := range after {
		all += records
	}
	return all == of.Sample.Kept || of.Sample.Household != "" && all > of.Sample.Kept
}

// split returns the rows after the deal, with sums of the weights in the source, and those that samples made of them.
func (c *Counting) split(before *microdata.Dataset, rows []uint32, records []int, weight string, weights []float64) (
	*microdata.Dataset, error) {
	if weight == "" {
		return before.SplitAs(rows, records, nil), nil
	}
	return Weighed(c.deals, before.SplitAs(rows, records, map[string][]float64{weight: weights}))
}
