package mondrian

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// partition cuts the distinct keys of a file into regions.
type partition struct {
	axes   []*axis
	counts []int // records per key
	k      int

	keys    []uint32 // the keys, so that those of a region stand together
	scratch []uint32
	regions []region // those that stay
	first   []int    // where in keys those begin that were cut on shared axes
	tally   []int    // records per code, all 0 between two uses
	marks   []bool   // per source code, all false between two uses
	found   []uint32 // source codes, reused
}

// region is a set of keys whose records get the same values.
type region struct {
	from, to int // in partition.keys
	records  int
	spans    []extent // per axis, once it is cut no more there: its parts span the same
}

// extent is what the values of a region span on one axis: of its categories as
// they are now, and of the source values that these stand for.
type extent struct {
	low, high uint32   // codes; 0: no record has a value
	empty     bool     // some record has no value
	from, to  uint32   // source codes
	sources   []uint32 // of a nominal variable
	missing   bool     // some record has no value, now or in the source
	width     float64
	node      int     // of a hierarchy: see tree.common
	name      string  // of the node; "": the extent is called by its source values
	values    *extent // what the values span for which the node stands; nil: the extent itself
}

// newPartition describes the keys of a table; shared says which variables are
// the same for households.
func newPartition(t *keys.Table, columns []*microdata.Column, k int, shared []bool) *partition {
	p := &partition{counts: t.Counts(), k: k, keys: make([]uint32, t.Keys()), scratch: make([]uint32, t.Keys())}
	for key := range p.keys {
		p.keys[key] = uint32(key)
	}
	most, sources := 0, 0
	for v, column := range columns {
		a := newAxis(t.Codes(v), column, shared[v])
		p.axes = append(p.axes, a)
		most, sources = max(most, t.Levels(v)), max(sources, len(a.place))
	}
	p.tally, p.marks = make([]int, most+1), make([]bool, sources)
	return p
}

// bestPartition cuts the keys of a table. With shared axes it tries five shares
// of the cuts for them and returns the partition with the least certainty
// penalty.
func bestPartition(ctx context.Context, t *keys.Table, columns []*microdata.Column, k int, shared []bool,
	meter *progress.Meter) (*partition, error) {
	if !slices.Contains(shared, true) {
		p := newPartition(t, columns, k, shared)
		return p, p.cut(ctx, 0, meter)
	}
	halvings := max(0, bits.Len(uint(t.Records()/k))-1)
	tried, penalties := make([]*partition, 5), make([]float64, 5)
	err := parallel.Each(ctx, len(tried), func(quarters int) error {
		p := newPartition(t, columns, k, shared)
		if err := p.cut(ctx, halvings*quarters/4, nil); err != nil {
			return err
		}
		tried[quarters], penalties[quarters] = p, p.account().Penalty
		meter.Add(int64(t.Records() / 5))
		return nil
	})
	if err != nil {
		return nil, err
	}
	best := 0
	for i, penalty := range penalties {
		if penalty < penalties[best] {
			best = i
		}
	}
	return tried[best], nil
}

// cut makes the regions. Shared axes come first, and are cut as long as every
// region keeps the records that so many halvings of the file leave.
func (p *partition) cut(ctx context.Context, halvings int, meter *progress.Meter) error {
	whole := region{to: len(p.keys), spans: make([]extent, len(p.axes))}
	for _, count := range p.counts {
		whole.records += int(count)
	}
	if whole.records == 0 {
		return nil
	}
	var first []region
	err := p.cutAll(ctx, whole, true, max(p.k, whole.records>>halvings), func(r region) { first = append(first, r) })
	for _, r := range first {
		p.first = append(p.first, r.from)
		if err == nil {
			err = p.cutAll(ctx, r, false, p.k, func(r region) {
				p.regions = append(p.regions, r)
				meter.Add(int64(r.records))
			})
		}
	}
	return err
}

// cutAll cuts a region on the axes that are shared, or on those that are not,
// until no half would keep the least number of records, and hands over what
// stays, in order.
func (p *partition) cutAll(ctx context.Context, whole region, shared bool, least int, keep func(region)) error {
	var axes []*axis
	for _, a := range p.axes {
		if a.shared == shared {
			axes = append(axes, a)
		}
	}
	open := []region{whole}
	for steps := 0; len(open) > 0; steps++ {
		if steps&255 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r := open[len(open)-1]
		open = open[:len(open)-1]
		left, right, ok := p.halve(r, axes, least)
		if !ok {
			r.spans = slices.Clone(r.spans)
			for i, a := range p.axes {
				if a.shared == shared {
					r.spans[i] = p.extent(r, a, true)
				}
			}
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
		extents[i] = p.extent(r, a, false)
		if !extents[i].empty || extents[i].low == 0 {
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
		p.tally[a.codes[key]] += p.counts[key]
	}
	below, nearest := p.tally[0], r.records+1
	for code := e.low; code < e.high; code++ {
		below += p.tally[code]
		if distance := max(2*below-r.records, r.records-2*below); below >= least && r.records-below >= least &&
			distance < nearest {
			last, nearest, ok = code, distance, true
		}
	}
	p.tally[0] = 0
	clear(p.tally[e.low : e.high+1])
	return last, ok
}

// split parts the keys with codes up to last from the others; ok is false where
// a half would have fewer than the least number of records, and nothing is done.
func (p *partition) split(r region, a *axis, last uint32, least int) (left, right region, ok bool) {
	below := 0
	for _, key := range p.keys[r.from:r.to] {
		if a.codes[key] <= last {
			below += p.counts[key]
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
	return region{r.from, middle, below, r.spans}, region{middle, r.to, r.records - below, r.spans}, true
}

// extent returns what a region spans on an axis; of a nominal variable with the
// list of its sources where that is asked for.
func (p *partition) extent(r region, a *axis, sources bool) extent {
	var e extent
	p.found = p.found[:0]
	for _, key := range p.keys[r.from:r.to] {
		code := a.codes[key]
		if code == 0 {
			e.empty, e.missing = true, true
			continue
		}
		if e.low == 0 || code < e.low {
			e.low = code
		}
		e.high = max(e.high, code)
		stands := &a.of[code]
		e.missing = e.missing || stands.missing
		if stands.from > 0 && (e.from == 0 || stands.from < e.from) {
			e.from = stands.from
		}
		e.to = max(e.to, stands.to)
		if a.nominal && p.tally[code] == 0 {
			p.tally[code] = 1
			for _, source := range stands.sources {
				if !p.marks[source] {
					p.marks[source] = true
					p.found = append(p.found, source)
				}
			}
		}
	}
	e.width = a.width(e.from, e.to, len(p.found))
	if a.nominal {
		clear(p.tally[e.low : e.high+1])
		clear(p.marks[e.from : e.to+1])
		if sources {
			e.sources = slices.Sorted(slices.Values(p.found))
		}
	}
	return e
}
