package recordswap

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// pool has the units that have not swapped yet, grouped by their values in one profile and by area.
type pool struct {
	of     []uint32 // group of each unit
	groups [][]cell // cells by group
	places []place  // per unit
}

// cell has the units of one group in one smallest area.
type cell struct {
	first uint32   // a unit of the cell, to look up its areas
	units []uint32 // units that have not swapped yet
}

// place is the position of a unit in a pool.
type place struct{ cell, at uint32 }

// newPool returns the pool of a profile. Units are in the same group if they have the same number of members with
// the same values of the columns.
func newPool(ctx context.Context, f *file, columns []*microdata.Column) (*pool, error) {
	var of []uint32 // values of each record, as a number
	if len(columns) > 0 {
		table, err := keys.New(ctx, columns, nil)
		if err != nil {
			return nil, err
		}
		of = table.RowKeys()
	}
	p := &pool{of: make([]uint32, f.Len()), places: make([]place, f.Len())}
	kinds, cells := map[string]uint32{}, map[[2]uint32]uint32{}
	smallest := f.areas[len(f.areas)-1]
	var values []uint32
	var text []byte
	for unit := range p.of {
		if !f.placed(unit) {
			continue
		}
		values = values[:0]
		for i := range f.Members(unit) {
			if values = append(values, 0); of != nil {
				values[i] = of[f.Member(unit, i)]
			}
		}
		slices.Sort(values)
		text = text[:0]
		for _, value := range values {
			text = append(text, byte(value), byte(value>>8), byte(value>>16), byte(value>>24))
		}
		kind, known := kinds[string(text)]
		if !known {
			kind = uint32(len(p.groups))
			kinds[string(text)] = kind
			p.groups = append(p.groups, nil)
		}
		at, known := cells[[2]uint32{kind, smallest[unit]}]
		if !known {
			at = uint32(len(p.groups[kind]))
			cells[[2]uint32{kind, smallest[unit]}] = at
			p.groups[kind] = append(p.groups[kind], cell{first: uint32(unit)})
		}
		c := &p.groups[kind][at]
		p.of[unit], p.places[unit] = kind, place{at, uint32(len(c.units))}
		c.units = append(c.units, uint32(unit))
	}
	return p, ctx.Err()
}

// take removes a unit.
func (p *pool) take(unit int) {
	at := p.places[unit]
	c := &p.groups[p.of[unit]][at.cell]
	last := len(c.units) - 1
	other := c.units[last]
	c.units[at.at] = other
	p.places[other].at = at.at
	c.units = c.units[:last]
}

// draw draws one of the units that are in the same group as a unit and for which elsewhere returns true, with
// equal probabilities. ok is false if there is none.
func (p *pool) draw(unit int, elsewhere func(other int) bool, stream *rand.Rand) (partner int, ok bool) {
	group, total := p.groups[p.of[unit]], 0
	for i := range group {
		if elsewhere(int(group[i].first)) {
			total += len(group[i].units)
		}
	}
	if total == 0 {
		return 0, false
	}
	k := stream.IntN(total)
	for i := range group {
		if !elsewhere(int(group[i].first)) {
			continue
		}
		if k < len(group[i].units) {
			return int(group[i].units[k]), true
		}
		k -= len(group[i].units)
	}
	return 0, false
}
