package suppress

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
)

// partition cuts the distinct keys of a file into regions.
type partition struct {
	axes   []*axis
	counts []uint32 // records per key
	k      int

	keys    []uint32 // the keys, so that those of a region stand together
	scratch []uint32
	regions []region   // those that stay
	shared  [][]extent // per parent of regions: its extents on the shared axes; nil entries on others
	tally   []int      // records per code, all 0 between two uses
}

// axis is a variable along which regions are cut.
type axis struct {
	codes   []uint32  // per key, 0 for missing
	place   []float64 // per code: where the category stands in [0,1] of the variable's range
	nominal bool
	share   float64 // of one category of a nominal variable
	shared  bool    // the same for households
}

// region is a set of keys whose records get the same values.
type region struct {
	from, to int // in partition.keys
	records  int
	parent   int // in partition.shared; -1: none
}

// extent is what the values of a region span on one axis.
type extent struct {
	low, high uint32 // codes; 0: no record has a value
	codes     []uint32
	missing   bool // some record has no value
	width     float64
}

// newPartition describes the keys of a table; shared says which variables are
// the same for households.
func newPartition(t *keys.Table, columns []*microdata.Column, k int, shared []bool) *partition {
	p := &partition{counts: t.Counts(), k: k, keys: make([]uint32, t.Keys()), scratch: make([]uint32, t.Keys())}
	for key := range p.keys {
		p.keys[key] = uint32(key)
	}
	most := 0
	for v, column := range columns {
		p.axes = append(p.axes, newAxis(t.Codes(v), column.Categories(), shared[v]))
		most = max(most, t.Levels(v))
	}
	p.tally = make([]int, most+1)
	return p
}

// newAxis places the categories that occur: numbers by their value, others by
// their rank.
func newAxis(codes []uint32, categories *microdata.Categories, shared bool) *axis {
	a := &axis{codes: codes, nominal: !categories.Ordered, shared: shared, place: make([]float64, len(categories.Levels)+1)}
	var occurring []uint32
	numbers := true
	for i, count := range categories.Counts()[1:] {
		if count > 0 {
			occurring = append(occurring, uint32(i+1))
			numbers = numbers && categories.Levels[i].NumberLevel()
		}
	}
	if len(occurring) < 2 {
		return a
	}
	a.share = 1 / float64(len(occurring)-1)
	first, last := categories.Levels[occurring[0]-1].Value, categories.Levels[occurring[len(occurring)-1]-1].Value
	for rank, code := range occurring {
		if numbers && !a.nominal && last > first {
			a.place[code] = (categories.Levels[code-1].Value - first) / (last - first)
		} else {
			a.place[code] = float64(rank) * a.share
		}
	}
	return a
}

// bestPartition cuts the keys of a table. With shared axes it tries five shares
// of the cuts for them and returns the partition with the least certainty
// penalty.
func bestPartition(ctx context.Context, t *keys.Table, columns []*microdata.Column, k int, shared []bool, meter *progress.Meter) (*partition, error) {
	if !slices.Contains(shared, true) {
		p := newPartition(t, columns, k, shared)
		return p, p.cut(ctx, 0, meter)
	}
	var best *partition
	least := 0.0
	halvings := bits.Len(uint(t.Records()/k)) - 1
	for quarters := range 5 {
		p := newPartition(t, columns, k, shared)
		if err := p.cut(ctx, halvings*quarters/4, nil); err != nil {
			return nil, err
		}
		if penalty := p.account().Penalty; best == nil || penalty < least {
			best, least = p, penalty
		}
		meter.Add(int64(t.Records() / 5))
	}
	return best, nil
}

