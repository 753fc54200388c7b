package views

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/order"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// sorting is what a table is sorted by: columns, the first before all others.
type sorting []sortedColumn

// sortedColumn is one of them.
type sortedColumn struct {
	id   string // stays the same while columns move
	down bool
}

// turn sorts by a column alone; by one that the table is sorted by alone already,
// the other way round, and then not at all.
func (b *sorting) turn(id string) {
	switch at := b.at(id); {
	case len(*b) != 1 || at < 0:
		*b = sorting{{id: id}}
	default:
		b.next(at)
	}
}

// add sorts by a column where the others are alike; by one of those the other way
// round, and then not any more.
func (b *sorting) add(id string) {
	if at := b.at(id); at >= 0 {
		b.next(at)
		return
	}
	*b = append(slices.Clip(*b), sortedColumn{id: id})
}

func (b *sorting) next(at int) {
	if (*b)[at].down {
		*b = slices.Delete(slices.Clone(*b), at, at+1)
		return
	}
	*b = slices.Clone(*b)
	(*b)[at].down = true
}

func (b sorting) at(id string) int {
	return slices.IndexFunc(b, func(c sortedColumn) bool { return c.id == id })
}

// mark returns the sign of a column for its heading: an arrow, with its place where
// the table is sorted by several.
func (b sorting) mark(id string) string {
	at := b.at(id)
	switch {
	case at < 0:
		return ""
	case len(b) == 1:
		return b[at].arrow()
	}
	return b[at].arrow() + strconv.Itoa(at+1)
}

// String lists the columns with their arrows: "age ↓, sex ↑".
func (b sorting) String() string {
	var text strings.Builder
	for i, c := range b {
		if i > 0 {
			text.WriteString(", ")
		}
		text.WriteString(strings.TrimPrefix(c.id, figureMark) + " " + c.arrow())
	}
	return text.String()
}

// key spells the columns so that no other order is spelled alike.
func (b sorting) key() string {
	var text strings.Builder
	for _, c := range b {
		text.WriteString(c.id + c.arrow() + "\n")
	}
	return text.String()
}

func (c sortedColumn) arrow() string {
	if c.down {
		return "↓"
	}
	return "↑"
}

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
