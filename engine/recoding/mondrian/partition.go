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

// partition divides the key patterns of a file into regions.
type partition struct {
	axes   []*axis
	counts []int // records per key
	k      int

	keys    []uint32 // keys, grouped by region
	scratch []uint32
	regions []region // final regions
	first   []int    // index in keys of each part that was cut on shared axes
	tally   []int    // records per code; all 0 between uses
	marks   []bool   // per source code; all false between uses
	found   []uint32 // source codes, reused
}

// region is a set of keys whose records get the same values.
type region struct {
	from, to int // indices in partition.keys
	records  int
	spans    []extent // per axis; final once it is no longer cut on the axis, and shared with its parts
}

// extent is the range or set of a region's values on one axis: of its current categories, and of the source values
// they represent.
type extent struct {
	low, high uint32   // codes; 0: all values are missing
	empty     bool     // whether a value is missing
	from, to  uint32   // source codes
	sources   []uint32 // source codes of a nominal variable
	missing   bool     // whether a value is missing, now or in the source
	width     float64
	node      int     // node of a hierarchy: see tree.common
	name      string  // name of the node, or "" if the extent is labelled by its source values
	values    *extent // extent of the values that the node represents; nil: the extent itself
}

// newPartition returns a partition of the keys of a table with no cuts. shared marks the variables that are the
// same for all members of a household.
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

// bestPartition cuts the keys of a table. With shared axes it tries five depths of cuts on these and returns the
// partition with the least certainty penalty.
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

// cut forms the regions. It first cuts on shared axes, as long as every region has at least 1/2^halvings of the
// file's records.
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

// cutAll cuts a region on the shared axes, or on the others, until no half would have at least least records. It
// calls keep with the final regions, in order.
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

// halve cuts a region in two if both parts have at least least records: on an axis where this separates missing
// values, otherwise on the widest axis possible.
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

// median returns the last code of the lower half if it is cut as close to half of the records as possible, with at
// least least records in both halves. Missing values belong to the lower half.
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

// split separates the keys with codes up to last from the others. If a half would have fewer than least records,
// it does nothing and ok is false.
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

// extent returns the extent of a region on an axis. If sources is set, it includes the list of sources for a
// nominal variable.
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
