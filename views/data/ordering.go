package data

import (
	"context"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// permutation is an order of records and its inverse.
type permutation struct{ rows, places []uint32 }

// at returns the record at a place. A nil permutation is the order of the file.
func (p *permutation) at(place int) int {
	if p == nil {
		return place
	}
	return int(p.rows[place])
}

// placeOf returns the place of a record.
func (p *permutation) placeOf(record int) int {
	if p == nil {
		return record
	}
	return int(p.places[record])
}

// ordering is the order in which records are shown. A large file is sorted in the background, one column at a
// time; until then the earlier order stays.
type ordering struct {
	views.Cache[orderedBy, sortProgress]
	of    orderedBy
	shown *permutation
}

// orderedBy identifies what is sorted and by what.
type orderedBy struct {
	data       *microdata.Dataset
	assessment *risk.Assessment // nil unless sorted by a figure
	by         string
}

// sortProgress is the progress of sorting by several columns.
type sortProgress struct {
	left  []func() microdata.SortKey // columns still to sort by, the last one next
	steps int                        // number of columns to sort by
	rows  []uint32                   // the order so far
}

// sortedAtOnce is the number of records up to which a file is sorted between two frames, in a few milliseconds.
const sortedAtOnce = 1 << 16

// sort starts sorting by other columns, unless the records are sorted by them already.
func (o *ordering) sort(of orderedBy, keys []func() microdata.SortKey) {
	if of == o.of {
		return
	}
	o.of = of
	n, so := of.data.Len(), o.For(of)
	so.left, so.steps = keys, len(keys)
	if len(keys) == 0 || o.shown != nil && len(o.shown.rows) != n {
		o.shown = nil
	}
	for n <= sortedAtOnce && len(so.left) > 0 {
		o.seek()(context.Background(), 0)()
	}
}

// seek returns the next piece of work, sorting by one column, or nil if all is sorted.
func (o *ordering) seek() views.Piece {
	of, so := o.of, *o.For(o.of)
	if len(so.left) == 0 {
		return nil
	}
	last := len(so.left) - 1
	return o.Extend(of, func(ctx context.Context, _ time.Duration) (func(*sortProgress), error) {
		if so.rows == nil {
			so.rows = stat.InOrder(of.data.Len())
		}
		rows, err := microdata.Sorted(ctx, so.rows, so.left[last]())
		var whole *permutation
		if err == nil && last == 0 {
			whole, rows = &permutation{rows, microdata.PlacesOf(rows)}, nil
		}
		return func(so *sortProgress) {
			so.left, so.rows = so.left[:last], rows
			if whole != nil {
				o.shown = whole
			}
		}, err
	})
}

// underway returns the progress of sorting, or "" if it is done.
func (o *ordering) underway() string {
	so := o.For(o.of)
	if len(so.left) == 0 {
		return ""
	}
	return "sorting, " + draw.Count(so.steps-len(so.left)) + " of " + draw.Count(so.steps) + " columns …"
}
