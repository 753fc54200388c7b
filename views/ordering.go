package views

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/order"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Permutation is records in an order, and the place of each in it.
type Permutation struct{ rows, places []uint32 }

// At returns the record at a place; nil is the order of the file.
func (p *Permutation) At(place int) int {
	if p == nil {
		return place
	}
	return int(p.rows[place])
}

// PlaceOf returns the place of a record.
func (p *Permutation) PlaceOf(record int) int {
	if p == nil {
		return record
	}
	return int(p.places[record])
}

// Ordering is the order of the records of a version of the data. A large file is
// sorted beside the screen, a column at a time; until that is done the order before
// stays in sight.
type Ordering struct {
	Of    OrderedBy
	keys  []func() order.Key // still to sort by, the last one next
	steps int                // columns to sort by in all
	rows  []uint32           // so far
	Shown *Permutation
}

// OrderedBy is what is sorted, and by what.
type OrderedBy struct {
	Data       *microdata.Dataset
	Assessment *risk.Assessment // nil where no figure is sorted by
	By         string
}

// SortAtOnce is the number of records up to which a file is sorted between two
// frames: a few thousandths of a second.
const SortAtOnce = 1 << 16

// Begin sorts by something else.
func (o *Ordering) Begin(of OrderedBy, keys []func() order.Key) {
	n := of.Data.Len()
	if len(keys) == 0 || o.Shown != nil && len(o.Shown.rows) != n {
		o.Shown = nil
	}
	o.Of, o.keys, o.steps, o.rows = of, keys, len(keys), nil
	for n <= SortAtOnce && len(o.keys) > 0 {
		o.Seek()(context.Background())()
	}
}

// Seek returns the next piece of work: sorting by one column; nil: all is sorted.
func (o *Ordering) Seek() func(ctx context.Context) (take func()) {
	if len(o.keys) == 0 {
		return nil
	}
	of, left, rows := o.Of, len(o.keys), o.rows
	key := o.keys[left-1]
	return func(ctx context.Context) func() {
		if rows == nil {
			rows = order.All(of.Data.Len())
		}
		rows, err := order.By(ctx, rows, key())
		var places []uint32
		if err == nil && left == 1 {
			places = order.Places(rows)
		}
		return func() {
			if err != nil || o.Of != of || len(o.keys) != left {
				return // cancelled, or something else is sorted by
			}
			o.keys, o.rows = o.keys[:left-1], rows
			if left == 1 {
				o.Shown, o.rows = &Permutation{rows, places}, nil
			}
		}
	}
}

// Underway says how far sorting has come; "" where it is done.
func (o *Ordering) Underway() string {
	if len(o.keys) == 0 {
		return ""
	}
	return "sorting, " + draw.Count(o.steps-len(o.keys)) + " of " + draw.Count(o.steps) + " columns …"
}