// cut makes the regions. Shared axes come first, and are cut as long as every
// region keeps the records that so many halvings of the file leave.
func (p *partition) cut(ctx context.Context, halvings int, meter *progress.Meter) error {
	whole := region{from: 0, to: len(p.keys), parent: -1}
	for _, count := range p.counts {
		whole.records += int(count)
	}
	var shared, others []*axis
	for _, a := range p.axes {
		if a.shared {
			shared = append(shared, a)
		} else {
			others = append(others, a)
		}
	}
	first := []region{whole}
	if len(shared) > 0 {
		least := max(p.k, whole.records>>halvings)
		first = nil
		if err := p.cutAll(ctx, whole, shared, least, func(r region) { first = append(first, r) }); err != nil {
			return err
		}
		for i := range first {
			first[i].parent = i
			p.shared = append(p.shared, p.extents(first[i], func(a *axis) bool { return a.shared }))
		}
	}
	for _, r := range first {
		err := p.cutAll(ctx, r, others, p.k, func(r region) {
			p.regions = append(p.regions, r)
			meter.Add(int64(r.records))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// cutAll cuts a region on the axes until no half would keep the least number of
// records, and hands over what stays, in order.
func (p *partition) cutAll(ctx context.Context, whole region, axes []*axis, least int, keep func(region)) error {
	open := []region{whole}
	for steps := 0; len(open) > 0; steps++ {
		if steps&255 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r := open[len(open)-1]
		open = open[:len(open)-1]
		left, right, ok := p.halve(r, axes, least)
		if !ok {
			keep(r)
			continue
		}
		open = append(open, right, left)
	}
	return ctx.Err()
}

// halve cuts a region in two where both keep the least number of records: on an
// axis that parts missing values from others, else on the widest that can.
func (p *partition) halve(r region, axes []*axis, least int) (left, right region, ok bool) {
	if r.records < 2*least {
		return r, r, false
	}
	extents := make([]extent, len(axes))
	order := make([]int, len(axes))
	for i, a := range axes {
		order[i] = i
		extents[i] = p.extent(r, a)
		if !extents[i].missing || extents[i].low == 0 {
			continue
		}
		if left, right, ok = p.split(r, a, 0, least); ok {
			return left, right, true
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(extents[j].width, extents[i].width) })
	for _, i := range order {
		if e := extents[i]; e.low < e.high {
			if last, can := p.median(r, axes[i], e, least); can {
				return p.split(r, axes[i], last, least)
			}
		}
	}
	return r, r, false
}

// median returns the code with which the half of the lower codes ends that
// comes nearest to half of the records, where both halves keep the least
// number. Missing values go with the lower half.
func (p *partition) median(r region, a *axis, e extent, least int) (last uint32, ok bool) {
	for _, key := range p.keys[r.from:r.to] {
		p.tally[a.codes[key]] += int(p.counts[key])
	}
	below, nearest := p.tally[0], r.records+1
	for code := e.low; code < e.high; code++ {
		below += p.tally[code]
		if distance := abs(2*below - r.records); below >= least && r.records-below >= least && distance < nearest {
			last, nearest, ok = code, distance, true
		}
	}
	p.tally[0] = 0
	clear(p.tally[e.low : e.high+1])
	return last, ok
}

func abs(n int) int { return max(n, -n) }

// split parts the keys with codes up to last from the others; ok is false where
// a half would have fewer than the least number of records, and nothing is done.
func (p *partition) split(r region, a *axis, last uint32, least int) (left, right region, ok bool) {
	below := 0
	for _, key := range p.keys[r.from:r.to] {
		if a.codes[key] <= last {
			below += int(p.counts[key])
		}
	}
	if below < least || r.records-below < least {
		return r, r, false
	}
	middle, moved := r.from, 0
	for _, key := range p.keys[r.from:r.to] {
		if a.codes[key] <= last {
			p.keys[middle] = key
			middle++
		} else {
			p.scratch[moved] = key
			moved++
		}
	}
	copy(p.keys[middle:r.to], p.scratch[:moved])
	return region{r.from, middle, below, r.parent}, region{middle, r.to, r.records - below, r.parent}, true
}

// extent returns what a region spans on an axis.
func (p *partition) extent(r region, a *axis) extent {
	var e extent
	distinct := 0
	for _, key := range p.keys[r.from:r.to] {
		code := a.codes[key]
		if code == 0 {
			e.missing = true
			continue
		}
		if e.low == 0 || code < e.low {
			e.low = code
		}
		e.high = max(e.high, code)
		if a.nominal && p.tally[code] == 0 {
			p.tally[code] = 1
			distinct++
		}
	}
	if a.nominal && e.low > 0 {
		clear(p.tally[e.low : e.high+1])
		e.width = float64(distinct-1) * a.share
	} else {
		e.width = a.place[e.high] - a.place[e.low]
	}
	return e
}

// extents returns what a region spans on the chosen axes, with the codes of
// nominal ones.
func (p *partition) extents(r region, chosen func(a *axis) bool) []extent {
	all := make([]extent, len(p.axes))
	for i, a := range p.axes {
		if !chosen(a) {
			continue
		}
		all[i] = p.extent(r, a)
		if !a.nominal {
			continue
		}
		for _, key := range p.keys[r.from:r.to] {
			if code := a.codes[key]; code != 0 && p.tally[code] == 0 {
				p.tally[code] = 1
				all[i].codes = append(all[i].codes, code)
			}
		}
		slices.Sort(all[i].codes)
		for _, code := range all[i].codes {
			p.tally[code] = 0
		}
	}
	return all
}

// spans returns the extents of a region on all axes: those of its parent on the
// shared ones.
func (p *partition) spans(r region) []extent {
	if r.parent < 0 {
		return p.extents(r, func(*axis) bool { return true })
	}
	all := p.extents(r, func(a *axis) bool { return !a.shared })
	for i, a := range p.axes {
		if a.shared {
			all[i] = p.shared[r.parent][i]
		}
	}
	return all
}
