package views

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/order"
	"github.com/sdcdesk/sdcdesk/engine/risk"
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
// sorted beside the screen, a column at a time; until that is done the order before
// stays in sight.
type ordering struct {
	of    orderedBy
	keys  []func() order.Key // still to sort by, the last one next
	steps int                // columns to sort by in all
	rows  []uint32           // so far
	shown *permutation
}

// orderedBy is what is sorted, and by what.
type orderedBy struct {
	data       *microdata.Dataset
	assessment *risk.Assessment // nil where no figure is sorted by
	by         string
}

// sortAtOnce is the number of records up to which a file is sorted between two
// frames: a few thousandths of a second.
const sortAtOnce = 1 << 16

// begin sorts by something else.
func (o *ordering) begin(of orderedBy, keys []func() order.Key) {
	n := of.data.Len()
	if len(keys) == 0 || o.shown != nil && len(o.shown.rows) != n {
		o.shown = nil
	}
	o.of, o.keys, o.steps, o.rows = of, keys, len(keys), nil
	for n <= sortAtOnce && len(o.keys) > 0 {
		o.seek()(context.Background())()
	}
}

// seek returns the next piece of work: sorting by one column; nil: all is sorted.
func (o *ordering) seek() func(ctx context.Context) (take func()) {
	if len(o.keys) == 0 {
		return nil
	}
	of, left, rows := o.of, len(o.keys), o.rows
	key := o.keys[left-1]
	return func(ctx context.Context) func() {
		if rows == nil {
			rows = order.All(of.data.Len())
		}
		rows, err := order.By(ctx, rows, key())
		var places []uint32
		if err == nil && left == 1 {
			places = order.Places(rows)
		}
		return func() {
			if err != nil || o.of != of || len(o.keys) != left {
				return // cancelled, or something else is sorted by
			}
			o.keys, o.rows = o.keys[:left-1], rows
			if left == 1 {
				o.shown, o.rows = &permutation{rows, places}, nil
			}
		}
	}
}

// underway says how far sorting has come; "" where it is done.
func (o *ordering) underway() string {
	if len(o.keys) == 0 {
		return ""
	}
	return "sorting, " + Count(o.steps-len(o.keys)) + " of " + Count(o.steps) + " columns …"
}
