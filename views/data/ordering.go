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

// permutation is records in an order, and the place of each in it.
type permutation struct{ rows, places []uint32 }

// at returns the record at a place; nil is the order of the file.
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

// ordering is the order of the records of a version of the data. A large file is
// sorted in the background, a column at a time; until that is done the order before
// stays in sight.
type ordering struct {
	views.Cache[orderedBy, sorting]
	of    orderedBy
	shown *permutation
}

// orderedBy is what is sorted, and by what.
type orderedBy struct {
	data       *microdata.Dataset
	assessment *risk.Assessment // nil where no figure is sorted by
	by         string
}

// sorting is how far records are sorted by several columns.
type sorting struct {
	left  []func() microdata.SortKey // still to sort by, the last one next
	steps int                        // columns to sort by in all
	rows  []uint32                   // so far
}

// sortedAtOnce is the number of records up to which a file is sorted between two
// frames: a few thousandths of a second.
const sortedAtOnce = 1 << 16

// sort sorts by something else, where it is not sorted by that already.
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

// seek returns the next piece of work: sorting by one column; nil: all is sorted.
func (o *ordering) seek() views.Piece {
	of, so := o.of, *o.For(o.of)
	if len(so.left) == 0 {
		return nil
	}
	last := len(so.left) - 1
	return o.Extend(of, func(ctx context.Context, _ time.Duration) (func(*sorting), error) {
		if so.rows == nil {
			so.rows = stat.InOrder(of.data.Len())
		}
		rows, err := microdata.Sorted(ctx, so.rows, so.left[last]())
		var whole *permutation
		if err == nil && last == 0 {
			whole, rows = &permutation{rows, microdata.PlacesOf(rows)}, nil
		}
		return func(so *sorting) {
			so.left, so.rows = so.left[:last], rows
			if whole != nil {
				o.shown = whole
			}
		}, err
	})
}

// underway says how far sorting has come; "" where it is done.
func (o *ordering) underway() string {
	so := o.For(o.of)
	if len(so.left) == 0 {
		return ""
	}
	return "sorting, " + draw.Count(so.steps-len(so.left)) + " of " + draw.Count(so.steps) + " columns …"
}
